import { Resume, ResumeLink } from 'resume-profile/profile';
import type { Profile } from 'resume-profile/profile-document';
import { z } from 'zod';
import { Failure } from '../model/failure.ts';
import { experienceOf } from './experience.ts';
import { operation } from './operation.ts';

export const getResume = operation({
  name: 'get_resume',
  title: 'Get resume',
  summary: 'The resume, as structured JSON or as a link to a PDF.',
  description:
    'Use format json (the default) to read the resume: name, title, experience (without ids and summaries) and skills, which no other tool returns. Use format pdf to get the URL of a printable PDF for a person to open: it needs no token, whoever has it can open it, and it may expire, so ask again rather than keep it. A file: URL opens on this machine alone.',
  kind: 'read',
  access: 'bearer',
  rest: { method: 'GET', path: '/resume' },
  resources: [
    { path: 'resume/json', title: 'Resume JSON', description: 'Structured resume', input: { format: 'json' } },
    {
      path: 'resume/pdf',
      title: 'Resume PDF Link',
      description: 'JSON payload containing the resume PDF URL, which may expire',
      input: { format: 'pdf' },
    },
  ],
  hasCard: true,
  input: z.object({
    format: z
      .enum(['json', 'pdf'], 'must be json or pdf')
      .default('json')
      .describe('json = the structured resume, pdf = a link to the PDF'),
  }),
  output: z.union([Resume, ResumeLink]),
  item: ({ format }) => (format === 'pdf' ? 'pdf' : null),
  handle: ({ format }, { profile, resumeUrl }) => (format === 'pdf' ? linkTo(resumeUrl) : resumeOf(profile)),
});

/** Throws `UNAVAILABLE` if the URL is null. */
export function linkTo(url: string | null): ResumeLink {
  if (url === null) throw new Failure('UNAVAILABLE', 'The resume cannot be printed. Use format json to read it.');
  return { url };
}

const resumeOf = (profile: Profile): z.input<typeof Resume> => ({
  name: profile.candidate.name,
  title: profile.candidate.title,
  experience: experienceOf(profile),
  skills: profile.resume.skills,
});

/** The JSON of `GET /resume`, byte for byte, which is attached to the PDF. */
export const resumeJsonOf = (profile: Profile): string => JSON.stringify(Resume.parse(resumeOf(profile)));
