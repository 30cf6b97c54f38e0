import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { Logger } from 'pino';
import type { RenderedResume } from 'resume-documents/pdf/resume-pdf';
import type { Profile } from 'resume-profile/profile-document';
import { replaceDurably } from '../output-file.ts';
import { openQueue } from '../queue.ts';

/** Prints a profile; null if it cannot be printed, or not yet. */
type PrintPdf = (profile: Profile) => Promise<RenderedResume | null>;

/** Writes the printed resume to a file, for a process that serves no links. */
export function resumeFileOf(path: string, print: PrintPdf, log: Pick<Logger, 'error'>) {
  let written: Profile | null = null;
  const enqueue = openQueue();

  async function write(profile: Profile): Promise<void> {
    if (profile.resume.pdf_url !== undefined || written === profile) return;
    const printed = await print(profile);
    if (printed === null) return;
    try {
      await replaceDurably(path, printed.pdf, `${path}.${randomUUID()}`);
      written = profile;
    } catch (error) {
      log.error({ err: error }, 'resume PDF not written');
    }
  }
  return {
    /** Returns the URL of the file; null unless it has the print of this profile. */
    urlOf: (profile: Profile): string | null => (written === profile ? pathToFileURL(path).href : null),
    /** Prints a profile and replaces the file, unless it is up to date or the profile links to its own PDF. Logs a failure. */
    write: (profile: Profile): Promise<void> => enqueue(() => write(profile)),
  };
}
