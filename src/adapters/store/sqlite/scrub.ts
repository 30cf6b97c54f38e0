import { type QueryExecutorProvider, sql } from 'kysely';
import { ScrubFault } from '../database.ts';
import { retryWhileLocked } from '../lock-wait.ts';
import { BUSY, isLocked, isUnavailable } from './error-codes.ts';

const waitMilliseconds = 5_000;

/**
 * Rewrites the database by VACUUM and empties its write-ahead log, so that no byte of a deleted row is left in either file.
 * Each step waits up to 5 s for other connections. Throws `ScrubFault` if a step fails.
 */
export async function scrub(db: QueryExecutorProvider): Promise<void> {
  try {
    await retryWhileLocked(isLocked, waitMilliseconds, () => sql`vacuum`.execute(db));
    await retryWhileLocked(isLocked, waitMilliseconds, () => truncateWal(db));
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    const message = isLocked(error)
      ? 'Erased data is still in the write-ahead log of the database, which another process is using; try again.'
      : `Erased data is still in the files of the database, which cannot be rewritten: ${(error as Error).message}; try again when that is solved.`;
    throw new ScrubFault(message, { cause: error });
  }
}

/** Throws BUSY if another connection reads from the log; the pragma itself only returns a row that says so. */
async function truncateWal(db: QueryExecutorProvider): Promise<void> {
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
  if (rows[0]?.busy !== 0) throw Object.assign(new Error('the write-ahead log is in use'), { errcode: BUSY });
}
