import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { DatabaseError } from 'pg';
import type { Tables } from '../tables.ts';
import type { PostgresAddress } from './address.ts';
import { ConnectionFault, reasonOf } from './connection-fault.ts';
import { dialectOf } from './dialect.ts';
import type { Limits } from './limits.ts';
import { openPool } from './pool.ts';

/** What is wrong with a server, after its name. */
export class ServerFault extends Error {}

const oldestVersion = 150_000;
const pauseMilliseconds = 500;

/** A migration may take any time, and waits for that of another process. */
const limits: Limits = {
  max: 1,
  connectionTimeoutMillis: 2_000,
  lock_timeout: 60_000,
  statement_timeout: 0,
  query_timeout: 0,
  idle_in_transaction_session_timeout: 60_000,
};

export interface StartOptions {
  /** How long a server that is not up yet is waited for; not at all if not given. */
  readonly startWaitMilliseconds?: number;
  /** Receives one line if the server is waited for. */
  readonly warn?: (message: string) => void;
}

/** Runs `migrate` once the server is up, on a connection without the limits of other work. Throws one line that names the database. */
export async function migrateOnServer(
  address: PostgresAddress,
  migrate: (db: Kysely<Tables>) => Promise<void>,
  { startWaitMilliseconds = 0, warn = () => {} }: StartOptions,
): Promise<void> {
  const db = new Kysely<Tables>({ dialect: dialectOf(openPool(address, limits)) });
  const deadline = performance.now() + startWaitMilliseconds;
  try {
    for (let tries = 0; ; tries += 1) {
      try {
        await refuseServer(db);
        break;
      } catch (error) {
        if (!isNotUpYet(error) || performance.now() >= deadline) throw error;
        if (tries === 0) warn(`${messageOf(error)}; trying again for ${startWaitMilliseconds / 1_000} s`);
      }
      await pause(pauseMilliseconds);
    }
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

/** Codes of a server that starts, stops, or has all its connections in use (SQLSTATE), or that cannot be found or reached yet. */
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
