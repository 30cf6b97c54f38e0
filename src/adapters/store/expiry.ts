import { type Kysely, sql, type Transaction } from 'kysely';
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

// A transaction erases no more: other work waits for it, and a database ends a statement that takes long.
const rowsAtOnce = 1_000;

export function expiryOf(access: Access) {
  const { read, write } = access;

  /** Erases rows of a table; returns how many, and the ids of their mails. */
  async function eraseAll(table: keyof Tables, which: Condition) {
    let count = 0;
    const mails: string[] = [];
    for (;;) {
      const rows = await write((trx) => eraseFirst(trx, table, which), exclusively);
      count += rows.count;
      mails.push(...rows.mails.flatMap(({ mail_id }) => mail_id ?? []));
      if (rows.count < rowsAtOnce) return { count, mails };
    }
  }

  return {
    /**
     * Erases contact requests received before `contacts` (null: none), mails sent before `mail`, reads, and erasings of
     * reads, before `reads`, and expired tokens, idempotency keys, quota windows, grants, sessions, links to sign in
     * and codes, revocations of tokens that have expired, clients that nobody uses, and notes of readers last seen
     * before `reads`, if nothing else of them is kept. Other work runs between its transactions; if one fails, what
     * those before it have erased stays erased.
     */
    async erase(now: Date, bounds: ErasureBounds): Promise<Erased> {
      const at = expiryBoundsOf(now, bounds);
      let notes = await eraseExpiredNotes(access, bounds.reads);
      await write((trx) => clearLastRevocation(trx, at.now), exclusively);
      const counts: Partial<Record<keyof Tables, number>> = {};
      const mails = new Set<string>();
      for (const [table, { expires }] of tableFacts) {
        if (typeof expires !== 'function') continue;
        const erased = await eraseAll(table, expires(at));
        counts[table] = erased.count;
        for (const id of erased.mails) mails.add(id);
      }
      notes += await eraseExpiredNotes(access, bounds.reads);
      const { contacts = 0, issued_tokens: tokens = 0, oauth_grants: grants = 0, reads = 0 } = counts;
      return { contacts, tokens, grants, reads, notes, mails: [...mails] };
    },

    /** Erases expired requests, codes and refresh tokens, with their answers. */
    async eraseRecords(now: Date): Promise<void> {
      const isExpired: Condition = sql`expires_at <= ${now.toISOString()}`;
      const find = (db: Kysely<Tables>) => db.selectFrom('oauth_records').select('id').where(isExpired).limit(1);
      // Looked for first, because the lock of the deletion delays other work.
      if ((await read((db) => find(db).executeTakeFirst())) !== undefined) await eraseAll('oauth_records', isExpired);
    },
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

/** Erases as many rows as one transaction may. */
function eraseFirst(trx: Transaction<Tables>, table: keyof Tables, which: Condition) {
  const columns = sql.join(registry[table].key.map((column) => sql.ref(column)));
  const first: Condition = sql`(${columns}) in (select ${columns} from ${sql.table(table)} where ${which} limit ${rowsAtOnce})`;
  return eraseRows(trx, table, first);
}

/** Removes the id of an expired token from the last revocation, whose row stays for its number. */
async function clearLastRevocation(trx: Transaction<Tables>, now: string): Promise<void> {
  const last = sql`(select max(sequence) from revocations)`;
  await sql`update revocations set value = '' where ${isEndedRevocation(now)} and sequence = ${last}`.execute(trx);
}
