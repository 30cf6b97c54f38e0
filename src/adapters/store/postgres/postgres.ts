import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, sql, type Transaction } from 'kysely';
import { DatabaseError } from 'pg';
import { type Database, retryWhile, ScrubFault, type Write } from '../database.ts';
import { tableFacts } from '../registry.ts';
import type { Tables } from '../tables.ts';
import { dialectOf } from './dialect.ts';
import { ConnectionFault, isLocked, isUnavailable, mayBePartial } from './errors.ts';
import { openPool, type PostgresAddress, readAddress, type ServerNotice } from './pool.ts';
import { openReplicas } from './replicas.ts';

export interface PostgresOptions {
  /** How long work waits for a lock; all its other limits follow from it. 1 s by default. */
  readonly lockWaitMilliseconds?: number;
  /** How long to wait for a server that is not up yet at the start; not at all by default. */
  readonly startWaitMilliseconds?: number;
  /** How long a replica must have been the only one before it writes; 10 s by default. */
  readonly settleMilliseconds?: number;
  readonly warn?: (message: string) => void;
}

/** Opens a PostgreSQL database, and connects when it is first used. Throws one line if the address is wrong. */
export function openPostgres(url: string, options: PostgresOptions = {}): Database {
  const { lockWaitMilliseconds = 1_000, settleMilliseconds = 10_000 } = options;
  const address = readAddress(url);
  const limits = { connectionTimeoutMillis: lockWaitMilliseconds, query_timeout: 1.5 * lockWaitMilliseconds };
  return {
    dialect: dialectOf(openPool(address, limits)),
    isLocked,
    isUnavailable,
    mayBePartial,
    migrate: (_db, migrate) => migrateOnServer(address, migrate, options),
    openWrite: transactionsOf,
    async lockNames(trx, names) {
      await sql`select pg_advisory_xact_lock(${namesLock}, hashtext(name)) from (${names}) as locked`.execute(trx);
    },
    async readClock(db) {
      const { rows } = await sql<{ instant: Date }>`select clock_timestamp() as instant`.execute(db);
      return rows[0]!.instant;
    },
    async readVersion(db) {
      // Identifies the transactions that have ended; changes with each one that has written something.
      const { rows } = await sql<{ version: string }>`select pg_current_snapshot()::text as version`.execute(db);
      return rows[0]!.version;
    },
    async probeWrite(trx) {
      // A standby refuses this, even though it changes no row.
      await sql`update quota_windows set used = used where false`.execute(trx);
    },
    replicas: openReplicas(openPool(address, { ...limits, max: 1 }), settleMilliseconds),
    scrub: () => scrub(address),
    // In the collation of the columns, and maybe of the database, LOWER converts only ASCII letters.
    lowerCase: (text) => sql`lower(${text} collate "und-x-icu")`,
    toJson: (values) => sql`cast(${JSON.stringify(values, toStorable)} as jsonb)`,
    elementsOf: (array) => sql`jsonb_array_elements(${array})`,
  };
}

// PostgreSQL refuses the JSON escapes of U+0000 and of lone surrogates.
const toStorable = (_key: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd').toWellFormed() : value;

/** Runs `migrate` once the server is up, on one connection without limits. Throws one line that names the database. */
async function migrateOnServer(
  address: PostgresAddress,
  migrate: (db: Kysely<Tables>) => Promise<void>,
  { startWaitMilliseconds = 0, warn = () => {} }: PostgresOptions,
): Promise<void> {
  const db = new Kysely<Tables>({ dialect: dialectOf(openPool(address, { max: 1, connectionTimeoutMillis: 2_000 })) });
  const wait = async (tries: number, error: unknown) => {
    if (tries === 0) warn(`${(error as Error).message}; trying again for ${startWaitMilliseconds / 1_000} s`);
    await pause(500);
  };
  try {
    await retryWhile(isNotUpYet, startWaitMilliseconds, () => sql`select 1`.execute(db), wait);
    await refuseServer(db, address);
    await migrate(db);
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof ConnectionFault) throw new Error(`DATABASE_URL: ${message}`, { cause: error });
    if (error instanceof DatabaseError)
      throw new Error(`DATABASE_URL: ${address.name} cannot be used: ${message}`, { cause: error });
    throw error;
  } finally {
    await db.destroy();
  }
}

/** Codes of a server that is starting, stopping or has no connection left (SQLSTATE), or that cannot be reached yet. */
const notUpYet = new Set(['57P03', '57P01', '53300', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN']);

const isNotUpYet = (error: unknown): boolean =>
  error instanceof ConnectionFault && (error.code === undefined || notUpYet.has(error.code));

/** Throws if the store does not support the version or the encoding of the server. */
export async function refuseServer(db: Kysely<Tables>, { name }: PostgresAddress): Promise<void> {
  const { rows } = await sql<{ version: string; number: number; encoding: string }>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding
  `.execute(db);
  const { version, number, encoding } = rows[0]!;
  if (number < 150_000) throw new ConnectionFault(`${name} is PostgreSQL ${version}, and must be 15 or later`);
  if (encoding !== 'UTF8')
    throw new ConnectionFault(`${name} has the encoding ${encoding}: create it with ENCODING 'UTF8'`);
}

/** The advisory lock of the store, which exclusive work takes exclusively and all other work shares; "prof" in ASCII. */
const storeLock = 0x70726f66;
/** The advisory locks of names; "name" in ASCII. Two names with one hash wait for each other, which does no harm. */
const namesLock = 0x6e616d65;

/** Runs each piece of work as a transaction: PostgreSQL lets concurrent commits share an fsync. */
const transactionsOf =
  (db: Kysely<Tables>, lockWaitMilliseconds: number): Write =>
  (work, { isExclusive = false } = {}) =>
    retryWhile(isLocked, lockWaitMilliseconds, () =>
      // With another default of the database, work would not see commits made during its wait.
      db
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async (trx) => {
          await begin(trx, lockWaitMilliseconds, isExclusive);
          return await work(trx);
        }),
    );

// If it is off, a crash loses acknowledged commits. With every other value, a commit waits for the disk.
const makeDurable = sql`case current_setting('synchronous_commit')
  when 'off' then set_config('synchronous_commit', 'on', true) end`;

/** Sets the limits of a transaction, then locks. PgBouncer refuses limits of a connection, and passes sessions on. */
async function begin(trx: Transaction<Tables>, lockWaitMilliseconds: number, isExclusive: boolean): Promise<void> {
  const limitOf = (setting: string, factor: number) =>
    sql`set_config(${setting}, ${String(Math.round(factor * lockWaitMilliseconds))}, true)`;
  const lock = sql.raw(isExclusive ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
  await sql`select ${limitOf('lock_timeout', 1)}, ${limitOf('statement_timeout', 1.2)},
    ${limitOf('idle_in_transaction_session_timeout', 2)}, ${makeDurable}, ${lock}(${storeLock})`.execute(trx);
}

/** Thrown while a transaction can still see a deleted row. */
class RowsSeenFault extends Error {}

/** Rewrites the tables with data of visitors, so that no deleted row is left in their files. Throws `ScrubFault`. */
async function scrub(address: PostgresAddress): Promise<void> {
  const notices: ServerNotice[] = [];
  const pool = openPool(address, { max: 1, connectionTimeoutMillis: 5_000 }, (notice) => notices.push(notice));
  const db = new Kysely<Tables>({ dialect: dialectOf(pool) });
  const isTemporary = (error: unknown) => isLocked(error) || error instanceof RowsSeenFault;
  try {
    await db.connection().execute(async (session) => {
      // Other work on a table queues behind a waiting VACUUM, so VACUUM waits only briefly each time.
      await sql`set lock_timeout = 200`.execute(session);
      for (const [table, { kept, cleared }] of tableFacts) {
        if (kept === undefined && cleared === undefined) continue;
        const rewrite = async () => {
          await sql`vacuum (full, analyze, verbose) ${sql.table(table)}`.execute(session);
          refuseIncomplete(notices.splice(0));
        };
        await retryWhile(isTemporary, 10_000, rewrite, () => pause(250));
      }
      await sql`reset lock_timeout`.execute(session); // PgBouncer may give the session to another client next
    });
  } catch (error) {
    const message = `Erased data is still in the files of the database, which cannot be rewritten: ${(error as Error).message}; try again when that is solved.`;
    throw new ScrubFault(message, { cause: error });
  } finally {
    await db.destroy();
  }
}

/** Throws if VACUUM reports that it skipped a table, or could not remove a deleted row. */
function refuseIncomplete(notices: readonly ServerNotice[]): void {
  // Class 01 are warnings, such as about a table that another role owns.
  const warning = notices.find(({ code }) => code?.startsWith('01'));
  if (warning !== undefined) throw new Error(`${warning.message} (the role must own the tables)`);
  // In every language, the detail begins with the number of deleted rows that can still be seen.
  if (notices.some(({ detail }) => /^[1-9]/.test(detail ?? '')))
    throw new RowsSeenFault('a transaction that began before the erasing still runs, such as that of pg_dump');
}
