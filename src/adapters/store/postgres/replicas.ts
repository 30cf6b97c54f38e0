import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Replicas } from '../database.ts';

/** The advisory lock that each replica holds shared, and a writer exclusively; "repl" in ASCII. */
export const replicasLock = 0x7265706c;

const beatMilliseconds = 1_000;
const retryMilliseconds = 200;
const joinMilliseconds = 1_000;

/**
 * Counts replicas by an advisory lock, each on a connection of its own, which ends with it. One must have been alone for
 * `settleMilliseconds` before it writes, because another may be reconnecting.
 */
export function openReplicas(pool: PostgresPool, settleMilliseconds: number): Replicas {
  const closing = new AbortController();
  const { signal } = closing;
  const wait = (milliseconds: number) => pause(milliseconds, undefined, { signal }).catch(() => {});
  let running: Promise<void> = Promise.resolve();
  /** The connection that holds the lock; null while `reason` says why. */
  let held: PostgresPoolClient | null = null;
  let reason = 'with PostgreSQL only the service changes it, at the desk';
  /** When another replica would have reconnected. */
  let settledAt = 0;

  async function ask(session: PostgresPoolClient, expression: string): Promise<boolean> {
    const { rows } = await session.query<{ answer: boolean }>(`select ${expression} as answer`, []);
    return rows[0]!.answer;
  }

  async function isAlone(session: PostgresPoolClient): Promise<boolean> {
    const probe = `pg_try_advisory_lock(${replicasLock}) then pg_advisory_unlock(${replicasLock})`;
    const isOnly = await ask(session, `case when ${probe} else false end`);
    if (!isOnly) settledAt = performance.now() + settleMilliseconds;
    return isOnly;
  }

  /** Returns false while another replica writes, and behind a pooler. */
  async function share(session: PostgresPoolClient): Promise<boolean> {
    // A pooler passes the session, with its locks, on to other clients, too.
    const { processID } = session as { readonly processID?: number };
    const isDirect = await ask(session, `pg_backend_pid() = ${processID}`);
    reason = isDirect ? away : pooled;
    return isDirect && (await ask(session, `pg_try_advisory_lock_shared(${replicasLock})`));
  }

  async function hold(onJoined: () => void, onMet: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      const session = await pool.connect().catch(() => null);
      try {
        if (session !== null && (await share(session))) {
          settledAt = performance.now() + settleMilliseconds;
          held = session;
          if (!(await isAlone(session))) await onMet();
          onJoined();
          for (; !signal.aborted; await wait(beatMilliseconds)) await isAlone(session);
        }
      } catch {
        reason = away;
      }
      held = null;
      session?.release();
      await wait(retryMilliseconds);
    }
  }

  return {
    async join(onMet) {
      reason = away;
      const { promise: joined, resolve } = Promise.withResolvers<void>();
      running = hold(resolve, onMet);
      await Promise.race([joined, wait(joinMilliseconds)]);
    },

    async whileAlone(work) {
      const session = held;
      if (session === null) return reason;
      const isTaken = await ask(session, `pg_try_advisory_lock(${replicasLock})`).catch(() => null);
      if (isTaken === null) return away;
      if (!isTaken) return 'other replicas serve from the same database, and this one alone would have the change';
      try {
        const seconds = Math.ceil((settledAt - performance.now()) / 1_000);
        if (seconds > 0)
          return `another replica may serve from the same database; whether one does is known in ${seconds} s`;
        await work();
        return null;
      } finally {
        await ask(session, `pg_advisory_unlock(${replicasLock})`).catch(() => {});
      }
    },

    async close() {
      closing.abort();
      await running;
      await pool.end();
    },
  };
}

const away = 'the database cannot be used at the moment';
const pooled =
  'DATABASE_URL leads through a pooler such as PgBouncer, behind which replicas with a file of their own are not seen';
