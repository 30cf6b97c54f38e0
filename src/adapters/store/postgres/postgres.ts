import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { type PostgresAddress, readAddress } from './address.ts';
import { dialectOf } from './dialect.ts';
import { isLocked, isUnavailable, mayBePartial } from './error-codes.ts';
import { limitsOf } from './limits.ts';
import { openPool } from './pool.ts';
import { scrub } from './scrub.ts';
import { migrateOnServer, type StartOptions } from './start.ts';
import { lockNames, transactionsOf } from './transactions.ts';

interface Options extends StartOptions {
  /** How long work waits for a lock; all its other limits follow from it. 1 s if not given. */
  readonly lockWaitMilliseconds?: number;
}

/** Opens a PostgreSQL database by its address, `postgres://…`; connects when it is first used. Throws a one-line error if the address is wrong. */
export function openPostgres(url: string, { lockWaitMilliseconds = 1_000, ...options }: Options = {}): Database {
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
