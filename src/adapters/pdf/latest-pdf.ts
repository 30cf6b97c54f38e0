import type { Logger } from 'pino';
import { toCodePointNotation } from '../../model/code-points.ts';
import type { Profile } from '../../model/profile-document.ts';
import type { RenderedResume, RenderResume } from './resume-pdf.ts';

/** The resume PDF that is served: the last one that could be rendered. */
export interface LatestPdf {
  /** Renders a profile. On success its PDF replaces the last one at once; a failure is logged. */
  render(profile: Profile, resumeJson: string): Promise<void>;
  /** The last PDF. Waits for the rendering under way if there is none yet; null if that fails. */
  current(): Promise<RenderedResume['pdf'] | null>;
  hasPdf(): boolean;
  /** The characters that it has no glyph for. */
  missingGlyphs(): readonly string[];
  /** Why the last rendering failed, in one line that quotes nothing of the profile; null if it succeeded or none has ended. */
  fault(): string | null;
}

/** Keeps the last PDF. Characters without a glyph are logged by code point only, because the text is the owner's. */
export function openLatestPdf(renderResume: RenderResume, log: Pick<Logger, 'warn' | 'error'>): LatestPdf {
  let latest: RenderedResume | null = null;
  let fault: string | null = null;
  let rendering = Promise.resolve();

  async function render(profile: Profile, resumeJson: string): Promise<void> {
    try {
      latest = await renderResume(profile, resumeJson);
      fault = null;
      const characters = latest.missingGlyphs.map(toCodePointNotation);
      if (characters.length > 0) log.warn({ characters }, 'resume PDF lacks characters that no font has');
    } catch (error) {
      // Typst quotes the profile in quotation marks, after a colon or in parentheses.
      [fault] = /^(.*?\.typ:\d+:\d+: |\S+: |\S+ error: )?[^:"`(]*/.exec((error as Error).message)!;
      fault = fault.trim();
      log.error({ fault }, 'resume PDF not rendered');
    }
  }
  return {
    render: (profile, resumeJson) => (rendering = render(profile, resumeJson)),
    async current() {
      if (latest === null) await rendering;
      return latest?.pdf ?? null;
    },
    hasPdf: () => latest !== null,
    missingGlyphs: () => latest?.missingGlyphs ?? [],
    fault: () => fault,
  };
}
