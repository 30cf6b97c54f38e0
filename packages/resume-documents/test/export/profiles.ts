import type { Profile } from 'resume-profile/profile-document';
import { everySectionPath, fixture, readProfile, samplePath } from '../../../resume-profile/test/documents.ts';

export const sample = readProfile(samplePath).profile!;
export const whole = readProfile(everySectionPath).profile!;
export const small = readProfile(fixture('profile.yaml')).profile!;

/** Edge cases: an entry longer than its roles, one without roles, coarse and missing dates, a link without a label after one with. */
export const awkward: Profile = {
  ...small,
  experience: [
    {
      ...small.experience[0]!,
      roles: [{ title: 'Lead', start_date: '2019-01-01', end_date: '2020-12-31', accomplishments: [] }],
    },
    { ...small.experience[1]!, roles: [] },
  ],
  projects: [{ id: 'proj', name: 'P', summary: 'S', links: { details: 'https://p.example/%C3%A4' } }],
  resume: {
    skills: [],
    email: 'tess@example.org',
    links: [{ label: 'Blog', url: 'https://blog.example.org' }, { url: 'https://example.org' }],
    education: [
      { institution: 'U', start_date: '2001', end_date: null },
      { institution: 'V', end_date: '2003-05', details: ['Thesis'] },
    ],
    certifications: [{ name: 'C', date: '2019' }],
    publications: [{ name: 'Paper', date: '2019-02', url: 'https://example.org/paper' }],
  },
};
