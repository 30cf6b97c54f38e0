import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresPoolClient } from 'kysely';
import type { Replicas } from '../database.ts';
import type { PostgresAddress } from './address.ts';
import { type Limits, openPool } from './pool.ts';

/** The advisory lock that each replica holds shared, and one holds exclusively while it writes; "repl" in ASCII. */
export const replicasLock = 0x7265706c;

const beatMilliseconds = 1_000;
const retryMilliseconds = 200;

const share = `select pg_try_advisory_lock_shared(${replicasLock}) as taken`;
const take = `select pg_try_advisory_lock(${replicasLock}) as taken`;
const giveBack = `select pg_advisory_unlock(${replicasLock})`;
/** Whether the lock could be taken exclusively. */
const probe = `select case when pg_try_advisory_lock(${replicasLock}) then pg_advisory_unlock(${replicasLock}) else false end as taken`;

interface Options {
  readonly limits: Limits;
  /** How long a replica must have been the only one, because another may be reconnecting. */
  readonly settleMilliseconds: number;
}

/**
 * Counts replicas by an advisory lock, which each holds on a connection of its own while it serves: PostgreSQL frees it
 * when the connection ends.
 */
export function openReplicas(address: PostgresAddress, { limits, settleMilliseconds }: Options): Replicas {
  const pool = openPool(address, { ...limits, max: 1 });
  const closing = new AbortController();
  const { signal } = closing;
  const wait = (milliseconds: number) => pause(milliseconds, undefined, { signal }).catch(() => {});
  let running: Promise<void> = Promise.resolve();
  /** The connection that holds the lock; null while `reason` says why. */
  let held: PostgresPoolClient | null = null;
  let reason = 'with PostgreSQL only the service changes it, at the desk';
  /** When another replica would have reconnected. */
  let settledAt = 0;

  async function hold(onJoined: () => void, onMet: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      const session = await pool.connect().catch(() => null);
      try {
        if (session !== null && (await join(session))) {
          held = session;
          settledAt = performance.now() + settleMilliseconds;
          if (!(await isTaken(session, probe))) await onMet();
          onJoined();
          while (!signal.aborted) {
            if (!(await isTaken(session, probe))) settledAt = performance.now() + settleMilliseconds;
            await wait(beatMilliseconds);
          }
        }
      } catch {
        reason = away;
      }
      held = null;
      session?.release();
      await wait(retryMilliseconds);
    }
  }

  /** Returns false while another replica writes, and behind a pooler. */
  async function join(session: PostgresPoolClient): Promise<boolean> {
    const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid', []);
    // A pooler gives the session, with what it has locked, to other clients, too.
    const isPooled = rows[0]!.pid !== (session as { readonly processID?: number }).processID;
    reason = isPooled ? pooled : away;
    return !isPooled && isTaken(session, share);
  }

  async function isTaken(session: PostgresPoolClient, statement: string): Promise<boolean> {
    return (await session.query<{ taken: boolean }>(statement, [])).rows[0]!.taken;
  }

  return {
    async join(onMet) {
      reason = away;
      const { promise: joined, resolve } = Promise.withResolvers<void>();
      running = hold(resolve, onMet);
      await Promise.race([joined, wait(limits.connectionTimeoutMillis)]);
    },

    async whileAlone(work) {
      const session = held;
      if (session === null) return reason;
      const isAlone = await isTaken(session, take).catch(() => null);
      if (isAlone === null) return away;
      if (!isAlone) return several;
      try {
        const milliseconds = settledAt - performance.now();
        if (milliseconds > 0) return `${settling} ${Math.ceil(milliseconds / 1_000)} s`;
        await work();
        return null;
      } finally {
        await session.query(giveBack, []).catch(() => {});
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
const several = 'other replicas serve from the same database, and this one alone would have the change';
const settling = 'another replica may serve from the same database; whether one does is known in';
