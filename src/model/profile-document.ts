import { z } from 'zod';
import { isOrdered } from './dates.ts';
import { EmailAddress } from './email-address.ts';
import {
  Availability,
  CalendarDate,
  Candidate,
  EndDate,
  Experience,
  HttpUrl,
  Project,
  Resume,
  Role,
} from './profile.ts';

const line = z.string('must be a string').regex(/\S/, 'must not be empty');

/** A date with optional day and month, as printed resumes show it; YAML reads a bare year as a number. */
const printedDate = z.union(
  [CalendarDate, z.string().regex(/^\d{4}(-(0[1-9]|1[0-2]))?$/), z.int().min(1000).max(9999).transform(String)],
  { error: 'must be a date: YYYY-MM-DD, YYYY-MM or YYYY' },
);

const endsInOrder = (start: string, end: string | null) => end === null || isOrdered(start, end);

// Zod skips a rule between fields if any field of the object is invalid. This runs the rule if its own fields are valid, so
// that all faults are found at once.
const ifValid = (fields: z.ZodType) => (payload: { value: unknown }) => fields.safeParse(payload.value).success;

const educationDates = { start_date: printedDate.optional(), end_date: printedDate.nullable().optional() };

const Education = z
  .strictObject({
    institution: line,
    area: line.optional(),
    degree: line.optional(),
    ...educationDates,
    score: line.optional(),
    url: HttpUrl.optional(),
    details: z.array(line).optional(),
  })
  .refine(({ start_date, end_date }) => !start_date || !end_date || isOrdered(start_date, end_date), {
    path: ['end_date'],
    error: 'must not be before start_date',
    when: ifValid(z.object(educationDates)),
  });

const printed = { description: 'Printed in the PDF only' };

const PrintedOnly = z.strictObject({
  pdf_url: HttpUrl.optional().meta({
    description: 'Link to a PDF of your own, given out instead of the generated one',
  }),
  email: EmailAddress.optional().meta(printed),
  phone: line.optional().meta(printed),
  links: z
    .array(z.strictObject({ label: line.optional(), url: HttpUrl }))
    .optional()
    .meta(printed),
  education: z.array(Education).optional().meta(printed),
  certifications: z
    .array(
      z.strictObject({ name: line, issuer: line.optional(), date: printedDate.optional(), url: HttpUrl.optional() }),
    )
    .optional()
    .meta(printed),
  languages: z
    .array(z.strictObject({ language: line, fluency: line.optional() }))
    .optional()
    .meta(printed),
  publications: z
    .array(
      z.strictObject({
        name: line,
        publisher: line.optional(),
        date: printedDate.optional(),
        url: HttpUrl.optional(),
        summary: line.optional(),
      }),
    )
    .optional()
    .meta(printed),
});

const StrictRole = z
  .strictObject({ ...Role.shape, end_date: EndDate.default(null) })
  .refine((role) => endsInOrder(role.start_date, role.end_date), {
    path: ['end_date'],
    error: 'must not be before start_date',
    when: ifValid(Role.pick({ start_date: true, end_date: true })),
  });

const StrictExperience = z
  .strictObject({ ...Experience.shape, company_end_date: EndDate.default(null), roles: z.array(StrictRole) })
  .refine((entry) => endsInOrder(entry.company_start_date, entry.company_end_date), {
    path: ['company_end_date'],
    error: 'must not be before company_start_date',
    when: ifValid(Experience.pick({ company_start_date: true, company_end_date: true })),
  })
  .refine((entry) => entry.current === (entry.company_end_date === null), {
    path: ['current'],
    error: 'must be true exactly when company_end_date is null',
    when: ifValid(Experience.pick({ current: true, company_end_date: true })),
  });

const StrictProject = z.strictObject({
  ...Project.shape,
  links: z.strictObject(Project.shape.links.shape).default({}),
});

const withUniqueIds = <Item extends z.ZodType<{ id: string }>>(item: Item) =>
  z.array(item).superRefine(
    (items: readonly ({ id?: unknown } | null | undefined)[], context) => {
      const seen = new Set<string>();
      for (const [index, item] of items.entries()) {
        if (typeof item?.id !== 'string') continue;
        if (seen.has(item.id))
          context.addIssue({ code: 'custom', path: [index, 'id'], message: 'must be unique, another has this id' });
        seen.add(item.id);
      }
    },
    // Runs although entries are invalid otherwise.
    { when: ({ value }) => Array.isArray(value) },
  );

/**
 * The document that the owner edits: the specification's fields, and fields that only the printed resume has under `resume`
 * (interface, The profile document). Unknown keys are faults.
 */
export const Profile = z.strictObject({
  $schema: z.string().optional(),
  owner_email: EmailAddress.optional().meta({ description: 'Where notices go; OWNER_EMAIL overrides it' }),
  candidate: z.strictObject(Candidate.shape).meta({ description: 'Who you are' }),
  experience: withUniqueIds(StrictExperience).meta({ description: 'One entry a company; shown newest first' }),
  projects: withUniqueIds(StrictProject).meta({ description: 'Shown in this order' }),
  availability: z.strictObject(Availability.shape).meta({ description: 'Whether you can be approached' }),
  resume: z
    .strictObject({ skills: Resume.shape.skills, ...PrintedOnly.shape })
    .meta({ description: 'What the resume shows besides' }),
  public: z
    .array(Candidate.keyof())
    .default(['name', 'title'])
    .meta({ description: 'Which candidate fields may be shown without a token' }),
  accent: z
    .string('must be a string')
    .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as "#0b5d6b", in quotes')
    .optional()
    .meta({
      description: 'The colour of links and buttons on the pages, such as "#0b5d6b"; darkened if it is hard to read',
    }),
});
export type Profile = z.infer<typeof Profile>;
