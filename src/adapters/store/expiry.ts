import { sql, type Transaction } from 'kysely';
import { type Access, exclusively } from './database.ts';
import { eraseExpiredNotes } from './readers.ts';
import { type Condition, type ExpiryBounds, eraseRows, isEndedRevocation, registry, tableFacts } from './registry.ts';
import type { Tables } from './tables.ts';
import type { Erased } from './visitors.ts';

/** Rows stored before these instants are erased; null keeps them. */
interface ErasureBounds {
  readonly contacts: Date | null;
  readonly mail: Date;
  readonly reads: Date;
}

// A transaction erases no more, because other work waits for it, and a database ends a slow statement.
const rowsAtOnce = 1_000;

export function expiryOf(access: Access) {
  const { read, write } = access;

  /** Whether a table has such rows. Checked before a write, because its lock delays other work. */
  const hasRows = (table: keyof Tables, which: Condition): Promise<boolean> =>
    read(
      async (db) => (await sql`select 1 from ${sql.table(table)} where ${which} limit 1`.execute(db)).rows.length > 0,
    );

  /** Erases rows of a table, and adds the ids of their mails; returns how many. */
  async function eraseAll(table: keyof Tables, which: Condition, mails: Set<string>): Promise<number> {
    let count = 0;
    while (await hasRows(table, which)) {
      const rows = await write((trx) => eraseFirst(trx, table, which), exclusively);
      count += rows.count;
      for (const { mail_id } of rows.mails) if (mail_id !== null) mails.add(mail_id);
    }
    return count;
  }

  return {
    /**
     * Erases what has expired by the bounds (`contacts` null: no contact request), by its own expiry, or with its token. Other
     * work runs between its transactions; if one fails, `mails` has the ids of the mails erased so far.
     */
    async erase(now: Date, bounds: ErasureBounds, mails = new Set<string>()): Promise<Erased> {
      const at = expiryBoundsOf(now, bounds);
      let notes = await eraseExpiredNotes(access, bounds.reads);
      const isEndedLast: Condition = sql`${isEndedRevocation(at.now)} and value <> ''
        and sequence = (select max(sequence) from revocations)`;
      // The row of the last revocation stays for its number, without the id of the expired token.
      if (await hasRows('revocations', isEndedLast))
        await write(
          (trx) => trx.updateTable('revocations').set({ value: '' }).where(isEndedLast).execute(),
          exclusively,
        );
      const counts: Partial<Record<keyof Tables, number>> = {};
      for (const [table, { expires }] of tableFacts) {
        if (typeof expires !== 'function') continue;
        counts[table] = await eraseAll(table, expires(at), mails);
      }
      notes += await eraseExpiredNotes(access, bounds.reads);
      const { contacts = 0, issued_tokens: tokens = 0, oauth_grants: grants = 0, reads = 0 } = counts;
      return { contacts, tokens, grants, reads, notes, mails: [...mails] };
    },

    /** Erases expired requests, codes and refresh tokens, with their answers. */
    eraseRecords: async (now: Date): Promise<void> =>
      void (await eraseAll('oauth_records', sql`expires_at <= ${now.toISOString()}`, new Set())),
  };
}

function expiryBoundsOf(now: Date, { contacts, mail, reads }: ErasureBounds): ExpiryBounds {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 60 * 60 * 1_000).toISOString();
  return {
    now: now.toISOString(),
    dayAgo: daysAgo(1),
    quarterAgo: daysAgo(90),
    contacts: (contacts ?? new Date(0)).toISOString(),
    mail: mail.toISOString(),
    reads: reads.toISOString(),
  };
}

function eraseFirst(trx: Transaction<Tables>, table: keyof Tables, which: Condition) {
  const columns = sql.join(registry[table].key.map((column) => sql.ref(column)));
  const first: Condition = sql`(${columns}) in (select ${columns} from ${sql.table(table)} where ${which} limit ${rowsAtOnce})`;
  return eraseRows(trx, table, first);
}
