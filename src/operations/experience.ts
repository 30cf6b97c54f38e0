import { byLatestEnd, toCompletedPeriod } from 'resume-profile/dates';
import { Experience, type Role } from 'resume-profile/profile';
import type { Profile } from 'resume-profile/profile-document';
import { z } from 'zod';
import { Failure } from '../model/failure.ts';
import { operation } from './operation.ts';

export const listExperience = operation({
  name: 'list_experience',
  title: 'List experience',
  summary:
    'Experience entries, one per company, ongoing ones first, then by latest end; optionally only current or only past ones.',
  description:
    'Use it to see where the candidate has worked. Returns every entry in full, one per company, ongoing ones first, then by latest end: id, dates, summary and roles with accomplishments; a null end date means ongoing. Set current to true for present companies only, to false for past ones only.',
  kind: 'read',
  access: 'bearer',
  rest: { method: 'GET', path: '/experience' },
  resources: [{ path: 'experience', title: 'Experience', description: 'All experience entries' }],
  hasCard: true,
  input: z.object({
    current: z
      .boolean('must be true or false')
      .optional()
      .describe('true = current entries only, false = past entries only, absent = all'),
  }),
  output: z.array(Experience),
  handle: ({ current }, { profile }) =>
    experienceOf(profile).filter((entry) => current === undefined || entry.current === current),
});

export const getExperience = operation({
  name: 'get_experience',
  title: 'Get experience',
  summary: 'One experience entry by its id.',
  description:
    'Use it to read one entry whose id you already know; list_experience returns the same entries, all of them in full. The id is one that list_experience returned.',
  kind: 'read',
  access: 'bearer',
  rest: { method: 'GET', path: '/experience/{id}' },
  input: z.object({ id: idOf('list_experience') }),
  output: Experience,
  item: ({ id }) => id,
  handle: ({ id }, { profile }) => findById(experienceOf(profile), id),
});

/** The latest experience first, with whole dates. A role's summary becomes its first accomplishment (specification). */
export const experienceOf = ({ experience }: Profile): Experience[] =>
  experience
    .map((entry) => ({ entry, span: { from: entry.company_start_date, until: entry.company_end_date } }))
    .sort((one, other) => byLatestEnd(one.span, other.span))
    .map(({ entry, span }) => {
      const { from: company_start_date, until: company_end_date } = toCompletedPeriod(span);
      return { ...entry, company_start_date, company_end_date, roles: entry.roles.map(toServedRole) };
    });

function toServedRole({ start_date, end_date, summary, accomplishments, ...role }: WrittenRole): Role {
  const { from, until } = toCompletedPeriod({ from: start_date, until: end_date });
  return {
    ...role,
    start_date: from,
    end_date: until,
    accomplishments: summary === undefined ? accomplishments : [summary, ...accomplishments],
  };
}

type WrittenRole = Profile['experience'][number]['roles'][number];

export function idOf(list: string) {
  return z
    .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
    .describe(`An id returned by ${list}`);
}

export function findById<Item extends { id: string }>(items: readonly Item[], id: string): Item {
  const found = items.find((item) => item.id === id);
  if (!found) throw new Failure('NOT_FOUND');
  return found;
}
