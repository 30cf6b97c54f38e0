import { readLetter } from 'resume-documents/letter';
import { openResumeRenderer, type PdfStyle } from 'resume-documents/pdf/resume-pdf';
import type { Profile } from 'resume-profile/profile-document';
import { getDocumentProxy } from 'unpdf';
import { readProfile, samplePath } from '../../../resume-profile/test/documents.ts';

export const sample = readProfile(samplePath).profile!;

/** The sample under another name. */
export const called = (name: string): Profile => ({ ...sample, candidate: { ...sample.candidate, name } });

export const letter = readLetter(
  `---
to: |
  Ms Jo Roe
  Northwind, Inc.
subject: Application as engineer
date: 2026-11-23
---

Dear Ms Roe,

- first
- second

Kind regards,
`,
  'en',
).letter!;

/** The style of a resume without any settings. */
export const plain: PdfStyle = { theme: 'classic', paper: 'a4', template: undefined, fontDir: undefined };

/** Reads a PDF back: its pages, with their links and lines, and its text with white space collapsed. */
export async function readPdf(bytes: Uint8Array) {
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const pages = await Promise.all(
    Array.from({ length: pdf.numPages }, async (_, index) => {
      const page = await pdf.getPage(index + 1);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
      const links = (await page.getAnnotations()).map(({ url }) => url as string);
      return { page, links, lines: text.split('\n').map((line) => line.trim().replace(/\s+/g, ' ')) };
    }),
  );
  const text = pages.flatMap(({ lines }) => lines).join(' ');
  return { pdf, pages, text };
}

/** Returns what renders a profile and reads the PDF back. */
export function rendererOf(style: Partial<PdfStyle> = {}) {
  const render = openResumeRenderer({ ...plain, ...style });
  return async (profile: Profile, json = '{}') => {
    const { pdf: bytes, missingGlyphs } = await render(profile, json);
    return { bytes, missingGlyphs, ...(await readPdf(bytes)) };
  };
}
