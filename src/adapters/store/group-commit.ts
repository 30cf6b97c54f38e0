import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from './migrations.ts';
import { isLocked } from './sqlite/error-codes.ts';
import { backOff } from './sqlite/lock-wait.ts';

/** Runs the work as one transaction: all or nothing, and durable once the promise resolves. The work uses its `trx` and nothing else. */
export type Write = <Result>(work: (trx: Transaction<Tables>) => Promise<Result>) => Promise<Result>;

interface Waiting {
  /** When it fails if another process still holds the write lock, by `performance.now()`. */
  readonly deadline: number;
  /** Does the work; its outcome is told once the commit is known to be on the disk. */
  run(trx: Transaction<Tables>): Promise<() => void>;
  fail(error: unknown): void;
}

interface Options {
  /** An error after which the database has rolled back all transactions of a commit, which then all fail. */
  readonly isFatal: (error: unknown) => boolean;
  /** How long a transaction waits for the write lock, outside of the database, so that reads go on. */
  readonly lockWaitMilliseconds: number;
}

/** Transactions of which those that wait while one is under way share the next commit, each still all or nothing. */
export function groupCommits(db: Kysely<Tables>, { isFatal, lockWaitMilliseconds }: Options): Write {
  let waiting: Waiting[] = [];
  let isRunning = false;

  function takeWaiting(): readonly Waiting[] {
    const taken = waiting;
    waiting = [];
    return taken;
  }

  /** Commits all that wait. Throws, and has run nothing, if another process holds the write lock. */
  async function commit(): Promise<void> {
    let group: readonly Waiting[] | undefined;
    try {
      const tell = await db.transaction().execute(async (trx) => {
        group = takeWaiting(); // once the lock is held, so that what came during the wait is among them
        const outcomes: (() => void)[] = [];
        for (const one of group) outcomes.push(await one.run(trx));
        return outcomes;
      });
      for (const outcome of tell) outcome();
    } catch (error) {
      if (group === undefined && isLocked(error)) throw error;
      for (const one of group ?? takeWaiting()) one.fail(error);
    }
  }

  function failLate(error: unknown): void {
    const now = performance.now();
    const late = waiting.filter(({ deadline }) => deadline <= now);
    waiting = waiting.filter(({ deadline }) => deadline > now);
    for (const one of late) one.fail(error);
  }

  async function run(): Promise<void> {
    isRunning = true;
    for (let tries = 0; waiting.length > 0; tries += 1) {
      try {
        await commit();
        tries = 0;
      } catch (error) {
        failLate(error);
        await backOff(tries);
      }
    }
    isRunning = false;
  }

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({
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
        fail: reject,
      });
      if (!isRunning) void run();
    });
}
