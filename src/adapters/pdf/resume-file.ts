import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { Logger } from 'pino';
import type { Profile } from '../../model/profile/profile-document.ts';
import { createDraft } from '../output-file.ts';
import type { LatestPdf } from './latest-pdf.ts';

/** Writes the printed resume to a file, for a process that serves no links. */
export function resumeFileOf(path: string, pdf: LatestPdf, log: Pick<Logger, 'error'>) {
  let url: string | null = null;
  return {
    /** Returns the URL of the file; null if no profile could be printed yet. */
    url: () => url,
    /** Prints a profile and replaces the file, unless the profile links to a PDF of its own. Logs a failure. */
    async print(profile: Profile, resumeJson: string): Promise<void> {
      if (profile.resume.pdf_url !== undefined) return;
      await pdf.render(profile, resumeJson);
      const bytes = await pdf.current();
      if (bytes === null) return;
      try {
        await using draft = await createDraft(`${path}.${randomUUID()}`);
        await draft.handle.writeFile(bytes);
        await draft.replace(path);
        url = pathToFileURL(path).href;
      } catch (error) {
        log.error({ err: error }, 'resume PDF not written');
      }
    },
  };
}
