import { z } from 'zod';
import { backgroundShapes, NonEmptyText } from './background.ts';
import { isOrdered } from './dates.ts';
import { EmailAddress } from './email-address.ts';
import { Hides } from './hides.ts';
import { CalendarDate, HttpUrl, Resume } from './profile.ts';
import { designShape, oneOf } from './resume-design.ts';
import { isLanguageTag } from './resume-language.ts';
import { sectionKeys, type TitledKey, titledKeys } from './resume-section.ts';
import { hidableEntries, placedTexts, placement, viewId } from './view-fields.ts';

/** A date with optional day and month, as printed resumes show it; YAML reads a bare year as a number. */
export const PrintedDate = z.union(
  [CalendarDate, z.string().regex(/^\d{4}(-(0[1-9]|1[0-2]))?$/), z.int().min(1000).max(9999).transform(String)],
  { error: 'must be a date: YYYY-MM-DD, YYYY-MM or YYYY' },
);

// Zod skips a rule between fields if any field of the object is invalid. This runs the rule if its own fields are valid, so
// that all faults are reported together.
export const ifValid = (fields: z.ZodType) => (payload: { value: unknown }) => fields.safeParse(payload.value).success;

type Dates = Readonly<Record<string, string | null | undefined>>;

/** A strict object with a period, whose end must not be before its start; `prefix` is the prefix of both dates' names. */
export const periodObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape, prefix = '') =>
  datedObject(shape, `${prefix}start_date`, `${prefix}end_date`);

function datedObject<Shape extends z.core.$ZodLooseShape>(shape: Shape, start: string, end: string) {
  return z.strictObject(shape).refine(
    (value) => {
      const { [start]: from, [end]: until } = value as Dates;
      return !from || !until || isOrdered(from, until);
    },
    {
      path: [end],
      error: `must not be before ${start}`,
      when: ifValid(z.object({ [start]: shape[start]!, [end]: shape[end]! })),
    },
  );
}

/** A rule that at least one of some fields is present. */
const withOneOf =
  (...fields: readonly string[]) =>
  (value: object) =>
    fields.some((field) => field in value);

const ownSection = {
  section: NonEmptyText.optional().describe(
    'The title of another section, in which the page and the PDF have the entry instead',
  ),
};

/** The fields of every entry that is printed in a section. */
export const entryShape = { ...ownSection, ...placement };

/** The fields of an entry that only resumes for people have. */
const printedShape = { ...entryShape, ...viewId };

const shapes = backgroundShapes(PrintedDate, placedTexts(NonEmptyText));

const Education = periodObject({ ...shapes.education, ...printedShape }).refine(
  withOneOf('institution', 'area', 'degree'),
  'must have an institution, a degree or an area',
);

const Volunteering = periodObject({ ...shapes.volunteering, ...printedShape }).refine(
  withOneOf('organization', 'role'),
  'must have an organization or a role',
);

const entryObject = periodObject({ ...shapes.sectionEntry, ...placement, ...viewId }).refine(
  withOneOf('text', 'bullet', 'name'),
  'must have a text, a bullet or a name',
);

/** A paragraph may be written as a string. */
const SectionEntry = z.union(
  [NonEmptyText.transform((text): z.output<typeof entryObject> => ({ text })), entryObject],
  'must be a text, or an object with a text, a bullet or a name',
);

const printed = 'On the page and in the PDF only';
const listOf = <Item extends z.ZodType>(item: Item, description: string) =>
  z.array(item).optional().describe(description);
const entriesOf = <Entry extends z.ZodType<{ readonly id?: unknown; readonly in?: unknown }>>(
  entry: Entry,
  description = 'On the page and in the PDF, and served to programs with `background`',
) => hidableEntries(entry).optional().describe(description);

/** The maximum size of the file of a photo. */
export const maxPhotoMebibytes = 2;

type OptionalText = z.ZodOptional<typeof NonEmptyText>;

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
  pdf_url: HttpUrl.optional().describe('Link to a PDF of your own, given out instead of the generated one'),
  email: EmailAddress.optional().describe(printed),
  phone: NonEmptyText.optional().describe(printed),
  links: listOf(z.strictObject({ label: NonEmptyText.optional(), url: HttpUrl }), printed),
  education: entriesOf(Education),
  certifications: entriesOf(datedObject({ ...shapes.certification, ...printedShape }, 'date', 'end_date')),
  languages: entriesOf(z.strictObject({ ...shapes.language, ...printedShape })),
  publications: entriesOf(z.strictObject({ ...shapes.publication, ...printedShape })),
  publication_style: oneOf(
    ['numbered', 'by_year'],
    'Whether publications are numbered, or listed below their years (by_year)',
  ),
  awards: entriesOf(z.strictObject({ ...shapes.award, ...printedShape })),
  volunteer: entriesOf(Volunteering),
  interests: entriesOf(
    z.strictObject({ name: NonEmptyText, keywords: z.array(NonEmptyText).optional(), ...printedShape }),
    printed,
  ),
  references: z
    .strictObject({
      print: z.boolean('must be true or false').default(false).describe('Whether the page and the PDF show them'),
      entries: hidableEntries(
        z.strictObject({
          name: NonEmptyText.optional(),
          reference: NonEmptyText.optional(),
          ...placement,
          ...viewId,
        }),
      ),
    })
    .optional()
    .describe('What others say, or who can be asked; printed with `print: true`, and never served'),
  sections: entriesOf(
    z.strictObject({ title: NonEmptyText, entries: hidableEntries(SectionEntry), ...placement, ...viewId }),
  ),
  order: listOf(
    NonEmptyText,
    `The order of the sections in the PDF and, column by column, on the page: ${sectionKeys.join(', ')}, or titles of your own sections; others follow`,
  ),
  titles: z
    .strictObject(
      Object.fromEntries(titledKeys.map((key) => [key, NonEmptyText.optional()])) as Record<TitledKey, OptionalText>,
    )
    .optional()
    .describe('Your own titles of sections by their keys, such as `experience: Appointments`'),
  experience_order: oneOf(
    ['latest_first', 'as_written'],
    'Whether the page, the PDF and exports have experience by its dates (latest_first, unless it is given) or in the order of this document (as_written); programs always get the latest first',
  ),
  photo: z
    .string('must be a string')
    .regex(
      /^(?!\/|[a-z][a-z\d+.-]*:|.*(^|[\\/])\.\.([\\/]|$)).+\.(jpe?g|png)$/i,
      'must be the path of a JPEG or PNG file in the folder of the profile',
    )
    .optional()
    .describe(`A picture of you: a JPEG or PNG file of up to ${maxPhotoMebibytes} MiB in the folder of this document`),
  language: z
    .string('must be a string')
    .refine(isLanguageTag, 'must be a language tag such as de, de-AT or zh-Hant')
    .optional()
    .describe(
      'The language of headings and months on the page, in the PDF and in exports, as a tag such as de or de-AT; English unless it is given, or if there are no words in it',
    ),
  downloads: listOf(
    z.enum(['pdf', 'docx']),
    'The files of the resume on the page: docx offers one for Word; the PDF is offered always',
  ),
  ...designShape,
  hides: Hides.optional(),
  page_hides: listOf(z.enum(['email', 'phone', 'photo']), 'Older name of `hides.page`'),
});

/** The skills of groups, each once. */
export const skillsIn = (groups: readonly { skills: readonly string[] }[]): string[] => [
  ...new Set(groups.flatMap(({ skills }) => skills)),
];

/** What `hides` says, and `page_hides`, its older name for the page. */
const hidesOf = ({ hides, page_hides: older }: z.output<typeof ResumeFields>) =>
  older === undefined ? hides : { ...hides, page: [...new Set([...older, ...(hides?.page ?? [])])] };

/** The profile document under `resume`. The list of skills is taken from the groups unless it is present. */
export const ResumeDocument = ResumeFields.refine((resume) => 'skills' in resume || 'skill_groups' in resume, {
  path: ['skills'],
  error: 'is required, unless there are skill_groups',
  when: ({ value }) => typeof value === 'object' && value !== null,
}).transform(({ skills, page_hides, ...rest }) => {
  const hides = hidesOf({ page_hides, ...rest });
  return { skills: skills ?? skillsIn(rest.skill_groups ?? []), ...rest, ...(hides && { hides }) };
});
