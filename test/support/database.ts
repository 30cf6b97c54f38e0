import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Database } from '../../src/adapters/store/database.ts';
import { openPostgres } from '../../src/adapters/store/postgres/postgres.ts';
import { openSqlite } from '../../src/adapters/store/sqlite/sqlite.ts';
import { openStore } from '../../src/adapters/store/store.ts';
import { makeFolder } from './files.ts';
import type { PostgresServer } from './postgres.ts';
import { eventually } from './process.ts';
import { openSqliteFile } from './sqlite-file.ts';

type Server = Pick<PostgresServer, 'createDatabase'>;

// What a test runs on: SQLite, unless the file of tests has imported `on-postgres.ts` first.
let server: Promise<Server> | undefined;
let migrated: Promise<Buffer> | undefined;
let template: Promise<string> | undefined;

/** Puts the databases of all tests of this process on a server. */
export function usePostgres(starting: Promise<Server>): void {
  server = starting;
}

/** Registers a test of what only SQLite has; in a file of tests that runs on PostgreSQL, too, it runs only on SQLite. */
export function testOnSqlite(title: string, run: (t: TestContext) => Promise<void>): void {
  if (server === undefined) test(title, run);
}

/** The addresses of the databases on the server, by the paths that they have on SQLite. */
const addresses = new Map<string, string>();

/** Makes an empty database with all its tables, or without them, and returns its path: the migrations run once a process. */
export async function createDatabase(path: string, { isEmpty = false } = {}): Promise<string> {
  if (server !== undefined) {
    const { createDatabase } = await server;
    template ??= createDatabase().then(migrate);
    addresses.set(path, await createDatabase(isEmpty ? undefined : await template));
    return path;
  }
  if (isEmpty) return path;
  migrated ??= migrateFile();
  writeFileSync(path, await migrated, { mode: 0o600 });
  return path;
}

/** Returns limits of PostgreSQL that a busy machine does not reach. Tests on SQLite hold locks, so they have the limits of the service. */
export const patience = () => (server === undefined ? {} : { lockWaitMilliseconds: 60_000 });

/** Opens a database by its path. */
export function openDatabase(path: string): Database {
  const address = addresses.get(path);
  return address === undefined ? openSqlite(path) : openPostgres(address, patience());
}

/** Makes the database of a service whose data is in a folder, unless that was done before, and returns the settings for it. */
export async function databaseSettings(folder: string): Promise<Record<string, string>> {
  const path = join(folder, 'candidate-profile.db');
  if (server === undefined && !existsSync(path)) await createDatabase(path);
  if (server === undefined) return {};
  if (!addresses.has(path)) await createDatabase(path);
  return { DATABASE_URL: addresses.get(path)!, SIGNING_KEY: signingKey };
}

/** A key for services on PostgreSQL, which keep none on disk. */
export const signingKey = JSON.stringify({
  keys: [
    {
      kty: 'OKP',
      crv: 'Ed25519',
      d: '1JnX14l2eV-Itv8c_Mqnttr6SrnP2wKAt7Ol2q4rqZU',
      x: 'dKHeMgp2dCXtFAgAtiV6nvzSJbFvw2a04lnZYH_UnN8',
    },
    { kty: 'oct', alg: 'HS256', k: 'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc' },
  ],
});

/** Runs SQL on a database by a connection of its own, and returns the rows. */
export function rowsOf(path: string, query: string): Record<string, unknown>[] {
  const address = addresses.get(path);
  if (address !== undefined) return rowsOnServer(address, query);
  using database = openSqliteFile(path);
  return database
    .prepare(query)
    .all()
    .map((row) => ({ ...row }));
}

let querying: ReturnType<typeof startQuerying> | undefined;

/** Starts a thread that queries, so that a test can wait for an answer as it does for SQLite's. */
function startQuerying() {
  const { port1, port2 } = new MessageChannel();
  const done = new Int32Array(new SharedArrayBuffer(4));
  const options = { workerData: { port: port2, done }, transferList: [port2], execArgv: [] };
  new Worker(new URL('./postgres-query.ts', import.meta.url), options).unref();
  return { port: port1, done };
}

function rowsOnServer(url: string, query: string): Record<string, unknown>[] {
  querying ??= startQuerying();
  const { port, done } = querying;
  Atomics.store(done, 0, 0);
  port.postMessage([url, query]);
  Atomics.wait(done, 0, 0);
  const { rows, error } = receiveMessageOnPort(port)!.message;
  if (error !== undefined) throw new Error(error);
  return rows;
}

/** Waits until the server has a transaction that waits for another; on SQLite, one joins the queue when it is called. */
export async function untilOneWaits(path: string): Promise<void> {
  const address = addresses.get(path);
  const waiting = `select 1 from pg_locks join pg_database on pg_database.oid = pg_locks.database
    where datname = current_database() and locktype = 'advisory' and not granted`;
  await eventually(() => address === undefined || rowsOnServer(address, waiting).length > 0);
}

/** Overwrites the root pages of a table and its indexes, so that each of its queries fails as corrupt. */
export function damageTable(path: string, table: string): void {
  const bytes = readFileSync(path);
  for (const { rootpage } of rowsOf(path, `select rootpage from sqlite_schema where tbl_name = '${table}'`))
    bytes.fill(0xff, (Number(rootpage) - 1) * 4_096, Number(rootpage) * 4_096);
  writeFileSync(path, bytes);
}

async function migrate(address: string): Promise<string> {
  await (await openStore(openPostgres(address))).close();
  return address;
}

async function migrateFile(): Promise<Buffer> {
  const folder = makeFolder();
  const path = join(folder, 'empty.db');
  await (await openStore(openSqlite(path))).close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}
