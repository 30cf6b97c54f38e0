import { type QueryExecutorProvider, sql } from 'kysely';
import { BUSY, isUnavailable } from './error-codes.ts';
import { retryWhileLocked } from './lock-wait.ts';

const waitMilliseconds = 5_000;

/**
 * Rewrites the database by VACUUM and empties its write-ahead log, so that no byte of a deleted row is left in either file.
 * Throws an error of one line if another connection keeps the database locked for 5 s.
 */
export async function scrub(db: QueryExecutorProvider): Promise<void> {
  try {
    await retryWhileLocked(waitMilliseconds, () => sql`vacuum`.execute(db));
    await retryWhileLocked(waitMilliseconds, () => truncateWal(db));
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    const message =
      'Erased data is still in the write-ahead log of the database, which another process is using; try again.';
    throw new Error(message, { cause: error });
  }
}

/** Throws BUSY, which the pragma reports in a row, if another connection reads from the log. */
async function truncateWal(db: QueryExecutorProvider): Promise<void> {
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
  if (rows[0]?.busy !== 0) throw Object.assign(new Error('the write-ahead log is in use'), { errcode: BUSY });
}
