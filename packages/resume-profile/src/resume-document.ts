import { z } from 'zod';
import { backgroundShapes, NonEmptyText } from './background.ts';
import { isOrdered } from './dates.ts';
import { EmailAddress } from './email-address.ts';
import { CalendarDate, HttpUrl, Resume } from './profile.ts';
import { designShape } from './resume-design.ts';
import { isLanguageTag } from './resume-language.ts';
import { sectionKeys, type TitledKey, titledKeys } from './resume-section.ts';
import { placedEntries, placedTexts, placement } from './view-fields.ts';

/** A date with optional day and month, as printed resumes show it; YAML reads a bare year as a number. */
export const PrintedDate = z.union(
  [CalendarDate, z.string().regex(/^\d{4}(-(0[1-9]|1[0-2]))?$/), z.int().min(1000).max(9999).transform(String)],
  { error: 'must be a date: YYYY-MM-DD, YYYY-MM or YYYY' },
);

// Zod skips a rule between fields if any field of the object is invalid. This runs the rule if its own fields are
// valid, so that all faults are found at once.
export const ifValid = (fields: z.ZodType) => (payload: { value: unknown }) => fields.safeParse(payload.value).success;

const periodShape = { start_date: PrintedDate.optional(), end_date: PrintedDate.nullable().optional() };
const Period = z.object(periodShape);

/** A strict object with a period, whose end must not be before its start. */
export const periodObject = <Shape extends typeof periodShape & z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape).superRefine(
    (value, context) => {
      const { start_date: start, end_date: end } = value as z.output<typeof Period>;
      if (start && end && !isOrdered(start, end))
        context.addIssue({ code: 'custom', path: ['end_date'], message: 'must not be before start_date' });
    },
    { when: ifValid(Period) },
  );

/** A rule that at least one of some fields is given. */
const withOneOf =
  (...fields: readonly string[]) =>
  (value: object) =>
    fields.some((field) => field in value);

const ownSection = {
  section: NonEmptyText.optional().meta({
    description: 'The title of another section, in which the page and the PDF have the entry instead',
  }),
};

/** The fields of every entry that is printed in a section. */
export const entryShape = { ...ownSection, ...placement };

const shapes = backgroundShapes(PrintedDate, placedTexts(NonEmptyText));

const Education = periodObject({ ...shapes.education, ...entryShape }).refine(
  withOneOf('institution', 'area', 'degree'),
  {
    error: 'must have an institution, a degree or an area',
  },
);

const Volunteering = periodObject({ ...shapes.volunteering, ...entryShape }).refine(withOneOf('organization', 'role'), {
  error: 'must have an organization or a role',
});

const entryObject = periodObject({ ...shapes.sectionEntry, ...placement }).refine(withOneOf('text', 'bullet', 'name'), {
  error: 'must have a text, a bullet or a name',
});

/** A paragraph may be written as a string. */
const SectionEntry = z.union(
  [NonEmptyText.transform((text): z.output<typeof entryObject> => ({ text })), entryObject],
  {
    error: 'must be a text, or an object with a text, a bullet or a name',
  },
);

const printed = { description: 'On the page and in the PDF only' };
const listOf = <Item extends z.ZodType>(item: Item, description: string) =>
  z.array(item).optional().meta({ description });
const entriesOf = <Entry extends z.ZodType<{ readonly in?: unknown }>>(
  entry: Entry,
  description = 'On the page and in the PDF, and served to programs with `background`',
) => placedEntries(entry).optional().meta({ description });

/** How publications are listed, other than as they are written. */
const publicationStyles = ['numbered', 'by_year'] as const;

export const publicationStyleShape = {
  publication_style: z
    .enum(publicationStyles)
    .optional()
    .meta({ description: 'Whether publications are numbered, or listed below their years (by_year)' }),
};

/** The maximum size of the file of a photo. */
export const maxPhotoMebibytes = 2;

/** The parts that the page can leave out although the PDF has them. */
const pageHides = ['email', 'phone', 'photo'] as const;

export const experienceOrders = ['latest_first', 'as_written'] as const;

type OptionalText = z.ZodOptional<typeof NonEmptyText>;

/** The files of the resume that the page offers. */
const downloads = ['pdf', 'docx'] as const;

/** The fields under `resume`, before derived ones are added. */
const ResumeFields = z.strictObject({
  skills: Resume.shape.skills.optional(),
  skill_groups: listOf(
    z.strictObject({
      name: NonEmptyText.optional(),
      level: NonEmptyText.optional(),
      skills: z.array(NonEmptyText).default([]),
      ...ownSection,
    }),
    'Skills in groups, as the page and the PDF show them',
  ),
  pdf_url: HttpUrl.optional().meta({
    description: 'Link to a PDF of your own, given out instead of the generated one',
  }),
  email: EmailAddress.optional().meta(printed),
  phone: NonEmptyText.optional().meta(printed),
  links: listOf(z.strictObject({ label: NonEmptyText.optional(), url: HttpUrl }), printed.description),
  education: entriesOf(Education),
  certifications: entriesOf(z.strictObject({ ...shapes.certification, ...entryShape })),
  languages: entriesOf(z.strictObject({ ...shapes.language, ...entryShape })),
  publications: entriesOf(z.strictObject({ ...shapes.publication, ...entryShape })),
  ...publicationStyleShape,
  awards: entriesOf(z.strictObject({ ...shapes.award, ...entryShape })),
  volunteer: entriesOf(Volunteering),
  interests: entriesOf(
    z.strictObject({ name: NonEmptyText, keywords: z.array(NonEmptyText).optional(), ...entryShape }),
    printed.description,
  ),
  references: z
    .strictObject({
      print: z
        .boolean('must be true or false')
        .default(false)
        .meta({ description: 'Whether the page and the PDF show them' }),
      entries: placedEntries(
        z.strictObject({ name: NonEmptyText.optional(), reference: NonEmptyText.optional(), ...placement }),
      ),
    })
    .optional()
    .meta({ description: 'What others say, or who can be asked; printed with `print: true`, and never served' }),
  sections: entriesOf(z.strictObject({ title: NonEmptyText, entries: placedEntries(SectionEntry), ...placement })),
  order: z
    .array(NonEmptyText)
    .optional()
    .meta({
      description: `The order of the sections in the PDF and, column by column, on the page: ${sectionKeys.join(', ')}, or titles of your own sections; others follow`,
    }),
  titles: z
    .strictObject(
      Object.fromEntries(titledKeys.map((key) => [key, NonEmptyText.optional()])) as Record<TitledKey, OptionalText>,
    )
    .optional()
    .meta({ description: 'Your own titles of sections by their keys, such as `experience: Appointments`' }),
  experience_order: z.enum(experienceOrders).optional().meta({
    description:
      'Whether the page, the PDF and exports have experience by its dates (latest_first, unless it is given) or in the order of this document (as_written); programs always get the latest first',
  }),
  photo: z
    .string('must be a string')
    .regex(/^(?!\/|[a-z][a-z\d+.-]*:|.*(^|[\\/])\.\.([\\/]|$)).+\.(jpe?g|png)$/i, {
      error: 'must be the path of a JPEG or PNG file in the folder of the profile',
    })
    .optional()
    .meta({
      description: `A picture of you: a JPEG or PNG file of up to ${maxPhotoMebibytes} MiB in the folder of this document`,
    }),
  language: z
    .string('must be a string')
    .refine(isLanguageTag, 'must be a language tag such as de, de-AT or zh-Hant')
    .optional()
    .meta({
      description:
        'The language of headings and months on the page, in the PDF and in exports, as a tag such as de or de-AT; English unless it is given, or if there are no words in it',
    }),
  downloads: z
    .array(z.enum(downloads))
    .optional()
    .meta({ description: 'The files of the resume on the page: docx offers one for Word; the PDF is offered always' }),
  ...designShape,
  page_hides: z
    .array(z.enum(pageHides))
    .optional()
    .meta({ description: 'What the PDF shows and the page does not: email, phone, photo' }),
});

/** The skills of groups, each once. */
export const skillsIn = (groups: readonly { skills: readonly string[] }[]): string[] => [
  ...new Set(groups.flatMap(({ skills }) => skills)),
];

/** The part of the profile document under `resume`. The list of skills is that of the groups unless it is given. */
export const ResumeDocument = ResumeFields.refine((resume) => 'skills' in resume || 'skill_groups' in resume, {
  path: ['skills'],
  error: 'is required, unless there are skill_groups',
  when: ({ value }) => typeof value === 'object' && value !== null,
}).transform(({ skills, ...rest }) => ({
  skills: skills ?? skillsIn(rest.skill_groups ?? []),
  ...rest,
}));
