import { toMonthAndYear } from '../../model/dates.ts';
import { pluralize } from '../../model/pluralize.ts';
import type { Profile } from '../../model/profile-document.ts';

/** Text, or a link with its label. */
export type Span = string | { readonly label?: string | undefined; readonly url: string };

/** A heading and the content below it, from the whole resume down to one role. Missing content is empty. */
export interface Part {
  readonly heading: string;
  /** Dates or tags beside the heading. */
  readonly note: string;
  /** Paragraphs, each of one or more spans. */
  readonly paragraphs: readonly (readonly Span[])[];
  readonly points: readonly string[];
  readonly parts: readonly Part[];
}

/** Arranges a profile in reading order, without empty sections. Markdown and plain text are written from it. */
export function toOutline({ candidate, experience, projects, availability, resume }: Profile): Part {
  const years = candidate.years_experience;
  return part(candidate.name, {
    paragraphs: [
      [candidate.title],
      given(candidate.location, resume.email, resume.phone),
      resume.links ?? [],
      [`${pluralize(years, 'year')} of experience`, availability.status],
      ...toParagraphs(candidate.summary),
    ],
    parts: [
      part('Experience', { parts: experience.map(toExperience) }),
      part('Projects', { parts: projects.map(toProject) }),
      part('Skills', { paragraphs: [listed(resume.skills)] }),
      part('Domains', { paragraphs: [listed(candidate.domains)] }),
      part('Education', { parts: (resume.education ?? []).map(toEducation) }),
      part('Certifications', {
        parts: (resume.certifications ?? []).map(({ name, date, issuer, url }) =>
          part(name, { note: datesOf(date), paragraphs: [given(issuer), linked(url)] }),
        ),
      }),
      part('Languages', {
        paragraphs: [
          listed((resume.languages ?? []).map(({ language, fluency }) => language + (fluency ? ` (${fluency})` : ''))),
        ],
      }),
      part('Publications', {
        parts: (resume.publications ?? []).map(({ name, date, publisher, url, summary }) =>
          part(name, {
            note: datesOf(date),
            paragraphs: [given(publisher), ...toParagraphs(summary ?? ''), linked(url)],
          }),
        ),
      }),
    ].filter(({ paragraphs, parts }) => paragraphs.length > 0 || parts.length > 0),
  });
}

const toExperience = (entry: Profile['experience'][number]): Part =>
  part(entry.company, {
    note: datesOf(entry.company_start_date, entry.company_end_date),
    paragraphs: toParagraphs(entry.summary),
    parts: entry.roles.map((role) =>
      part(role.title, { note: datesOf(role.start_date, role.end_date), points: role.accomplishments }),
    ),
  });

const toProject = ({ name, tags, summary, links: { live, github, details } }: Profile['projects'][number]): Part =>
  part(name, {
    note: (tags ?? []).join(', '),
    paragraphs: [...toParagraphs(summary), ...[live, github, details].map(linked)],
  });

const toEducation = (entry: NonNullable<Profile['resume']['education']>[number]): Part =>
  part(entry.institution, {
    note: datesOf(entry.start_date, entry.end_date),
    paragraphs: [given(entry.degree, entry.area, entry.score), linked(entry.url)],
    points: entry.details ?? [],
  });

const part = (heading: string, { paragraphs = [], ...rest }: Partial<Part>): Part => ({
  heading,
  note: '',
  points: [],
  parts: [],
  ...rest,
  paragraphs: paragraphs.filter((spans) => spans.length > 0),
});

const given = (...texts: (string | undefined)[]) => texts.filter((text) => text !== undefined);
const listed = (texts: readonly string[]) => (texts.length === 0 ? [] : [texts.join(', ')]);
const linked = (url: string | undefined) => (url === undefined ? [] : [{ url }]);
const toParagraphs = (text: string) =>
  text
    .split(/\n+/)
    .filter((line) => /\S/.test(line))
    .map((line) => [line]);

/** Writes dates, which may be as coarse as a year, as `Feb 2020 – present`. Null is the present; undefined is left out. */
const datesOf = (...dates: (string | null | undefined)[]): string =>
  dates.flatMap((date) => (date === undefined ? [] : [date === null ? 'present' : toMonthAndYear(date)])).join(' – ');
