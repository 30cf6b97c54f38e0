import { z } from 'zod';

/** A calendar date, `YYYY-MM-DD` (specification, Resources and their fields). */
export const CalendarDate = z.iso.date('must be a date that exists, YYYY-MM-DD');

const text = (description: string) =>
  z.string('must be a string').regex(/\S/, 'must not be empty').meta({ description, minLength: 1 });

/** An object with a name in the documents that describe the service. */
export const named = <Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) => z.object(shape).meta({ id });

/** A text that is empty if there is nothing to say (answers, Data). */
const optionalText = (description: string) =>
  z
    .string('must be a string')
    .regex(/^$|\S/, 'must not be blank; write "" if there is nothing to say')
    .describe(description);

const id = (use: string) =>
  z
    .string('must be a string')
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._~-]{0,99}$/,
      'must be 1 to 100 of the characters A-Z a-z 0-9 . _ ~ -, a letter or digit first',
    )
    .describe(`Stable identifier, ${use}`);

/** An end date, null if current. */
export const EndDate = CalendarDate.nullable().describe('null while current');

/** The top-level profile (specification, Candidate). */
export const Candidate = named('Candidate', {
  id: id('by which two answers can be told to be about the same candidate'),
  name: optionalText('Display name'),
  title: optionalText('Primary professional title'),
  location: optionalText('Current location or region'),
  summary: optionalText('Short professional summary'),
  years_experience: z
    .int('must be a whole number')
    .min(0, 'must be 0 or more')
    .max(100, 'must be at most 100')
    .describe('Approximate years of professional experience'),
  domains: z.array(text('One area of expertise or industry')).describe('Areas of expertise or industries'),
});
export type Candidate = z.infer<typeof Candidate>;

/** A role at a company (specification, Role). */
export const Role = named('Role', {
  title: optionalText('Role title'),
  start_date: CalendarDate.describe('Start of the role'),
  end_date: EndDate.optional(),
  accomplishments: z
    .array(text('One accomplishment or responsibility'))
    .describe('Representative accomplishments or responsibilities'),
});
export type Role = z.infer<typeof Role>;

/** The experience at one company, with its roles (specification, Experience entry). */
export const Experience = named('Experience', {
  id: id('by which the entry can be asked for'),
  company: optionalText('Company or organization name'),
  company_start_date: CalendarDate.describe('Date the candidate started with the company'),
  company_end_date: EndDate.optional(),
  current: z.boolean('must be true or false').describe('Whether this is a current company'),
  summary: optionalText('Short summary of the work done at the company'),
  roles: z.array(Role).describe('Roles held at the company'),
});
export type Experience = z.infer<typeof Experience>;

const uri = /^(?!.*#.*#)(?:[\w.~:/?#@!$&'()*+,;=-]|%[\da-f]{2})+$/i;

/** An http or https URL in the characters of RFC 3986; strict MCP clients refuse a whole result because of any other URL. */
export const HttpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .refine((text) => uri.test(text), 'must be in ASCII, all else percent-encoded');

/** Adds `https://` to an address that lacks it; null if the text does not begin with a host name. */
export const withScheme = (text: string): string | null =>
  /^(\/\/)?(?=[^\s:/?#@]+\.[^\s:/?#@]{2})[^\s:/?#@]+(:\d+)?([/?#]\S*)?$/.test(text)
    ? `https://${text.replace(/^\/\//, '')}`
    : null;

/** The fields of a project in the list (specification, Project summary). */
export const ProjectSummary = named('ProjectSummary', {
  id: id('by which the project can be asked for'),
  name: optionalText('Project name'),
  summary: optionalText('Short summary of what the project is or does'),
});
export type ProjectSummary = z.infer<typeof ProjectSummary>;

/** A project with its tags and links (answers, Data). */
export const Project = named('Project', {
  ...ProjectSummary.shape,
  tags: z.array(text('One tag')).optional().describe('Technologies or topics'),
  links: z.object({
    github: HttpUrl.optional().describe('Its source'),
    live: HttpUrl.optional().describe('The thing itself'),
    details: HttpUrl.optional().describe('More about it'),
  }),
});
export type Project = z.infer<typeof Project>;

/** Contact availability; `status` is a free string (specification, Availability). */
export const Availability = named('Availability', {
  status: optionalText('Current availability, a free string such as "open to opportunities"'),
});
export type Availability = z.infer<typeof Availability>;

const ResumeExperience = Experience.omit({ id: true, summary: true }).meta({ id: 'ResumeExperience' });

/** The structured resume, derived from the profile (specification, Resume, structured form). */
export const Resume = named('Resume', {
  name: optionalText('Display name on the resume'),
  title: optionalText('Primary title on the resume'),
  experience: z.array(ResumeExperience),
  skills: z.array(text('One skill')).describe('Core skills'),
});
export type Resume = z.infer<typeof Resume>;

/** The URL of the resume PDF, absolute (specification, Resume, PDF form). */
export const ResumeLink = named('ResumeLink', {
  url: z.url().describe('Absolute URL of a downloadable PDF of the resume'),
});
export type ResumeLink = z.infer<typeof ResumeLink>;
