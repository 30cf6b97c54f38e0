import { Background } from 'resume-profile/background';
import { Candidate, Experience, Project, ResumeLink } from 'resume-profile/profile';
import type { Profile } from 'resume-profile/profile-document';
import { z } from 'zod';
import { backgroundOf, getBackground } from './background.ts';
import { candidateOf } from './candidate.ts';
import { experienceOf } from './experience.ts';
import { offeredIn, operation } from './operation.ts';
import type { Edition } from './ports.ts';
import { linkTo } from './resume.ts';

// The actions of a visitor on the page at `/`, as the reader's record names them. No surface offers these: the address of
// the page calls them, to be admitted, limited and recorded as every call is.

const ofPage = {
  description: 'Called by the page of the profile alone.',
  access: 'bearer',
  input: z.object({}),
} as const;

export const pageRead = operation({
  ...ofPage,
  name: 'page',
  title: 'Open the page',
  summary: 'Opens the page with the profile.',
  kind: 'read',
  rest: { method: 'GET', path: '/' },
  output: z.null(),
  handle: () => null,
});

export const pdfRead = operation({
  ...ofPage,
  name: 'pdf',
  title: 'Download the PDF',
  summary: 'Leads from the page to the resume PDF.',
  kind: 'read',
  rest: { method: 'GET', path: '/profile/pdf' },
  output: ResumeLink,
  item: () => 'pdf',
  handle: (_input, { resumeUrl }) => linkTo(resumeUrl),
});

export const docxRead = operation({
  ...ofPage,
  name: 'docx',
  title: 'Download as Word',
  summary: 'Leads from the page to the resume as a document of Word.',
  kind: 'read',
  rest: { method: 'GET', path: '/profile/docx' },
  output: z.null(),
  item: () => 'docx',
  handle: () => null,
});

export const markdownRead = operation({
  ...ofPage,
  name: 'markdown',
  title: 'Read as Markdown',
  summary: 'Reads the profile as Markdown, at the address of the page.',
  description: 'Called by a program that asks for the page as Markdown.',
  kind: 'read',
  rest: { method: 'GET', path: '/' },
  output: z.custom<Profile>(),
  handle: (_input, edition) => toServed(edition),
});

/** Returns a profile with only the fields that the operations answer with, because a program reads it. */
function toServed(edition: Edition): Profile {
  const { profile } = edition;
  const { skills, language, order } = profile.resume;
  const [background] = offeredIn([getBackground], profile);
  return {
    ...profile,
    candidate: Candidate.parse(candidateOf(edition)),
    experience: z.array(Experience).parse(experienceOf(profile)) as Profile['experience'],
    projects: z.array(Project).parse(profile.projects),
    resume: {
      skills,
      ...(language !== undefined && { language }),
      ...(order !== undefined && { order }),
      ...(background !== undefined && Background.parse(backgroundOf(profile))),
    },
  };
}
