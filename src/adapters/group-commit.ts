import { type Kysely, sql, type Transaction } from 'kysely';
import type { Write } from './mail-queue.ts';
import type { Tables } from './migrations.ts';

interface Waiting {
  /** Does the work; its outcome is told once the commit is known to be on the disk. */
  run(trx: Transaction<Tables>): Promise<() => void>;
  fail(error: unknown): void;
}

/**
 * Transactions of which those that wait while one is under way share the next commit, each still all or nothing. An error
 * that `isFatal`, after which the database has rolled all of them back, fails them all.
 */
export function groupCommits(db: Kysely<Tables>, isFatal: (error: unknown) => boolean): Write {
  let waiting: Waiting[] = [];
  let isRunning = false;

  async function commit(group: readonly Waiting[]): Promise<void> {
    try {
      const tell = await db.transaction().execute(async (trx) => {
        const outcomes: (() => void)[] = [];
        for (const one of group) outcomes.push(await one.run(trx));
        return outcomes;
      });
      for (const outcome of tell) outcome();
    } catch (error) {
      for (const one of group) one.fail(error);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await commit(group);
    }
    isRunning = false;
  }

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({
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
