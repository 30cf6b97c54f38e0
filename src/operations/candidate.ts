import { z } from 'zod';
import { Candidate } from '../model/profile/profile.ts';
import { operation } from './operation.ts';

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
  input: z.object({}),
  output: Candidate,
  handle: (_input, { profile }) => profile.candidate,
});
