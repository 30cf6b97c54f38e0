import { getDocumentProxy } from 'unpdf';
import { openResumePdf, type PdfStyle } from '../../src/adapters/pdf/resume-pdf.ts';
import { readProfile } from '../../src/adapters/profile/profile-file.ts';
import type { Profile } from '../../src/model/profile-document.ts';
import { samplePath } from '../../src/service/config.ts';

export const sample = readProfile(samplePath).profile!;

/** The sample under another name. */
export const called = (name: string): Profile => ({ ...sample, candidate: { ...sample.candidate, name } });

/** How a resume is printed unless something is said. */
export const plain: PdfStyle = { theme: 'classic', paper: 'a4', template: undefined, fontDir: undefined };

/** Prints and reads what is printed as a reader would, every white space as one blank. */
export function printerOf(style: Partial<PdfStyle> = {}) {
  const print = openResumePdf({ ...plain, ...style });
  return async (profile: Profile, json = '{}') => {
    const { pdf: bytes, unprintable } = await print(profile, json);
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
    return { bytes, unprintable, pdf, pages, text };
  };
}
