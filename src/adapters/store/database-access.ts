import type { Kysely } from 'kysely';
import { Failure } from '../../model/failure.ts';
import type { Database, Read, Write } from './database.ts';
import { retryWhileLocked } from './lock-wait.ts';
import type { Tables } from './tables.ts';

export interface AccessOptions {
  /** How long a call waits while another process holds the lock that it needs; 1 s by default. */
  readonly lockWaitMilliseconds?: number;
  /** Receives one line when the database begins to fail, one when it can be written again, and one if other reads fail. */
  readonly log?: { error(fields: object, message: string): void; info(message: string): void };
}

/** Gives access to the database; reads and writes throw `UNAVAILABLE` if it cannot be used at the moment. */
export function accessTo(database: Database, db: Kysely<Tables>, { lockWaitMilliseconds = 1_000, log }: AccessOptions) {
  const { isLocked, isUnavailable } = database;
  let isWritable = true;
  let hasLoggedRead = false;
  /** Whether a read failed, and no write has succeeded since: if writes fail, too, it is the same outage. */
  let isLogged = false;

  function markOutage(error: unknown): void {
    if (isWritable && !isLogged) log?.error({ err: error }, 'the store failed');
    isWritable = false;
  }

  // Once, because damage lasts until a restart: a write that succeeds does not show that the read would.
  function logFailedRead(error: unknown): void {
    if (isWritable && !hasLoggedRead) {
      log?.error({ err: error }, 'the store failed');
      isLogged = true;
    }
    hasLoggedRead = true;
  }

  async function attempt<Result>(access: () => Promise<Result>, onFailure: (error: unknown) => void): Promise<Result> {
    try {
      return await access();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      onFailure(error);
      throw new Failure('UNAVAILABLE', undefined, { cause: error });
    }
  }

  const runUnlocked: Read = (queries) => retryWhileLocked(isLocked, lockWaitMilliseconds, () => queries(db));
  const read: Read = (queries) => attempt(() => runUnlocked(queries), logFailedRead);
  const readMarkingOutage: Read = (queries) => attempt(() => runUnlocked(queries), markOutage);

  const transact = database.openWrite(db, lockWaitMilliseconds);
  const write: Write = async (work, options) => {
    const result = await attempt(() => transact(work, options), markOutage);
    if (!isWritable) {
      log?.info('the store can be written again');
      hasLoggedRead = false;
    }
    isWritable = true;
    isLogged = false;
    return result;
  };

  return {
    /** If it fails, `isWritable` stays as it is; only the first failure is logged, anew after each outage of writes. */
    read,
    /** As `read`, for quotas, idempotency keys, tokens and revocations: if it fails, `isWritable` is false, as after a failed write. */
    readMarkingOutage,
    write,

    /** False after a write or `readMarkingOutage` has thrown `UNAVAILABLE`, until a write succeeds. */
    isWritable: () => isWritable,

    /** Tries a write that leaves nothing behind, unless the store is writable anyway. Throws `UNAVAILABLE` if it fails. */
    async probeWrite(): Promise<void> {
      if (isWritable) return;
      await write(database.probeWrite);
    },
  };
}
