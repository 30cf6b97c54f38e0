import type { Logger } from 'pino';
import { toCodePointNotation } from '../../model/code-points.ts';
import type { Profile } from '../../model/profile-document.ts';
import type { PrintedResume, ResumePrinter } from './resume-pdf.ts';

/** The resume PDF that is served: the last good printing of the profile. */
export interface LatestPdf {
  /** Prints a profile; what is good takes the place of the last at once, what is not is logged. */
  print(profile: Profile, resumeJson: string): Promise<void>;
  /** The last good PDF, awaited where there is none yet; null where none was good so far. */
  current(): Promise<PrintedResume['pdf'] | null>;
  /** Whether there is a good printing. */
  hasPrinted(): boolean;
  /** Why the latest profile could not be printed, in one line, without a word of the profile; null where it was, or is being. */
  fault(): string | null;
}

/** Keeps the last good printing, and logs which characters each lacks: by code point, the text being the owner's. */
export function openLatestPdf(printer: ResumePrinter, log: Pick<Logger, 'warn' | 'error'>): LatestPdf {
  let latest: PrintedResume | null = null;
  let fault: string | null = null;
  let printing = Promise.resolve();

  async function print(profile: Profile, resumeJson: string): Promise<void> {
    try {
      latest = await printer(profile, resumeJson);
      fault = null;
      const characters = latest.unprintable.map(toCodePointNotation);
      if (characters.length > 0) log.warn({ characters }, 'resume PDF lacks characters that no font has');
    } catch (error) {
      // What Typst quotes, or says after a colon or in parentheses, may be the profile's.
      [fault] = /^(.*?\.typ:\d+:\d+: |\S+: |\S+ error: )?[^:"`(]*/.exec((error as Error).message)!;
      fault = fault.trim();
      log.error({ fault }, 'resume PDF not printed');
    }
  }
  return {
    print: (profile, resumeJson) => (printing = print(profile, resumeJson)),
    async current() {
      if (latest === null) await printing;
      return latest?.pdf ?? null;
    },
    hasPrinted: () => latest !== null,
    fault: () => fault,
  };
}
