import { removeMailFiles } from '../../adapters/mail/mailer.ts';
import type { DurableStore } from '../../adapters/store/store.ts';
import type { Erased } from '../../adapters/store/visitors.ts';
import type { AuditEntry } from '../../model/log-entry.ts';
import type { State } from '../state.ts';

interface Options {
  readonly store: Pick<DurableStore, 'visitors' | 'scrub'>;
  readonly tokens: Pick<State['tokens'], 'revoke'>;
  readonly audit: (entry: AuditEntry) => void;
  /** Where mail is written without an SMTP server. */
  readonly mailDirectory: string;
}

/** How much was erased. */
export type ErasedCounts = Omit<Erased, 'mails'> & { readonly files: number };

/**
 * Erases what visitors have caused: rows, mail files, and the bytes that deleted rows leave in the files of the database. If these
 * cannot be rewritten, the rows are gone nevertheless, and `ScrubFault` is thrown.
 */
export function eraserOf({ store, tokens, audit, mailDirectory }: Options) {
  async function eraseBytes({ mails, ...counts }: Erased, entry: AuditEntry): Promise<ErasedCounts> {
    const removeFiles = () => removeMailFiles(mailDirectory, { ids: mails });
    const files = await removeFiles();
    audit(entry);
    await store.scrub();
    await removeFiles(); // a file may have been written since
    return { ...counts, files };
  }

  return {
    /** Erases all that a visitor has caused, whichever way the address is spelled, and ends their tokens. */
    async eraseVisitor(email: string): Promise<ErasedCounts> {
      // First of all: from then on nothing can be added with a token that the visitor still has.
      await tokens.revoke({ kind: 'subject', subject: email });
      return eraseBytes(await store.visitors.erase(email), { event: 'visitor_erased', subject: email });
    },

    /** Erases one contact request and its notice. */
    eraseContact: async ({ id, email }: { readonly id: string; readonly email: string }): Promise<ErasedCounts> =>
      eraseBytes(await store.visitors.eraseContact(id), { event: 'contact_erased', subject: email }),

    /** Rewrites the database again after a `ScrubFault`. */
    scrub: store.scrub,
  };
}
