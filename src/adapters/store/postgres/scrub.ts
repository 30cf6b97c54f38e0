import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { retryWhile, ScrubFault } from '../database.ts';
import { tableFacts } from '../registry.ts';
import type { Tables } from '../tables.ts';
import type { PostgresAddress } from './address.ts';
import { dialectOf } from './dialect.ts';
import { isLocked } from './errors.ts';
import { type Limits, type Notice, openPool, untimed } from './pool.ts';

// The others hold keyed hashes, or nothing of visitors.
const tables = tableFacts.flatMap(([table, { visitors }]) => (visitors === null ? [] : [table]));

/** The advisory lock of processes that rewrite tables; "scrb" in ASCII. */
const scrubLock = 0x73637262;

// Short, because statements on a table queue behind a VACUUM that waits for it, and wait for a second at most.
const lockWaitMilliseconds = 200;
const retryMilliseconds = 250;
const patienceMilliseconds = 10_000;
const otherScrubMilliseconds = 60_000;

/** VACUUM FULL may take longer than other statements may. */
const limits: Limits = { ...untimed, connectionTimeoutMillis: 5_000, lock_timeout: lockWaitMilliseconds };

/** Thrown if a step may succeed later: a transaction still sees a deleted row, or another process rewrites. */
class TemporaryFault extends Error {}

/**
 * Rewrites the tables by VACUUM FULL, so that no deleted row is left in their files, nor in the samples that the
 * planner took of them. Waits for another process that does the same, and up to 10 s for each table. Throws
 * `ScrubFault` if that fails.
 */
export async function scrub(address: PostgresAddress): Promise<void> {
  const notices: Notice[] = [];
  const db = new Kysely<Tables>({ dialect: dialectOf(openPool(address, limits, (notice) => notices.push(notice))) });
  try {
    await db.connection().execute(async (connection) => {
      // For the session, because VACUUM cannot run in a transaction.
      await sql`set lock_timeout = ${sql.lit(lockWaitMilliseconds)}`.execute(connection);
      try {
        await retry(otherScrubMilliseconds, () => takeScrubLock(connection));
        await rewrite(connection, notices);
      } finally {
        // PgBouncer may give the session to another client next.
        await sql`reset lock_timeout`.execute(connection);
        await sql`select pg_advisory_unlock_all()`.execute(connection);
      }
    });
  } catch (error) {
    const message = `Erased data is still in the files of the database, which cannot be rewritten: ${(error as Error).message}; try again when that is solved.`;
    throw new ScrubFault(message, { cause: error });
  } finally {
    await db.destroy();
  }
}

async function rewrite(db: Kysely<Tables>, notices: Notice[]): Promise<void> {
  for (const table of tables)
    await retry(patienceMilliseconds, async () => {
      await removeSamples(db, table);
      await sql`vacuum (full, analyze, verbose) ${sql.table(table)}`.execute(db);
      refuseIncomplete(notices.splice(0));
    });
  await retry(patienceMilliseconds, async () => {
    await sql`vacuum (full, verbose) pg_statistic`.execute(db);
    refuseIncomplete(notices.splice(0));
  });
}

const isTemporary = (error: unknown): boolean => isLocked(error) || error instanceof TemporaryFault;

const retry = (milliseconds: number, step: () => Promise<void>): Promise<void> =>
  retryWhile(isTemporary, milliseconds, step, () => pause(retryMilliseconds));

async function takeScrubLock(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${scrubLock}) as taken`.execute(db);
  if (rows[0]?.taken !== true) throw new TemporaryFault('another process is rewriting them');
}

/** Removes the values that ANALYZE took as samples: it would keep those of a table that is empty now. */
async function removeSamples(db: Kysely<Tables>, table: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = cast(${table} as regclass) and atttypid = 'text'::regtype and not attisdropped`.execute(db);
  // Setting the type of a column removes its samples; setting the type that it has rewrites nothing.
  const columns = rows.map(({ name }) => sql`alter column ${sql.ref(name)} type text collate "C"`);
  await sql`alter table ${sql.table(table)} ${sql.join(columns)}`.execute(db);
}

/** Throws if VACUUM says that it left out a table, or could not leave out a deleted row. */
function refuseIncomplete(notices: readonly Notice[]): void {
  // Class 01 are warnings, such as about a table that another role owns.
  const warnings = notices.flatMap(({ code, message }) => (code?.startsWith('01') === true ? [message] : []));
  if (warnings.length > 0) throw new Error(`${warnings.join('; ')} (the role must own the database and its tables)`);
  // In every language, the detail begins with the number of rows that are deleted and can still be seen.
  if (notices.some(({ detail }) => /^[1-9]/.test(detail ?? '')))
    throw new TemporaryFault('a transaction that began before the erasing still runs, such as that of pg_dump');
}
