import { z } from 'zod';
import { EmailAddress } from './email-address.ts';
import { Availability, CalendarDate, Candidate, EndDate, Experience, Project, Resume, Role } from './profile.ts';

const line = z.string('must be a string').regex(/\S/, 'must not be empty');
const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** A date as coarse as a printed resume may show it: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
const printedDate = z.union([CalendarDate, z.string().regex(/^\d{4}(-(0[1-9]|1[0-2]))?$/)], {
  error: 'must be a date, YYYY, YYYY-MM or YYYY-MM-DD',
});

const PrintedOnly = z.strictObject({
  pdf_url: url.optional().meta({ description: 'Link to a PDF of your own, given out instead of the generated one' }),
  email: EmailAddress.optional().meta({ description: 'Printed in the PDF only' }),
  phone: line.optional(),
  links: z.array(z.strictObject({ label: line.optional(), url })).optional(),
  education: z
    .array(
      z.strictObject({
        institution: line,
        area: line.optional(),
        degree: line.optional(),
        start_date: printedDate.optional(),
        end_date: printedDate.nullable().optional(),
        score: line.optional(),
        url: url.optional(),
        details: z.array(line).optional(),
      }),
    )
    .optional(),
  certifications: z
    .array(z.strictObject({ name: line, issuer: line.optional(), date: printedDate.optional(), url: url.optional() }))
    .optional(),
  languages: z.array(z.strictObject({ language: line, fluency: line.optional() })).optional(),
  publications: z
    .array(
      z.strictObject({
        name: line,
        publisher: line.optional(),
        date: printedDate.optional(),
        url: url.optional(),
        summary: line.optional(),
      }),
    )
    .optional(),
});

const isOrdered = (start: string, end: string | null) => end === null || start <= end;

const StrictRole = z
  .strictObject({ ...Role.shape, end_date: EndDate.default(null) })
  .refine((role) => isOrdered(role.start_date, role.end_date), {
    path: ['end_date'],
    error: 'must not be before start_date',
  });

const StrictExperience = z
  .strictObject({ ...Experience.shape, company_end_date: EndDate.default(null), roles: z.array(StrictRole) })
  .refine((entry) => isOrdered(entry.company_start_date, entry.company_end_date), {
    path: ['company_end_date'],
    error: 'must not be before company_start_date',
  })
  .refine((entry) => entry.current === (entry.company_end_date === null), {
    path: ['current'],
    error: 'must be true exactly when company_end_date is null',
  });

const StrictProject = z.strictObject({
  ...Project.shape,
  links: z.strictObject(Project.shape.links.shape).default({}),
});

const withUniqueIds = <Item extends z.ZodType<{ id: string }>>(item: Item) =>
  z.array(item).superRefine((items, context) => {
    const seen = new Set<string>();
    for (const [index, { id }] of items.entries()) {
      if (seen.has(id))
        context.addIssue({ code: 'custom', path: [index, 'id'], message: 'must be unique, another entry has this id' });
      seen.add(id);
    }
  });

/**
 * The document the owner edits: the specification's fields, and under `resume` what only a printed resume needs
 * (interface, The profile document). Every unknown key is a fault.
 */
export const Profile = z.strictObject({
  $schema: z.string().optional(),
  owner_email: EmailAddress.optional().meta({ description: 'Where notices go; OWNER_EMAIL overrides it' }),
  candidate: z.strictObject(Candidate.shape),
  experience: withUniqueIds(StrictExperience),
  projects: withUniqueIds(StrictProject),
  availability: z.strictObject(Availability.shape),
  resume: z.strictObject({ skills: Resume.shape.skills, ...PrintedOnly.shape }),
  public: z
    .array(Candidate.keyof())
    .default(['name', 'title'])
    .meta({ description: 'Which candidate fields may be shown without a token' }),
});
export type Profile = z.infer<typeof Profile>;
