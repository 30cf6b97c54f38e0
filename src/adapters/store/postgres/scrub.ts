import { Client } from 'pg';
import { ScrubFault } from '../database.ts';
import { clientConfigOf } from './pool.ts';

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

/** Rewrites the tables by VACUUM FULL, so that no deleted row is left in their files. Throws `ScrubFault` if that fails. */
export async function scrub(url: string): Promise<void> {
  // By a connection of its own: VACUUM FULL may take longer than other statements may.
  const client = new Client({
    ...clientConfigOf(url),
    lock_timeout: lockWaitMilliseconds,
    connectionTimeoutMillis: lockWaitMilliseconds,
  });
  client.on('error', () => {}); // reported by the query
  try {
    await client.connect();
    for (const table of tables) await client.query(`vacuum full ${table}`);
  } catch (error) {
    const message = `Erased data is still in the files of the database, which cannot be rewritten: ${(error as Error).message}; try again when that is solved.`;
    throw new ScrubFault(message, { cause: error });
  } finally {
    await client.end().catch(() => {});
  }
}
