import type { Logger } from 'pino';
import { explainLength, explainMissingGlyphs, type PdfFlaws } from '../../formats/profile/pdf-warnings.ts';
import type { Profile } from '../../model/profile/profile-document.ts';
import type { RenderedResume, RenderResume } from './resume-pdf.ts';

/** The resume PDF that is served: the last one that could be rendered. */
export interface LatestPdf {
  /** Renders a profile. On success its PDF replaces the last one at once; a failure is logged. */
  render(profile: Profile, resumeJson: string): Promise<void>;
  /** The last PDF. Waits for the rendering under way if there is none yet; null if that fails. */
  current(): Promise<RenderedResume['pdf'] | null>;
  hasPdf(): boolean;
  /** The number of its pages; null before the first PDF, or if a template does not say it. */
  pages(): number | null;
  /** The photo in it; null before the first PDF, or if it has none. */
  photo(): RenderedResume['photo'];
  flaws(): PdfFlaws;
  /** The reason of the last rendering's failure, as of `toFault`; otherwise null. */
  fault(): string | null;
}

/** Keeps the last PDF. Characters without a glyph are logged by script or code point, because the text is private. */
export function openLatestPdf(renderResume: RenderResume, log: Pick<Logger, 'warn' | 'error'>): LatestPdf {
  let latest: RenderedResume | null = null;
  let fault: string | null = null;
  let rendering = Promise.resolve();
  let asked = 0;

  async function render(profile: Profile, resumeJson: string): Promise<void> {
    try {
      latest = await renderResume(profile, resumeJson);
      fault = null;
      const { missingGlyphs, installedFonts } = latest;
      const options = { language: profile.resume.language, installed: installedFonts };
      const warnings = explainMissingGlyphs(missingGlyphs, options).map(({ message }) => message);
      if (warnings.length > 0) log.warn({ warnings }, 'resume PDF lacks characters that no font has');
      const { photoFault, linesOver } = latest;
      if (photoFault !== null) log.warn({ fault: photoFault }, 'resume PDF printed without the photo');
      if (linesOver !== null)
        log.warn({ warning: explainLength(linesOver, profile.resume.pages!) }, 'resume PDF longer than its pages');
    } catch (error) {
      fault = toFault(error);
      log.error({ fault }, 'resume PDF not rendered');
    }
  }
  return {
    render(profile, resumeJson) {
      const turn = ++asked;
      // One at a time; of those that have waited, only the last is not outdated.
      rendering = rendering.then(() => (turn === asked ? render(profile, resumeJson) : undefined));
      return rendering;
    },
    async current() {
      if (latest === null) await rendering;
      return latest?.pdf ?? null;
    },
    hasPdf: () => latest !== null,
    pages: () => latest?.pages ?? null,
    photo: () => latest?.photo ?? null,
    flaws: () => latest ?? { missingGlyphs: [], photoFault: null, linesOver: null },
    fault: () => fault,
  };
}

/**
 * Keeps the print of each profile of a view as long as the profile itself, so that no print of an older version, which
 * may show more, takes its place. Each is rendered when it is first asked for, one at a time.
 */
export function openPdfOfViews(renderResume: RenderResume, log: Pick<Logger, 'warn' | 'error'>) {
  const pdfs = new WeakMap<Profile, LatestPdf>();
  let last: Promise<unknown> = Promise.resolve();
  const renderInTurn: RenderResume = (...given) => {
    const rendering = last.then(() => renderResume(...given));
    last = rendering.catch(() => {});
    return rendering;
  };
  return (profile: Profile, toResumeJson: (profile: Profile) => string): LatestPdf => {
    const known = pdfs.get(profile);
    const pdf = known ?? openLatestPdf(renderInTurn, log);
    pdfs.set(profile, pdf);
    // Again after a failure: the machine may only have been busy.
    if (known === undefined || pdf.fault() !== null) void pdf.render(profile, toResumeJson(profile));
    return pdf;
  };
}

/** The reason why something could not be printed, in one line that quotes nothing of the profile. */
export function toFault(error: unknown): string {
  // Typst quotes the profile in quotation marks, after a colon or in parentheses.
  const [fault] = /^(.*?\.typ:\d+:\d+: |\S+: |\S+ error: )?[^:"`(]*/.exec((error as Error).message)!;
  return fault.trim();
}
