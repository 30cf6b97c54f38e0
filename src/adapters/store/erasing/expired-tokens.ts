import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Read, Write } from '../database.ts';
import type { Tables } from '../tables.ts';
import { exclusively } from '../visitor-data.ts';

/**
 * Erases the records of expired tokens, at most so many in a transaction; returns how many. The row of a token stays while its
 * notice does: `eraseVisitor` finds the notice through it.
 */
export async function eraseExpiredTokens(read: Read, write: Write, now: Date, atOnce: number): Promise<number> {
  let erased = 0;
  let page = await read((db) => expiredAfter(db, { expires_at: '', jti: '' }, now, atOnce));
  while (page.length > 0) {
    // Found without the lock of the deletion: a notice is stored with its token, never later.
    const ids = page.filter(({ notice_id }) => notice_id === null).map(({ jti }) => jti);
    if (ids.length > 0)
      await write((trx) => trx.deleteFrom('issued_tokens').where('jti', 'in', ids).execute(), exclusively);
    erased += ids.length;
    const last = page.at(-1)!;
    await nextTurn(); // with SQLite, a read ends in the turn of the event loop that it begins in
    page = page.length < atOnce ? [] : await read((db) => expiredAfter(db, last, now, atOnce));
  }
  return erased;
}

type Position = Pick<Tables['issued_tokens'], 'expires_at' | 'jti'>;

/** Returns the tokens after one in the order in which they expired, at most `limit`, each with a notice that reports it, if any. */
const expiredAfter = (db: Kysely<Tables>, { expires_at, jti }: Position, now: Date, limit: number) =>
  db
    .selectFrom('issued_tokens as token')
    .select(['jti', 'expires_at'])
    // Not joined: the databases would go through all notices for a page of tokens.
    .select(reportedBy.as('notice_id'))
    .where('expires_at', '<', now.toISOString())
    .where((eb) => eb(eb.refTuple('expires_at', 'jti'), '>', eb.tuple(expires_at, jti)))
    .orderBy('expires_at')
    .orderBy('jti')
    .limit(limit)
    .execute();

const reportedBy = sql<string | null>`
  (select id from outbox where kind = 'auth_request' and about = token.jti limit 1)`;
