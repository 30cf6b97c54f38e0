import { readFileSync } from 'node:fs';
import { toDocx } from 'resume-documents/docx/resume';
import { leftOutOf, pdfWarningsOf } from 'resume-documents/pdf/pdf-warnings';
import { openResumeRenderer } from 'resume-documents/pdf/resume-pdf';
import { explained, type ResumeReader } from '../../src/adapters/document/document-reader.ts';
import { readResume } from '../../src/adapters/document/read-resume.ts';
import { photoOf } from '../../src/adapters/pdf/photo-file.ts';
import { textsOf, toDesignPicture, toPictures } from '../../src/adapters/pdf/previews.ts';
import type { openPrinter, Printer } from '../../src/adapters/pdf/printer.ts';
import { fixture } from './files.ts';
import { pngOf } from './images.ts';

const flaws = { missingGlyphs: [], installedFonts: [], photoFault: null, linesOver: null };

/** Prints the same small PDF, picture and document for every profile. */
export const openKeptPrinter: typeof openPrinter = () => ({
  render: async () => ({ pdf: new Uint8Array(readFileSync(fixture('kept.pdf'))), pages: 2, ...flaws }),
  docx: async () => ({ docx: new TextEncoder().encode('PK\x03\x04'), photoFault: null }),
  picture: async () => new Uint8Array(pngOf({ width: 4, height: 4 })),
  preview: async () => ({
    pictures: [new Uint8Array(pngOf({ width: 720, height: 1018 }))],
    ...{ height: 1018, pages: 2, paper: 'a4', lacksPhoto: false, leftOut: [], warnings: [], texts: [] },
  }),
  close() {},
});

/** Prints as the service does, but in this process: each of its processes takes ten times as long to start as to print. */
export const openPrinterHere: typeof openPrinter = (style, { profilePath = '' } = {}): Printer => {
  const render = openResumeRenderer(style, (one) => photoOf(one, profilePath));
  const renderWithSvg = openResumeRenderer(style, (one) => photoOf(one, profilePath), { withSvg: true });
  return {
    render,
    async docx(profile, letter) {
      const { photo, photoFault } = photoOf(profile, profilePath);
      return { docx: await toDocx(profile, { paper: profile.resume.paper ?? style.paper, photo }, letter), photoFault };
    },
    picture: async (profile) => toDesignPicture((await renderWithSvg(profile, '{}')).svg!),
    async preview(profile) {
      const { svg, ...printed } = await renderWithSvg(profile, '{}');
      return {
        ...(await toPictures(svg!)),
        texts: await textsOf(printed.pdf, svg!),
        paper: profile.resume.paper ?? style.paper,
        lacksPhoto: printed.photoFault !== null,
        leftOut: leftOutOf(profile, printed),
        warnings: pdfWarningsOf(profile, printed),
      };
    },
    close() {},
  };
};

/** Reads resumes as the service does, but in this process. */
export function openReaderHere(): ResumeReader {
  let latest: Promise<unknown> = Promise.resolve();
  return {
    read({ descriptor, length }, directory) {
      const reading = latest.then(() => explained(readResume(descriptor, length, directory)));
      latest = reading.catch(() => {});
      return reading;
    },
    close() {},
  };
}
