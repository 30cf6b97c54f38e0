import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RenderedResume } from 'resume-documents/pdf/resume-pdf';
import type { Profile } from 'resume-profile/profile-document';
import { hash } from '../adapters/node-crypto.ts';
import { replaceDurably } from '../adapters/output-file.ts';
import { openPhotos } from '../adapters/pdf/photo-file.ts';
import { openDesignPictures, openPreviews } from '../adapters/pdf/previews.ts';
import { openPrinter as openPrinterOfProcesses } from '../adapters/pdf/printer.ts';
import { openPrints, type ServedProfile } from '../adapters/pdf/prints.ts';
import { isAddress, nameOf, ownPathOf, type ProfileSource } from '../adapters/profile/profile-source.ts';
import { openQueue } from '../adapters/queue.ts';
import type { PdfState } from '../model/profile/print-state.ts';
import { resumeJsonOf } from '../operations/resume.ts';
import type { Config } from './config/config.ts';
import type { Log } from './log.ts';

interface PrintingOptions {
  readonly log: Log;
  /** Returns the served profiles, the published one first. */
  served(): readonly ServedProfile[];
  readonly waitMilliseconds: number;
  /** Opens the printer; by default, each print has its own process. */
  readonly openPrinter?: typeof openPrinterOfProcesses;
}

export function openPrinting(
  { pdf, dataDir, profile }: Config,
  { log, served, waitMilliseconds, openPrinter = openPrinterOfProcesses }: PrintingOptions,
) {
  const profilePath = ownPathOf(profile);
  const printer = openPrinter(pdf, { profilePath });
  const prints = openPrints({
    print: {
      pdf: (printed, signal) => printer.render(printed, resumeJsonOf(printed), undefined, signal),
      docx: (printed, signal) => printer.docx(printed, undefined, signal),
    },
    ...{ served, log },
  });
  return {
    prints,
    /** Returns the state of the PDF of the published profile, if `waits` after a wait; null for a PDF at an address. */
    async pdfState({ waits }: { readonly waits: boolean }): Promise<PdfState | null> {
      const [published] = served();
      if (published === undefined || published.profile.resume.pdf_url !== undefined) return null;
      await prints.get(published.profile, 'pdf', waits ? waitMilliseconds : 0);
      const { printed = null, fault = null } = prints.publishedPdf() ?? {};
      return { isPrinted: printed !== null, fault };
    },
    photoOf: openPhotos(profilePath),
    designPicture: openDesignPictures(printer.picture),
    previews: openPreviews(printer.preview),
    resumeFile: resumeFileOf(
      join(dataDir, resumeNameOf(profile)),
      (printed) => prints.get(printed, 'pdf', waitMilliseconds),
      log,
    ),
    close(): void {
      prints.close();
      printer.close();
    },
  };
}

/** Returns the file name of the resume; a folder may have one for each profile. */
function resumeNameOf(profile: ProfileSource): string {
  const source = isAddress(profile) ? nameOf(profile) : profile.ownPath;
  return source === undefined || source === resolve('profile.yaml')
    ? 'resume.pdf'
    : `resume-${hash(source).slice(0, 8)}.pdf`;
}

/** Prints a profile; null if it cannot be printed, or not yet. */
type PrintPdf = (profile: Profile) => Promise<RenderedResume | null>;

/** Writes the printed resume to a file, for a process that serves no links. */
export function resumeFileOf(path: string, print: PrintPdf, log: Pick<Log, 'error'>) {
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
