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
  const url = (of: string) => `https://${mark}.example.net/${of}`;
  const start = `190${salt}-01-02`;
  const end = `191${salt}-03-04`;
  const hidden = {
    id: `${mark}-id`,
    name: text('name'),
    title: text('title'),
    location: text('location'),
    summary: text('summary'),
    years_experience: 50 + salt,
    domains: [text('domain')],
  };
  const view = `${mark}-view`;
  const placed = { in: [view] };
  const placedText = (of: string) => ({ text: text(of), ...placed });
  const inSection = { section: text('section of an entry'), ...placed };
  const role = {
    title: text('role'),
    summary: text('summary of the role'),
    location: text('place of the role'),
    start_date: start,
    accomplishments: [placedText('accomplishment')],
  };
  const period = { start_date: start, end_date: end };
  const profile = {
    owner_email: `${mark}@example.net`,
    candidate: Object.fromEntries(
      candidateFields.map((field) => [field, open.includes(field) ? published[field] : hidden[field]]),
    ),
    experience: [
      {
        id: `${mark}-now`,
        ...inSection,
        company: text('company'),
        company_start_date: start,
        current: true,
        summary: text('at the company'),
        location: text('place of the company'),
        url: url('company'),
        roles: [role],
      },
      {
        id: `${mark}-past`,
        ...inSection,
        company: text('former company'),
        company_start_date: start,
        company_end_date: end,
        current: false,
        summary: text('at the former company'),
        location: text('place of the former company'),
        url: url('former-company'),
        roles: [{ ...role, end_date: end }],
      },
    ],
    projects: [
      {
        id: `${mark}-project`,
        ...inSection,
        name: text('project'),
        summary: text('about the project'),
        tags: [text('tag')],
        links: { github: url('github'), live: url('live'), details: url('details') },
        role: text('part in the project'),
        ...period,
        highlights: [placedText('highlight')],
      },
    ],
    availability: { status: text('status') },
    resume: {
      skills: [text('skill')],
      // A PDF of the owner's, or ours.
      ...(salt % 2 === 1 && { pdf_url: url('resume.pdf') }),
      email: `${mark}@example.com`,
      phone: text('phone'),
      links: [{ label: text('label'), url: url('link') }],
      education: [
        {
          institution: text('institution'),
          ...inSection,
          area: text('area'),
          degree: text('degree'),
          location: text('place of the institution'),
          ...period,
          score: text('score'),
          url: url('education'),
          details: [placedText('detail')],
        },
      ],
      certifications: [
        {
          name: text('certificate'),
          ...inSection,
          issuer: text('issuer'),
          date: start,
          url: url('certificate'),
          summary: text('of the certificate'),
        },
      ],
      languages: [{ ...inSection, language: text('language'), fluency: text('fluency') }],
      skill_groups: [
        { section: inSection.section, name: text('group'), level: text('level'), skills: [text('grouped skill')] },
      ],
      awards: [
        {
          title: text('award'),
          ...inSection,
          awarder: text('awarder'),
          date: start,
          url: url('award'),
          summary: text('of the award'),
        },
      ],
      volunteer: [
        {
          organization: text('charity'),
          ...inSection,
          role: text('helper'),
          location: text('place of the charity'),
          ...period,
          url: url('charity'),
          summary: text('at the charity'),
          highlights: [placedText('helped')],
        },
      ],
      interests: [{ ...inSection, name: text('interest'), keywords: [text('keyword')] }],
      references: { print: true, entries: [{ name: text('referee'), reference: text('reference'), ...placed }] },
      sections: [
        {
          title: text('section'),
          ...placed,
          entries: [
            text('paragraph'),
            placedText('own paragraph'),
            { bullet: text('bullet') },
            { name: text('entry'), details: text('more') },
            {
              name: text('dated entry'),
              organization: text('organization'),
              location: text('place of the entry'),
              date: start,
              url: url('entry'),
              summary: text('about the entry'),
              highlights: [placedText('further line')],
            },
            { name: text('entry of a period'), ...period },
          ],
        },
      ],
      titles: Object.fromEntries(titledKeys.map((key) => [key, text(`title of ${key}`)])),
      photo: `${mark}.jpg`,
      publications: [
        {
          name: text('publication'),
          ...inSection,
          authors: [text('author')],
          publisher: text('publisher'),
          date: start,
          url: url('publication'),
          summary: text('abstract'),
        },
      ],
    },
    background: true,
    evidence: true,
    // Not beside a PDF of the owner's.
    ...(salt % 2 === 0 && {
      views: { [view]: { title: text('title in a view'), summary: text('summary in a view'), hide: [`${mark}-id`] } },
    }),
    notes: [text('notes')],
    public: open,
  };
  return { profile, secrets: [mark, start, end] };
}
