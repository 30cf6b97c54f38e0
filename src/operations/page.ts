import { z } from 'zod';
import { ResumeLink } from '../model/profile/profile.ts';
import { operation } from './operation.ts';
import { linkTo } from './resume.ts';

// The actions of a visitor on the page at `/`, as the reader's record names them. No surface offers these: the page itself
// calls them, to be admitted, limited and recorded as every call is.

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
