import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Write } from './database.ts';
import { migrate, refuseNewerVersion, refuseOtherVersion } from './migrations.ts';
import { tableFacts } from './registry.ts';
import type { Tables } from './tables.ts';

/** What was copied of a table: how many rows, and a SHA-256 over all of them in the order of their key. */
export interface TableCopy {
  readonly rows: number;
  readonly sha256: string;
}

export type StoreCopy = Record<keyof Tables, TableCopy>;

/** A table with the names of its columns. Rows are read and compared in the order of its key. */
interface Table {
  readonly name: string;
  readonly key: readonly string[];
  /** A condition in SQL on the rows that are left out. */
  readonly secret: string;
  readonly columns: readonly string[];
}

type Row = Record<string, unknown>;

// So few that the longest rows of a page take some megabytes.
const pageSize = 500;

/**
 * Copies all rows of one database to another, whose tables it creates, in one transaction, and compares both before the commit.
 * Throws a one-line error, and leaves the target as it was, if the source is not of this version of the program, the target has
 * rows, the two differ after the copy, or `signal` is aborted.
 */
export async function copyStore(source: CopySource, target: CopyTarget, signal: AbortSignal): Promise<StoreCopy> {
  if (source.identity === target.identity) throw new Error(`${target.name}: is the database that is copied`);
  return await source.db.connection().execute(async (snapshot) => {
    await source.beginSnapshot.execute(snapshot);
    try {
      await prefixed(source.name, refuseOtherVersion(snapshot));
      return await target.write(
        async (trx) => {
          if ((await tablesOf(trx)).length > 0) await prefixed(target.name, refuseNewerVersion(trx));
          await prefixed(target.name, migrate(trx));
          const tables = await tablesOf(trx);
          await refuseRows(trx, tables, target.name);
          await refuseAltered(await tablesOf(snapshot), tables, source.name);
          for (const table of tables) {
            await copyRows(snapshot, trx, table, signal).catch((error: Error) => {
              signal.throwIfAborted();
              throw new Error(`${table.name} cannot be copied: ${error.message}; nothing was changed`, {
                cause: error,
              });
            });
          }
          const copies: Partial<Record<string, TableCopy>> = {};
          for (const table of tables) copies[table.name] = await compare(snapshot, trx, table, signal);
          await target.restartRowIds(trx);
          signal.throwIfAborted();
          return copies as StoreCopy;
        },
        { isExclusive: true },
      );
    } finally {
      await sql`rollback`.execute(snapshot).catch(() => {}); // the connection may be lost
    }
  });
}

async function prefixed<Result>(name: string, work: Promise<Result>): Promise<Result> {
  return await work.catch((error: Error) => {
    throw new Error(`${name}: ${error.message}`, { cause: error });
  });
}

/** Returns those tables of the store that a database has. */
async function tablesOf(db: Kysely<Tables>): Promise<Table[]> {
  const found = await db.introspection.getTables();
  return tableFacts.flatMap(([name, { key, secret }]) => {
    const table = found.find((one) => one.name === name);
    return table === undefined
      ? []
      : [{ name, key, secret, columns: table.columns.map((column) => column.name).sort() }];
  });
}

async function refuseRows(db: Kysely<Tables>, tables: readonly Table[], name: string): Promise<void> {
  for (const table of tables) {
    const { rows } = await sql`select 1 from ${sql.table(table.name)} limit 1`.execute(db);
    if (rows.length > 0) throw new Error(`${name}: is not empty (${table.name} has rows); name an empty database`);
  }
}

function refuseAltered(found: readonly Table[], expected: readonly Table[], name: string): void {
  for (const table of expected) {
    const columns = found.find((one) => one.name === table.name)?.columns ?? [];
    if (columns.join() !== table.columns.join())
      throw new Error(
        `${name}: its schema is not the one that candidate-profile makes: table ${table.name} was changed`,
      );
  }
}

async function copyRows(from: Kysely<Tables>, to: Kysely<Tables>, table: Table, signal: AbortSignal): Promise<void> {
  const columns = sql.join(table.columns.map((column) => sql.ref(column)));
  for await (const page of pagesOf(from, table, signal)) {
    const values = page.map((row) => sql`(${sql.join(table.columns.map((column) => row[column]))})`);
    await sql`insert into ${sql.table(table.name)} (${columns}) values ${sql.join(values)}`.execute(to);
  }
}

async function compare(
  from: Kysely<Tables>,
  to: Kysely<Tables>,
  table: Table,
  signal: AbortSignal,
): Promise<TableCopy> {
  const expected = await digestOf(from, table, signal);
  const found = await digestOf(to, { ...table, secret: 'false' }, signal);
  if (expected.rows !== found.rows || expected.sha256 !== found.sha256)
    throw new Error(
      `${table.name}: the copy differs from the source (${found.rows} rows of ${expected.rows}), so it was undone`,
    );
  return found;
}

async function digestOf(db: Kysely<Tables>, table: Table, signal: AbortSignal): Promise<TableCopy> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const page of pagesOf(db, table, signal)) {
    rows += page.length;
    for (const row of page) hash.update(`${JSON.stringify(table.columns.map((column) => row[column]))}\n`);
  }
  return { rows, sha256: hash.digest('hex') };
}

/** Yields the rows in the order of their key, which is that of the bytes on both databases. */
async function* pagesOf(
  db: Kysely<Tables>,
  { name, key, secret, columns }: Table,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  const order = sql.join(key.map((column) => sql.ref(column)));
  const selected = sql.join(columns.map((column) => sql.ref(column)));
  let last: Row | undefined;
  do {
    await nextTurn(); // SQLite blocks the event loop, in which an interruption arrives
    signal.throwIfAborted();
    const from = last;
    const after = from === undefined ? sql`` : sql`and (${order}) > (${sql.join(key.map((column) => from[column]))})`;
    const { rows } = await sql<Row>`
      select ${selected} from ${sql.table(name)} where not (${sql.raw(secret)}) ${after} order by ${order} limit ${sql.lit(pageSize)}
    `.execute(db);
    if (rows.length > 0) yield rows;
    last = rows.length < pageSize ? undefined : rows.at(-1);
  } while (last !== undefined);
}

interface CopySide extends AsyncDisposable {
  /** For messages; without a password. */
  readonly name: string;
  /** The same for the same database, however it was named. */
  readonly identity: string;
}

/** A database that is read, and never written. */
export interface CopySource extends CopySide {
  readonly db: Kysely<Tables>;
  /** Begins a transaction that sees one state of the database, and lets others write to it. */
  readonly beginSnapshot: RawBuilder<unknown>;
}

/** A database that is written as one transaction. Disposed of without `keep`, it leaves no file behind that was not there before. */
export interface CopyTarget extends CopySide {
  readonly write: Write;
  /** Makes the row ids of each table continue after the highest one that was copied. */
  restartRowIds(trx: Transaction<Tables>): Promise<void>;
  keep(): void;
}
