import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { type ErasedRows, exclusively, type Read, type Write } from './database.ts';
import { eraseExpiredNotes } from './readers.ts';
import { type ExpiryBounds, eraseRows, isEndedRevocation, registry, tableFacts } from './registry.ts';
import type { Tables } from './tables.ts';
import { eraseExpiredTokens } from './tokens.ts';
import type { Erased } from './visitors.ts';

/** Rows stored before these instants are erased; null keeps them. */
interface ErasureBounds {
  readonly contacts: Date | null;
  readonly mail: Date;
  readonly reads: Date;
}

/** Erases at most `limit` rows. */
type Erase = (trx: Transaction<Tables>, limit: number) => Promise<ErasedRows>;

// A transaction erases no more: other work waits for it, and a database ends a statement that takes long.
const rowsAtOnce = 1_000;

/** The erasing of what has expired. */
export function expiryOf(read: Read, write: Write) {
  return {
    /**
     * Erases contact requests received before `contacts` (null: none), mails sent before `mail`, reads, and erasings of
     * reads, before `reads`, and expired tokens, idempotency keys, quota windows, grants, sessions, links to sign in
     * and codes, revocations of tokens that have expired, clients that nobody uses, and notes of readers last seen
     * before `reads`, if nothing else of them is kept. Other work runs between its transactions; if one fails, what
     * those before it have erased stays erased.
     */
    async erase(now: Date, bounds: ErasureBounds): Promise<Erased> {
      const eraseNotes = () => eraseExpiredNotes(read, write, bounds.reads, rowsAtOnce);
      let notes = await eraseNotes();
      const steps = Object.entries(stepsOf(now, bounds));
      const counts: Record<string, number> = {};
      const mails = new Set<string>();
      while (steps.length > 0) {
        const batch = await write((trx) => eraseBatch(trx, steps), exclusively);
        for (const { name, count } of batch.erased) counts[name] = (counts[name] ?? 0) + count;
        for (const id of batch.mails) mails.add(id);
        steps.splice(0, batch.finished);
      }
      const tokens = await eraseExpiredTokens(read, write, now, rowsAtOnce);
      notes += await eraseNotes();
      const { contacts = 0, oauth_grants: grants = 0, reads = 0 } = counts;
      return { contacts, tokens, grants, reads, notes, mails: [...mails] };
    },

    /** Erases expired requests, codes and refresh tokens, with their answers; at most 1,000 in a transaction. */
    async eraseRecords(now: Date): Promise<void> {
      const expired = (db: Kysely<Tables>) =>
        db.selectFrom('oauth_records').select('id').where('expires_at', '<=', now.toISOString()).limit(1);
      // Looked for first, because the lock of the deletion delays other work.
      while ((await read((db) => expired(db).executeTakeFirst())) !== undefined)
        await write(
          (trx) => eraseFrom('oauth_records', sql`expires_at <= ${now.toISOString()}`)(trx, rowsAtOnce),
          exclusively,
        );
    },
  };
}

/** The steps by the names of their tables, and one more. */
function stepsOf(now: Date, bounds: ErasureBounds): Record<string, Erase> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 60 * 60 * 1_000).toISOString();
  const at: ExpiryBounds = {
    now: now.toISOString(),
    dayAgo: daysAgo(1),
    quarterAgo: daysAgo(90),
    contacts: (bounds.contacts ?? new Date(0)).toISOString(),
    mail: bounds.mail.toISOString(),
    reads: bounds.reads.toISOString(),
  };
  return {
    ...Object.fromEntries(
      tableFacts.flatMap(([table, { expires }]) =>
        typeof expires === 'function' ? [[table, eraseFrom(table, expires(at))]] : [],
      ),
    ),
    // Of the last one, which stays, only the token's id.
    async lastRevocation(trx) {
      const last = sql`(select max(sequence) from revocations)`;
      await sql`update revocations set value = '' where ${isEndedRevocation(at.now)} and sequence = ${last}`.execute(
        trx,
      );
      return { count: 0, mails: [] };
    },
  };
}

const eraseFrom =
  (table: keyof Tables, which: RawBuilder<SqlBool>): Erase =>
  (trx, limit) => {
    const columns = sql.join(registry[table].key.map((column) => sql.ref(column)));
    const first = sql<SqlBool>`(${columns}) in (select ${columns} from ${sql.table(table)} where ${which} limit ${limit})`;
    return eraseRows(trx, table, first);
  };

/** Takes the steps in order until one has erased as many rows as are left of the batch; that one may have more. */
async function eraseBatch(trx: Transaction<Tables>, steps: readonly (readonly [string, Erase])[]) {
  const erased: { name: string; count: number }[] = [];
  const mails: string[] = [];
  let left = rowsAtOnce;
  let finished = 0;
  for (const [name, erase] of steps) {
    const rows = await erase(trx, left);
    erased.push({ name, count: rows.count });
    mails.push(...rows.mails.flatMap(({ mail_id }) => mail_id ?? []));
    if (rows.count === left) break;
    left -= rows.count;
    finished += 1;
  }
  return { erased, mails, finished };
}
