import { yearsCovered } from 'resume-profile/dates';
import { Candidate } from 'resume-profile/profile';
import type { Profile } from 'resume-profile/profile-document';
import { z } from 'zod';
import { operation } from './operation.ts';
import type { Edition } from './ports.ts';

export const getCandidate = operation({
  name: 'get_candidate',
  title: 'Get candidate',
  summary: 'The top-level profile of the candidate.',
  description:
    'Start here to learn who the candidate is. Returns name, title, location, summary, years of experience and domains. For jobs, projects and skills use list_experience, list_projects and get_resume.',
  kind: 'read',
  access: 'bearer',
  rest: { method: 'GET', path: '/candidate' },
  resources: [{ path: 'candidate', title: 'Candidate', description: 'Top-level profile' }],
  hasCard: true,
  input: z.object({}),
  output: Candidate,
  handle: (_input, edition) => candidateOf(edition),
});

/** Returns the candidate with the years of experience, which the profile need not state. */
export const candidateOf = ({ profile, today }: Pick<Edition, 'profile' | 'today'>): Candidate => ({
  ...profile.candidate,
  years_experience: yearsOf(profile, today),
});

/** The years of experience as the profile states them; otherwise the years that its roles cover, at most 100. */
function yearsOf({ candidate, experience }: Profile, today: string): number {
  const spans = experience.flatMap(({ roles, company_start_date, company_end_date }) =>
    roles.length > 0
      ? roles.map(({ start_date, end_date }) => ({ from: start_date, until: end_date }))
      : [{ from: company_start_date, until: company_end_date }],
  );
  return candidate.years_experience ?? Math.min(Math.round(yearsCovered(spans, today)), 100);
}
