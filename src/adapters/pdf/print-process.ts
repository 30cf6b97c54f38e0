import { leftOutOf, pdfWarningsOf } from 'resume-documents/pdf/pdf-warnings';
import { serveOne } from '../child-process.ts';
import type { PrintRequest, Prints } from './printer.ts';

// Prints one resume that `printer.ts` sends, and ends.

async function render({ style, profilePath, profile, resumeJson, letter }: PrintRequest, withSvg: boolean) {
  const [{ openResumeRenderer }, { photoOf }] = await Promise.all([
    import('resume-documents/pdf/resume-pdf'),
    import('./photo-file.ts'),
  ]);
  return openResumeRenderer(style, (one) => photoOf(one, profilePath), { withSvg })(profile, resumeJson, letter);
}

// Each format imports only what it needs: the PDF and its picture Typst, Word its library.
const prints: { readonly [Format in keyof Prints]: (request: PrintRequest) => Promise<Prints[Format]> } = {
  pdf: (request) => render(request, false),
  async picture(request) {
    const { toDesignPicture } = await import('./previews.ts');
    return toDesignPicture((await render(request, true)).svg!);
  },
  async preview(request) {
    const { textsOf, toPictures } = await import('./previews.ts');
    const { svg, pdf, ...flaws } = await render(request, true);
    const warnings = pdfWarningsOf(request.profile, flaws);
    const leftOut = leftOutOf(request.profile, flaws);
    const paper = request.profile.resume.paper ?? request.style.paper;
    const pictures = { ...(await toPictures(svg!)), texts: await textsOf(pdf, svg!) };
    return { ...pictures, paper, lacksPhoto: flaws.photoFault !== null, leftOut, warnings };
  },
  async docx({ style, profilePath, profile, letter }) {
    const { toDocx } = await import('resume-documents/docx/resume');
    const { photoOf } = await import('./photo-file.ts');
    const { photo, photoFault } = photoOf(profile, profilePath);
    return { docx: await toDocx(profile, { paper: profile.resume.paper ?? style.paper, photo }, letter), photoFault };
  },
};

serveOne<PrintRequest, Prints[keyof Prints]>((request) => prints[request.format](request));
