import { Kysely, sql } from 'kysely';
import { ScrubFault } from '../database.ts';
import type { Tables } from '../tables.ts';
import type { PostgresAddress } from './address.ts';
import { dialectOf } from './dialect.ts';
import type { Limits } from './limits.ts';
import { openPool } from './pool.ts';

const lockWaitMilliseconds = 5_000;

/** Every table that visitors' data is deleted from. */
const tables = [
  'contacts',
  'issued_tokens',
  'idempotency_keys',
  'outbox',
  'reads',
  'erased_reads',
  'reader_notes',
  'sign_in_links',
];

/** VACUUM FULL may take longer than other statements may. */
const limits: Limits = {
  max: 1,
  connectionTimeoutMillis: lockWaitMilliseconds,
  lock_timeout: lockWaitMilliseconds,
  statement_timeout: 0,
  query_timeout: 0,
  idle_in_transaction_session_timeout: 0,
};

/** Rewrites the tables by VACUUM FULL, so that no deleted row is left in their files. Throws `ScrubFault` if that fails. */
export async function scrub(address: PostgresAddress): Promise<void> {
  const db = new Kysely<Tables>({ dialect: dialectOf(openPool(address, limits)) });
  try {
    await db.connection().execute(async (connection) => {
      // Not of a transaction, in which VACUUM cannot run.
      await sql`set lock_timeout = ${sql.lit(lockWaitMilliseconds)}`.execute(connection);
      try {
        for (const table of tables) await sql`vacuum full ${sql.table(table)}`.execute(connection);
      } finally {
        // PgBouncer may give the session to another client next.
        await sql`reset lock_timeout`.execute(connection);
      }
    });
  } catch (error) {
    const message = `Erased data is still in the files of the database, which cannot be rewritten: ${(error as Error).message}; try again when that is solved.`;
    throw new ScrubFault(message, { cause: error });
  } finally {
    await db.destroy();
  }
}
