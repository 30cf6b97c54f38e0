import type { Logger } from 'pino';
import type { Profile } from '../../model/profile/profile-document.ts';
import { toFault } from './latest-pdf.ts';
import type { PrintDocx } from './printer.ts';

/** As `openPdfOfViews`, for Word. */
export function openDocxOfViews(print: PrintDocx, log: Pick<Logger, 'error'>) {
  const documents = new WeakMap<Profile, ReturnType<typeof openLatestDocx>>();
  return (profile: Profile): Promise<Uint8Array<ArrayBuffer> | null> => {
    const docx = documents.get(profile) ?? openLatestDocx(print, log);
    documents.set(profile, docx);
    return docx(profile);
  };
}

/** Keeps the last document of Word that could be printed. One is printed when it is first asked for. */
export function openLatestDocx(print: PrintDocx, log: Pick<Logger, 'error'>) {
  let latest: Uint8Array<ArrayBuffer> | null = null;
  let asked: Profile | undefined;
  let printing = Promise.resolve();

  async function update(profile: Profile): Promise<void> {
    try {
      latest = (await print(profile)).docx;
    } catch (error) {
      log.error({ fault: toFault(error) }, 'resume for Word not printed');
      if (asked === profile) asked = undefined; // so that the next call tries again: the machine may only have been busy
    }
  }
  /** Returns the document of a profile, or the last one if that cannot be printed; null if none could be. */
  return async (profile: Profile): Promise<Uint8Array<ArrayBuffer> | null> => {
    if (asked !== profile) {
      asked = profile;
      printing = printing.then(() => update(profile));
    }
    await printing;
    return latest;
  };
}
