import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { eraseContacts, keysExpiredAt } from './contacts.ts';
import { type ErasedRows, exclusively, type Read, type Write } from './database.ts';
import { eraseExpiredSignIns } from './desk.ts';
import { eraseExpiredCodes, eraseUnusedClients } from './oauth.ts';
import { eraseExpiredNotes } from './readers.ts';
import { eraseSecretMails } from './secret-mail.ts';
import type { Tables } from './tables.ts';
import { eraseExpiredTokens } from './tokens.ts';
import type { Erased } from './visitors.ts';

/** What was stored before one of these instants is erased; null for what is kept. */
export interface ErasureBounds {
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
     * Erases contact requests received before `contacts` (null: none), mails sent before `mail`, reads, and erasings of reads,
     * before `reads`, and expired tokens, idempotency keys, quota windows, grants, sessions, links to sign in and codes, revocations
     * of tokens that have expired, clients that nobody uses, and notes of readers last seen before `reads`, if nothing else of them
     * is kept. Other work runs between its transactions; if one fails, what those before it have erased stays erased.
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
      const { contacts = 0, grants = 0, reads = 0 } = counts;
      return { contacts, tokens, grants, reads, notes, mails: [...mails] };
    },

    /** Erases requests of clients, codes and refresh tokens that have expired, and what was answered to those; at most 1,000 in a transaction. */
    async eraseRecords(now: Date): Promise<void> {
      const expired = (db: Kysely<Tables>) =>
        db.selectFrom('oauth_records').select('id').where('expires_at', '<=', now.toISOString()).limit(1);
      // Looked for first, because the lock of the deletion delays other work.
      while ((await read((db) => expired(db).executeTakeFirst())) !== undefined)
        await write((trx) => eraseRecords(now)(trx, rowsAtOnce), exclusively);
    },
  };
}

function stepsOf(now: Date, bounds: ErasureBounds): Record<string, Erase> {
  const at = now.toISOString();
  const [old, sent, read] = [bounds.contacts ?? new Date(0), bounds.mail, bounds.reads].map((date) =>
    date.toISOString(),
  );
  return {
    contacts: (trx, limit) =>
      eraseContacts(trx, sql`id in (select id from contacts where received_at < ${old} limit ${limit})`),
    async mails(trx, limit) {
      const ids = trx.selectFrom('outbox').select('id').where('sent_at', '<', sent!).limit(limit);
      const mails = await trx.deleteFrom('outbox').where('id', 'in', ids).returning('mail_id').execute();
      return { count: mails.length, mails };
    },
    keys: eraseFrom('idempotency_keys', ['subject', 'key'], sql`created_at <= ${keysExpiredAt(now)}`),
    windows: eraseFrom('quota_windows', ['key'], sql`ends_at <= ${at}`),
    reads: eraseFrom('reads', ['id'], sql`read_at < ${read}`),
    erasings: eraseFrom('erased_reads', ['jti'], sql`erased_at < ${read}`),
    async revocations(trx, limit) {
      const ended = sql<SqlBool>`kind = 'jti' and (value = ''
        or exists (select 1 from issued_tokens where jti = value and expires_at <= ${at}))`;
      const last = sql`(select max(sequence) from revocations)`;
      const rows = await eraseFrom('revocations', ['sequence'], sql`${ended} and sequence < ${last}`)(trx, limit);
      // Of the last one only the token's id, because the next one gets the number after it: a process has read up to there.
      await sql`update revocations set value = '' where ${ended} and sequence = ${last}`.execute(trx);
      return rows;
    },
    requests: eraseRecords(now),
    // As that of a token, the row stays while its notice does; and while its tokens do, which it names the client of.
    grants: eraseFrom(
      'oauth_grants',
      ['id'],
      sql`expires_at <= ${at}
        and not exists (select 1 from outbox where kind = 'auth_request' and about = oauth_grants.id)
        and not exists (select 1 from issued_tokens where grant_id = oauth_grants.id)`,
    ),
    clients: async (trx, limit) => ({ count: await eraseUnusedClients(trx, now, limit), mails: [] }),
    async secrets(trx) {
      const mails = await eraseSecretMails(trx, now);
      await eraseExpiredSignIns(trx, now);
      await eraseExpiredCodes(trx, now);
      return { count: 0, mails };
    },
  };
}

const eraseRecords = (now: Date) => eraseFrom('oauth_records', ['id'], sql`expires_at <= ${now.toISOString()}`);

const eraseFrom =
  (table: keyof Tables, key: readonly string[], which: ReturnType<typeof sql<SqlBool>>): Erase =>
  async (trx, limit) => {
    const columns = sql.join(key.map((column) => sql.ref(column)));
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where (${columns}) in (
        select ${columns} from ${sql.table(table)} where ${which} limit ${limit}
      )`.execute(trx);
    return { count: Number(numAffectedRows), mails: [] };
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
