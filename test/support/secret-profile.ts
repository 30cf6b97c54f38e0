import type { Candidate } from 'resume-profile/profile';
import { titledKeys } from 'resume-profile/resume-section';

type Field = keyof Candidate;

/** The fields that `public` may list. */
export const candidateFields = [
  'id',
  'name',
  'title',
  'location',
  'summary',
  'years_experience',
  'domains',
] as const satisfies readonly Field[];

/** The values of the fields, if they are public. */
const published = {
  id: 'shown-id',
  name: 'Shown Name',
  title: 'Shown title',
  location: 'Shown location',
  summary: 'Shown summary.',
  years_experience: 17,
  domains: ['Shown domain'],
};

/**
 * A profile with a secret in every field that is not public, and the texts that its secrets are found by. `salt` is a digit: profiles
 * with different ones differ in every field that is not public, and in no other.
 */
export function secretProfile(open: readonly Field[], salt: number) {
  const mark = `zqsecret${salt}`;
  const text = (of: string) => `${mark} ${of}`;
  /** A secret for each field of an entry. */
  const textsOf = (entry: string, ...fields: readonly string[]) =>
    Object.fromEntries(fields.map((field) => [field, text(`${field} of ${entry}`)]));
  const url = (of: string) => `https://${mark}.example.net/${of}`;
  const start = `190${salt}-01-02`;
  const end = `191${salt}-03-04`;
  const hidden = {
    ...textsOf('candidate', 'name', 'title', 'location', 'summary'),
    ...{ id: `${mark}-id`, years_experience: 50 + salt, domains: [text('domain')] },
  } as Record<Field, unknown>;
  const view = `${mark}-view`;
  const placed = { in: [view] };
  const hidable = { ...placed, id: `${mark}-hidden` };
  const placedText = (of: string) => ({ text: text(of), ...hidable });
  const inSection = { section: text('section of an entry'), ...placed };
  const period = { start_date: start, end_date: end };
  /** A job, which goes on unless it has an end. */
  const job = (name: string, last: object) => ({
    ...{ id: `${mark}-${name}`, ...inSection, ...textsOf(name, 'company', 'summary', 'location'), url: url(name) },
    company_start_date: start,
    ...('end_date' in last ? { company_end_date: end, current: false } : { current: true }),
    roles: [
      {
        ...{ id: hidable.id, ...textsOf(`role ${name}`, 'title', 'summary', 'location') },
        ...{ start_date: start, ...last, accomplishments: [placedText('accomplishment')] },
      },
    ],
  });
  const project = {
    ...{ id: `${mark}-project`, ...inSection, ...textsOf('project', 'name', 'summary', 'role'), tags: [text('tag')] },
    links: { github: url('github'), live: url('live'), details: url('details') },
    ...{ ...period, highlights: [placedText('highlight')] },
  };
  const background = {
    education: {
      ...textsOf('education', 'institution', 'area', 'degree', 'location', 'score'),
      ...{ ...inSection, ...period, url: url('education'), details: [placedText('detail')] },
    },
    certifications: {
      ...textsOf('certificate', 'name', 'issuer', 'summary'),
      ...{ ...inSection, date: start, end_date: '2019-05', url: url('certificate') },
    },
    languages: { ...inSection, ...textsOf('language', 'language', 'fluency') },
    skill_groups: { section: inSection.section, ...textsOf('group', 'name', 'level'), skills: [text('grouped skill')] },
    awards: { ...inSection, ...textsOf('award', 'title', 'awarder', 'summary'), date: start, url: url('award') },
    volunteer: {
      ...textsOf('charity', 'organization', 'role', 'location', 'summary'),
      ...{ ...inSection, ...period, url: url('charity'), highlights: [placedText('helped')] },
    },
    interests: { ...inSection, name: text('interest'), keywords: [text('keyword')] },
    publications: {
      ...textsOf('publication', 'name', 'publisher', 'summary'),
      ...{ ...inSection, authors: [text('author')], date: start, url: url('publication') },
    },
    sections: {
      title: text('section'),
      ...hidable,
      entries: [
        ...[text('paragraph'), placedText('own paragraph'), { bullet: text('bullet') }],
        ...[textsOf('entry', 'name', 'details'), { name: text('entry of a period'), ...period }],
        {
          ...textsOf('dated entry', 'name', 'organization', 'location', 'summary'),
          ...{ date: start, url: url('entry'), highlights: [placedText('further line')] },
        },
      ],
    },
  };
  const profile = {
    owner_email: `${mark}@example.net`,
    candidate: Object.fromEntries(
      candidateFields.map((field) => [field, open.includes(field) ? published[field] : hidden[field]]),
    ),
    experience: [job('now', {}), job('past', { end_date: end })],
    projects: [project],
    availability: { status: text('status') },
    resume: {
      skills: [text('skill')],
      // A PDF of the owner's, or ours.
      ...(salt % 2 === 1 && { pdf_url: url('resume.pdf') }),
      ...{ email: `${mark}@example.com`, phone: text('phone'), links: [{ label: text('label'), url: url('link') }] },
      ...Object.fromEntries(
        Object.entries(background).map(([key, entry]) => [
          key,
          [key === 'skill_groups' ? entry : { ...entry, id: hidable.id }],
        ]),
      ),
      references: { print: true, entries: [{ ...textsOf('referee', 'name', 'reference'), ...hidable }] },
      titles: Object.fromEntries(titledKeys.map((key) => [key, text(`title of ${key}`)])),
      photo: `${mark}.jpg`,
    },
    background: true,
    evidence: true,
    // Not beside a PDF of the owner's.
    ...(salt % 2 === 0 && { views: { [view]: { ...textsOf('view', 'title', 'summary'), hide: [`${mark}-id`] } } }),
    notes: [text('notes')],
    public: open,
  };
  return { profile, secrets: [mark, start, end] };
}
