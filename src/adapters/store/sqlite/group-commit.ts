import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { backOff, type Write } from '../database.ts';
import type { Tables } from '../tables.ts';
import { isLocked } from './error-codes.ts';

const longestWaitMilliseconds = 10;

interface PendingWork {
  /** By `performance.now()`: when the work fails if another process still holds the write lock. */
  readonly deadline: number;
  /** Does the work in a savepoint; returns a function that settles the caller's promise after the commit. */
  run(trx: Transaction<Tables>): Promise<() => void>;
  reject(error: unknown): void;
}

/**
 * Group commit: all work that is requested in one turn of the event loop, during a commit or while another process
 * holds the lock, shares one commit, and so one fsync. Each piece of work has a savepoint, which makes it all or
 * nothing on its own unless its error is fatal, and is acknowledged only after the commit. It waits for the write lock
 * outside of the database, so that reads go on.
 */
export function groupCommits(
  db: Kysely<Tables>,
  isFatal: (error: unknown) => boolean,
  lockWaitMilliseconds: number,
): Write {
  let pending: PendingWork[] = [];
  let isCommitDue = false;
  let isRunning = false;
  let timer: NodeJS.Timeout | undefined;

  function takePending(): readonly PendingWork[] {
    const taken = pending;
    pending = [];
    isCommitDue = false;
    return taken;
  }

  /** Commits all pending work. Throws, and has run none of it, if another process holds the write lock. */
  async function commit(): Promise<void> {
    let group: readonly PendingWork[] | undefined;
    try {
      const settlements = await db.transaction().execute(async (trx) => {
        group = takePending(); // once the lock is held, to include what was requested during the wait for it
        const settlements: (() => void)[] = [];
        for (const work of group) {
          settlements.push(await work.run(trx));
          if (work !== group.at(-1)) await nextTurn(); // so that requests that write nothing are answered in between
        }
        return settlements;
      });
      for (const settle of settlements) {
        settle();
        await nextTurn(); // so that clients that were answered do not all send their next request in one turn
      }
    } catch (error) {
      if (group === undefined && isLocked(error)) throw error;
      for (const work of group ?? takePending()) work.reject(error);
    }
  }

  function rejectOverdue(error: unknown): void {
    const now = performance.now();
    const overdue = pending.filter(({ deadline }) => deadline <= now);
    pending = pending.filter(({ deadline }) => deadline > now);
    for (const work of overdue) work.reject(error);
  }

  async function run(): Promise<void> {
    isRunning = true;
    for (let tries = 0; isCommitDue && pending.length > 0; tries += 1) {
      await nextTurn(); // a commit blocks the event loop: requests that have arrived already join this one
      try {
        await commit();
        tries = 0;
      } catch (error) {
        rejectOverdue(error);
        await backOff(tries);
      }
    }
    isRunning = false;
  }

  function runNow(): void {
    clearTimeout(timer);
    timer = undefined;
    isCommitDue = true;
    if (!isRunning) void run();
  }

  return (work, { canWait = false } = {}) =>
    new Promise((resolve, reject) => {
      pending.push({
        deadline: performance.now() + lockWaitMilliseconds,
        async run(trx) {
          await sql`savepoint work`.execute(trx);
          try {
            const result = await work(trx);
            await sql`release work`.execute(trx);
            return () => resolve(result);
          } catch (error) {
            if (isFatal(error)) throw error;
            await sql`rollback to work`.execute(trx);
            await sql`release work`.execute(trx);
            return () => reject(error);
          }
        },
        reject,
      });
      if (canWait) timer ??= setTimeout(runNow, longestWaitMilliseconds);
      else runNow();
    });
}
