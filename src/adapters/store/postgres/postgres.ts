import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { DatabaseError } from 'pg';
import { type Database, retryWhile, type Write, type WriteOptions } from '../database.ts';
import type { Tables } from '../tables.ts';
import { type PostgresAddress, readAddress } from './address.ts';
import { dialectOf } from './dialect.ts';
import { ConnectionFault, isLocked, isUnavailable, mayBePartial, reasonOf } from './errors.ts';
import { type Limits, limitsOf, openPool, untimed } from './pool.ts';
import { openReplicas } from './replicas.ts';
import { scrub } from './scrub.ts';

export interface PostgresOptions extends StartOptions {
  /** How long work waits for a lock; all its other limits follow from it. 1 s if not given. */
  readonly lockWaitMilliseconds?: number;
  /** How long a replica must have been the only one before it writes; 10 s if not given. */
  readonly settleMilliseconds?: number;
}

/** Opens a PostgreSQL database, and connects when it is first used. Throws one line if the address is wrong. */
export function openPostgres(
  url: string,
  { lockWaitMilliseconds = 1_000, settleMilliseconds = 10_000, ...options }: PostgresOptions = {},
): Database {
  const address = addressOf(url);
  return {
    dialect: dialectOf(openPool(address, limitsOf(lockWaitMilliseconds))),
    isLocked,
    isUnavailable,
    mayBePartial,
    migrate: (_db, migrate) => migrateOnServer(address, migrate, options),
    openWrite: transactionsOf,
    lockNames,
    async readClock(db) {
      const { rows } = await sql<{ instant: Date }>`select clock_timestamp() as instant`.execute(db);
      return rows[0]!.instant;
    },
    async probeWrite(trx) {
      // Refused by a standby, even though it changes no row.
      await sql`update quota_windows set used = used where false`.execute(trx);
    },
    replicas: openReplicas(address, { limits: limitsOf(lockWaitMilliseconds), settleMilliseconds }),
    scrub: () => scrub(address),
    // In the collation of the columns, and maybe in that of the database, LOWER converts the letters of ASCII alone.
    lowerCase: (text) => sql`lower(${text} collate "und-x-icu")`,
    toJson: (values) => sql`cast(${JSON.stringify(values, toStorable)} as jsonb)`,
    elementsOf: (array) => sql`jsonb_array_elements(${array})`,
  };
}

function addressOf(url: string): PostgresAddress {
  try {
    return readAddress(url);
  } catch (error) {
    throw new Error(`DATABASE_URL: ${(error as Error).message}`, { cause: error });
  }
}

// PostgreSQL refuses the JSON escapes of U+0000 and of lone surrogates.
const toStorable = (_key: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd').toWellFormed() : value;

/** The message says what is wrong with a server, without its name. */
export class ServerFault extends Error {}

const oldestVersion = 150_000;
const pauseMilliseconds = 500;

/** A migration may take any time, and waits for that of another process. */
const limits: Limits = {
  ...untimed,
  connectionTimeoutMillis: 2_000,
  lock_timeout: 60_000,
  idle_in_transaction_session_timeout: 60_000,
};

interface StartOptions {
  /** How long a server that is not up yet is waited for; not at all if not given. */
  readonly startWaitMilliseconds?: number;
  /** Receives one line if the server is waited for. */
  readonly warn?: (message: string) => void;
}

/** Runs `migrate` once the server is up, without the limits of other work. Throws one line that names the database. */
async function migrateOnServer(
  address: PostgresAddress,
  migrate: (db: Kysely<Tables>) => Promise<void>,
  { startWaitMilliseconds = 0, warn = () => {} }: StartOptions,
): Promise<void> {
  const db = new Kysely<Tables>({ dialect: dialectOf(openPool(address, limits)) });
  const wait = async (tries: number, error: unknown) => {
    if (tries === 0) warn(`${messageOf(error)}; trying again for ${startWaitMilliseconds / 1_000} s`);
    await pause(pauseMilliseconds);
  };
  try {
    await retryWhile(isNotUpYet, startWaitMilliseconds, () => refuseServer(db), wait);
    await migrate(db);
  } catch (error) {
    if (error instanceof ConnectionFault) throw new Error(`DATABASE_URL: ${messageOf(error)}`, { cause: error });
    if (error instanceof DatabaseError)
      throw new Error(`DATABASE_URL: ${address.name} cannot be used: ${reasonOf(error)}`, { cause: error });
    if (error instanceof ServerFault) throw new Error(`DATABASE_URL: ${address.name} ${error.message}`);
    throw error;
  } finally {
    await db.destroy();
  }
}

const messageOf = (error: unknown): string => (error as Error).message;

/** Codes of a server that starts, stops or has no connection left (SQLSTATE), or cannot be found or reached yet. */
const notUpYet = new Set(['57P03', '57P01', '53300', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN']);

const isNotUpYet = (error: unknown): boolean =>
  error instanceof ConnectionFault && (error.code === undefined || notUpYet.has(error.code));

/** Throws `ServerFault` if the store does not support the version or the encoding of the server. */
export async function refuseServer(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ version: string; number: number; encoding: string }>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding
  `.execute(db);
  const { version, number, encoding } = rows[0]!;
  if (number < oldestVersion) throw new ServerFault(`is PostgreSQL ${version}, and must be 15 or later`);
  if (encoding !== 'UTF8')
    throw new ServerFault(`has the encoding ${encoding}, and must have UTF8: create it with ENCODING 'UTF8'`);
}

/** The advisory lock of the store, which exclusive work takes alone and all other work shares; "prof" in ASCII. */
const storeLock = 0x70726f66;
/** The advisory locks of names; "name" in ASCII. Two names with one hash wait for each other, which does no harm. */
const namesLock = 0x6e616d65;
const mutexes: Record<NonNullable<WriteOptions['mutex']>, number> = { reads: 2 };

/** Runs each piece of work as a transaction: PostgreSQL lets those that commit at the same time share an fsync. */
export const transactionsOf =
  (db: Kysely<Tables>, lockWaitMilliseconds: number): Write =>
  (work, options = {}) =>
    retryWhile(isLocked, lockWaitMilliseconds, () =>
      // Under another default of the database, work would not see what was committed during the wait.
      db
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async (trx) => {
          await takeLocks(trx, options);
          return await work(trx);
        }),
    );

export async function lockNames(trx: Transaction<Tables>, names: RawBuilder<unknown>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${namesLock}, hashtext(name)) from (${names}) as locked`.execute(trx);
}

async function takeLocks(trx: Transaction<Tables>, { isExclusive = false, mutex }: WriteOptions): Promise<void> {
  if (isExclusive) await sql`select pg_advisory_xact_lock(${storeLock})`.execute(trx);
  else await sql`select pg_advisory_xact_lock_shared(${storeLock})`.execute(trx);
  if (mutex !== undefined) await sql`select pg_advisory_xact_lock(${storeLock}, ${mutexes[mutex]})`.execute(trx);
}
