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

/** For how long no second line says that some work fails. */
const quietMilliseconds = 60_000;

/** Gives access to the database; reads and writes throw `UNAVAILABLE` if it cannot be used at the moment. */
export function accessTo(database: Database, db: Kysely<Tables>, { lockWaitMilliseconds = 1_000, log }: AccessOptions) {
  const { isLocked, isUnavailable, mayBePartial } = database;
  let isWritable = true;
  /** Whether work has failed by an error that may concern it alone; the next probe tells. */
  let isDoubtful = false;
  let quietUntil = 0;
  let hasLoggedRead = false;
  /** Whether a failed read was logged, and no write has succeeded since: if writes fail, too, it is the same outage. */
  let isOutageLogged = false;

  function markOutage(error: unknown): void {
    if (isWritable && !isOutageLogged) log?.error({ err: error }, 'the store failed');
    isWritable = false;
  }

  function markFailure(error: unknown): void {
    isDoubtful = true;
    if (mayBePartial(error)) logPartial(error);
    else markOutage(error);
  }

  function logPartial(error: unknown): void {
    if (!isWritable || performance.now() < quietUntil) return;
    log?.error({ err: error }, 'the store is busy or refuses some work');
    quietUntil = performance.now() + quietMilliseconds;
  }

  // Once, because damage lasts until a restart: a write that succeeds does not show that the read would.
  function logFailedRead(error: unknown): void {
    if (mayBePartial(error)) {
      logPartial(error);
      return;
    }
    if (isWritable && !hasLoggedRead) {
      log?.error({ err: error }, 'the store failed');
      isOutageLogged = true;
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
  const readMarkingOutage: Read = (queries) => attempt(() => runUnlocked(queries), markFailure);

  const transact = database.openWrite(db, lockWaitMilliseconds);
  async function writeMarking<Result>(
    onFailure: (error: unknown) => void,
    ...args: Parameters<typeof transact<Result>>
  ) {
    const result = await attempt(() => transact(...args), onFailure);
    if (!isWritable) {
      log?.info('the store can be written again');
      hasLoggedRead = false;
    }
    isWritable = true;
    isDoubtful = false;
    isOutageLogged = false;
    return result;
  }
  const write: Write = (work, options) => writeMarking(markFailure, work, options);

  return {
    /** If it fails, `isWritable` stays as it is; only the first failure is logged, anew after each outage of writes. */
    read,
    /** As `read`, for quotas, idempotency keys, tokens and revocations: if it fails, `isWritable` is false, as after a failed write. */
    readMarkingOutage,
    write,

    /**
     * False after a write or `readMarkingOutage` has thrown `UNAVAILABLE`, until a write succeeds. After an error
     * that may concern that work alone, it stays true until `probeWrite` fails, too.
     */
    isWritable: () => isWritable,

    /** Tries a write that leaves nothing behind, unless the last ones succeeded. Throws `UNAVAILABLE` if it fails. */
    async probeWrite(): Promise<void> {
      if (isWritable && !isDoubtful) return;
      await writeMarking(markOutage, database.probeWrite);
    },
  };
}
