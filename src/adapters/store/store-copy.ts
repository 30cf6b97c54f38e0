import { createHash } from 'node:crypto';
import { existsSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { exclusively, type Write } from './database.ts';
import { migrate, refuseNewerVersion, refuseOtherVersion } from './migrations.ts';
import { readAddress } from './postgres/address.ts';
import { dialectOf as postgresDialectOf } from './postgres/dialect.ts';
import { ConnectionFault, reasonOf } from './postgres/errors.ts';
import { openPool, untimed } from './postgres/pool.ts';
import { refuseServer, ServerFault, transactionsOf } from './postgres/postgres.ts';
import { tableFacts } from './registry.ts';
import { openToRead, readDatabaseFile, sidecars } from './sqlite/database-file.ts';
import { dialectOf } from './sqlite/dialect.ts';
import { openSqlite } from './sqlite/sqlite.ts';
import type { DatabasePlace } from './store.ts';
import type { Tables } from './tables.ts';

interface CopySide extends AsyncDisposable {
  /** For messages; without a password. */
  readonly name: string;
  /** The same for the same database, however it was named. */
  readonly identity: string;
}

/** A database that is read, and never written. */
interface CopySource extends CopySide {
  readonly db: Kysely<Tables>;
  /** Begins a transaction that sees one state of the database, and lets others write to it. */
  readonly beginSnapshot: RawBuilder<unknown>;
}

/** A database that is written as one transaction. Disposed of without `keep`, it leaves no new file behind. */
interface CopyTarget extends CopySide {
  readonly write: Write;
  /** Makes the row ids of each table continue after the highest one that was copied. */
  restartRowIds(trx: Transaction<Tables>): Promise<void>;
  keep(): void;
}

const lockWaitMilliseconds = 5_000;
const serverWaitMilliseconds = 10_000;

/** Opens a database, which may be in use, to copy from it. Throws one line if it is damaged or not of this program. */
export async function openCopySource(place: DatabasePlace): Promise<CopySource> {
  if ('url' in place) return connect(place.url);
  const path = place.file;
  if (!existsSync(path)) throw new Error(`${path}: does not exist`);
  await readDatabaseFile(path, 'integrity_check');
  // Not read-only: the last connection that closes a database removes its -wal and -shm, unless it is read-only.
  const database = new DatabaseSync(path, { timeout: lockWaitMilliseconds });
  database.exec('pragma trusted_schema = off; pragma query_only = on');
  const db = new Kysely<Tables>({ dialect: dialectOf(database) });
  const dispose = () => db.destroy();
  return { name: path, identity: identityOf(path), db, beginSnapshot: sql`begin`, [Symbol.asyncDispose]: dispose };
}

/** Opens a database to copy to it; creates a missing file. Throws one line if it is not of this program. */
export async function openCopyTarget(place: DatabasePlace): Promise<CopyTarget> {
  if ('url' in place) return connect(place.url);
  const path = place.file;
  const isNew = !existsSync(path);
  if (!existsSync(dirname(path))) throw new Error(`${path}: cannot be created: its folder does not exist`);
  if (!isNew && !isEmpty(path)) await readDatabaseFile(path, 'quick_check');
  const database = openSqlite(path);
  const db = new Kysely<Tables>({ dialect: database.dialect });
  let isKept = !isNew;
  return {
    name: path,
    identity: identityOf(path),
    write: database.openWrite(db, lockWaitMilliseconds),
    restartRowIds: async () => {}, // SQLite gives the next row the highest id and one
    keep() {
      isKept = true;
    },
    async [Symbol.asyncDispose]() {
      await db.destroy();
      if (!isKept) for (const suffix of ['', ...sidecars]) rmSync(path + suffix, { force: true });
    },
  };
}

/** Connects to a PostgreSQL database, to copy from it or to it. */
async function connect(url: string): Promise<CopySource & CopyTarget> {
  const address = readAddress(url);
  const { name } = address;
  // Untimed: statements on a large table, and the pauses while the other database is read, take long.
  const limits = { ...untimed, connectionTimeoutMillis: serverWaitMilliseconds, lock_timeout: serverWaitMilliseconds };
  const db = new Kysely<Tables>({ dialect: postgresDialectOf(openPool(address, limits)) });
  try {
    await refuseServer(db);
    // The time of the start is in microseconds: no two servers share it.
    const { rows } = await sql<{ identity: string }>`
      select concat_ws('/', extract(epoch from pg_postmaster_start_time()), oid, current_schema()) as identity
      from pg_database where datname = current_database()`.execute(db);
    return {
      name,
      identity: rows[0]!.identity,
      db,
      beginSnapshot: sql`begin isolation level repeatable read, read only`,
      write: transactionsOf(db, serverWaitMilliseconds),
      restartRowIds,
      keep() {},
      [Symbol.asyncDispose]: () => db.destroy(),
    };
  } catch (error) {
    await db.destroy();
    if (error instanceof ConnectionFault) throw error;
    const reason = error instanceof ServerFault ? error.message : `cannot be used: ${reasonOf(error)}`;
    throw new Error(`${name} ${reason}`, { cause: error });
  }
}

/** Sets each identity column by ALTER TABLE, which a rollback undoes; `setval` it would not. */
async function restartRowIds(trx: Transaction<Tables>): Promise<void> {
  for (const { name, rowIds } of await tablesOf(trx))
    for (const id of rowIds.map((column) => sql.ref(column))) {
      const last = sql<{ next: number }>`select coalesce(max(${id}), 0) + 1 as next from ${sql.table(name)}`;
      const { next } = (await last.execute(trx)).rows[0]!;
      await sql`alter table ${sql.table(name)} alter column ${id} restart with ${sql.lit(next)}`.execute(trx);
    }
}

function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}/${ino}`;
}

/** Whether a file is a database without tables, as an interrupted copy leaves it. */
function isEmpty(path: string): boolean {
  try {
    using database = openToRead(path);
    return database.prepare('select 1 from sqlite_schema').get() === undefined;
  } catch {
    return false;
  }
}

/** How many rows a table has, and a SHA-256 over all of them in the order of their key. */
interface Digest {
  readonly rows: number;
  readonly sha256: string;
}

/** The digest of each table that was copied. */
export type StoreCopy = Record<keyof Tables, Digest>;

/** A table with its columns. Rows are read in the order of its key, without those that `secret`, in SQL, selects. */
interface Table {
  readonly name: string;
  readonly key: readonly string[];
  readonly secret: string;
  readonly columns: readonly string[];
  /** The columns that PostgreSQL numbers. */
  readonly rowIds: readonly string[];
}

type Row = Record<string, unknown>;

/**
 * Copies all rows of one database to another, whose tables it creates, in one transaction, and compares both before the
 * commit. Throws a one-line error, and leaves the target as it was, if the source is not of this version of the
 * program, the target has rows, the two differ after the copy, or `signal` is aborted.
 */
export async function copyStore(source: CopySource, target: CopyTarget, signal: AbortSignal): Promise<StoreCopy> {
  if (source.identity === target.identity) throw new Error(`${target.name}: is the database that is copied`);
  return await source.db.connection().execute(async (snapshot) => {
    await source.beginSnapshot.execute(snapshot);
    try {
      await refuseOtherVersion(snapshot).catch(faultOf(source));
      const copy = async (trx: Transaction<Tables>) => {
        const tables = await createTables(trx).catch(faultOf(target));
        await refuseAltered(snapshot, tables).catch(faultOf(source));
        const expected = new Map<string, Digest>();
        for (const table of tables) expected.set(table.name, await copyRows(snapshot, trx, table, signal));
        for (const table of tables) await refuseOther(trx, table, expected.get(table.name)!, signal);
        await target.restartRowIds(trx);
        signal.throwIfAborted();
        return Object.fromEntries(expected) as StoreCopy;
      };
      return await target.write(copy, exclusively);
    } finally {
      await sql`rollback`.execute(snapshot).catch(() => {}); // the connection may be lost
    }
  });
}

const faultOf =
  ({ name }: CopySide) =>
  (error: Error): never => {
    throw new Error(`${name}: ${error.message}`, { cause: error });
  };

/** Returns those tables of the store that a database has. */
async function tablesOf(db: Kysely<Tables>): Promise<Table[]> {
  const found = new Map((await db.introspection.getTables()).map(({ name, columns }) => [name, columns]));
  return tableFacts.flatMap(([name, { key, secret }]) => {
    const columns = found.get(name);
    if (columns === undefined) return [];
    const rowIds = columns.flatMap((column) => (column.isAutoIncrementing ? [column.name] : []));
    return [{ name, key, secret: secret ?? 'false', columns: columns.map((column) => column.name).sort(), rowIds }];
  });
}

/** Creates the missing tables, and returns all. Throws if the database has rows, or tables of another program. */
async function createTables(trx: Transaction<Tables>): Promise<Table[]> {
  if ((await tablesOf(trx)).length > 0) await refuseNewerVersion(trx);
  await migrate(trx);
  const tables = await tablesOf(trx);
  for (const { name } of tables) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(trx);
    if (rows.length > 0) throw new Error(`is not empty (${name} has rows); name an empty database`);
  }
  return tables;
}

async function refuseAltered(db: Kysely<Tables>, expected: readonly Table[]): Promise<void> {
  const found = await tablesOf(db);
  for (const { name, columns } of expected)
    if (found.find((table) => table.name === name)?.columns.join() !== columns.join())
      throw new Error(`its schema is not the one that candidate-profile makes: table ${name} was changed`);
}

/** Copies the rows of a table, and returns what was read. */
async function copyRows(from: Kysely<Tables>, to: Kysely<Tables>, table: Table, signal: AbortSignal): Promise<Digest> {
  const { name, columns } = table;
  const insert = async (page: readonly Row[]): Promise<void> => {
    const values = page.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    await sql`insert into ${sql.table(name)} (${listOf(columns)}) values ${sql.join(values)}`.execute(to);
  };
  return await digestOf(from, table, signal, insert).catch((error: Error) => {
    signal.throwIfAborted();
    throw new Error(`${name} cannot be copied: ${error.message}; nothing was changed`, { cause: error });
  });
}

async function refuseOther(db: Kysely<Tables>, table: Table, expected: Digest, signal: AbortSignal): Promise<void> {
  const { rows, sha256 } = await digestOf(db, { ...table, secret: 'false' }, signal);
  if (rows !== expected.rows || sha256 !== expected.sha256)
    throw new Error(
      `${table.name}: the copy differs from the source (${rows} rows of ${expected.rows}), so it was undone`,
    );
}

// So few that the longest rows of a page take some megabytes.
const pageSize = 500;

const listOf = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));

/** Reads a table in pages in the order of its key, which is that of the bytes on both databases. */
async function digestOf(
  db: Kysely<Tables>,
  { name, key, secret, columns }: Table,
  signal: AbortSignal,
  onPage: (page: readonly Row[]) => Promise<void> = async () => {},
): Promise<Digest> {
  const hash = createHash('sha256');
  let count = 0;
  let last: Row | undefined;
  do {
    await nextTurn(); // SQLite blocks the event loop, in which an interruption arrives
    signal.throwIfAborted();
    const from = last;
    const after = from && sql`and (${listOf(key)}) > (${sql.join(key.map((column) => from[column]))})`;
    const { rows } = await sql<Row>`
      select ${listOf(columns)} from ${sql.table(name)} where not (${sql.raw(secret)}) ${after ?? sql``}
      order by ${listOf(key)} limit ${sql.lit(pageSize)}`.execute(db);
    for (const row of rows) hash.update(`${JSON.stringify(columns.map((column) => row[column]))}\n`);
    count += rows.length;
    if (rows.length > 0) await onPage(rows);
    last = rows.length < pageSize ? undefined : rows.at(-1);
  } while (last !== undefined);
  return { rows: count, sha256: hash.digest('hex') };
}
