import { z } from 'zod';
import { ResumeLink } from '../model/profile/profile.ts';
import { operation } from './operation.ts';
import { linkTo } from './resume.ts';

// The actions of a visitor on the page at `/`, as the reader's record names them. No surface offers these: the page itself
// calls them, to be admitted, limited and recorded as every call is.

export const pageRead = operation({
  name: 'page',
  title: 'Open the page',
  summary: 'Opens the page with the profile.',
  description: 'Called by the page of the profile alone.',
  kind: 'read',
  access: 'bearer',
  rest: { method: 'GET', path: '/' },
  input: z.object({}),
  output: z.null(),
  handle: () => null,
});

export const pdfRead = operation({
  name: 'pdf',
  title: 'Download the PDF',
  summary: 'Leads from the page to the resume PDF.',
  description: 'Called by the page of the profile alone.',
  kind: 'read',
  access: 'bearer',
  rest: { method: 'GET', path: '/profile/pdf' },
  input: z.object({}),
  output: ResumeLink,
  item: () => 'pdf',
  handle: (_input, { resumeUrl }) => linkTo(resumeUrl),
});

export const docxRead = operation({
  name: 'docx',
  title: 'Download as Word',
  summary: 'Leads from the page to the resume as a document of Word.',
  description: 'Called by the page of the profile alone.',
  kind: 'read',
  access: 'bearer',
  rest: { method: 'GET', path: '/profile/docx' },
  input: z.object({}),
  output: z.null(),
  item: () => 'docx',
  handle: () => null,
});
