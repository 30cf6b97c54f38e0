import { chmodSync, existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Kysely } from 'kysely';
import { type Contents, contentsQuery, toContents } from '../contents.ts';
import { applyMigrations, refuseNewerVersion } from '../migrations.ts';
import type { Tables } from '../tables.ts';
import { CORRUPT, codeOf, dialectOf, NOTADB } from './dialect.ts';

/** Returns the contents of an undamaged database with an unaltered schema. Throws one line that begins with the path. */
export async function readDatabaseFile(path: string, check: 'quick_check' | 'integrity_check'): Promise<Contents> {
  try {
    using database = openToRead(path);
    refuseDamaged(database, check);
    const db = new Kysely<Tables>({ dialect: dialectOf(database) });
    const applied = await refuseNewerVersion(db, `DATABASE_URL='${path}' `);
    await refuseAltered(database, applied);
    return contentsOf(database);
  } catch (error) {
    throw toDatabaseFault(path, error);
  }
}

/** Opens a database read-only. Also reads its write-ahead log, if there is one; if not, SQLite creates none. */
export function openToRead(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  // Even a read-only connection creates -wal and -shm. `immutable` prevents that, but ignores a log and takes no locks.
  if (!sidecars.some((suffix) => existsSync(path + suffix))) url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true, timeout: 5_000 });
  database.exec('pragma trusted_schema = off');
  return database;
}

const contentsOf = (database: DatabaseSync): Contents =>
  toContents(
    database.prepare(contentsQuery('select page_count * page_size from pragma_page_count, pragma_page_size')).get(),
  );

function refuseDamaged(database: DatabaseSync, check: string): void {
  const [result] = Object.values(database.prepare(`pragma ${check}(1)`).get() ?? {});
  if (result !== 'ok') throw new Error(`is damaged: ${String(result).replace(/\s+/g, ' ')}`);
}

/** Returns a one-line error that begins with the path and says what is wrong with the database. */
function toDatabaseFault(path: string, error: unknown): Error {
  const { message } = error as Error;
  const code = codeOf(error);
  if (code === NOTADB) return new Error(`${path}: is not an SQLite database`);
  if (code === CORRUPT) return new Error(`${path}: is damaged: ${message}`);
  return new Error(`${path}: ${code === 0 ? message : `cannot be read: ${message}`}`, { cause: error });
}

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

/** Throws an error that names the first difference between a database's schema and the schema of the applied migrations. */
export async function refuseAltered(database: DatabaseSync, applied: readonly string[]): Promise<void> {
  const [all, wanted] = [schemaOf(database), await schemaAfter(applied)];
  for (const row of [...all, ...wanted]) {
    const [actual, expected] = [all.find(isNamedAs(row)), wanted.find(isNamedAs(row))];
    if (actual?.sql === expected?.sql && actual?.tbl_name === expected?.tbl_name) continue;
    const difference = expected === undefined ? 'was added' : actual === undefined ? 'is missing' : 'was changed';
    throw new Error(`its schema is not the one that candidate-profile makes: ${describe(row)} ${difference}`);
  }
}

const isNamedAs = (one: SchemaRow) => (other: SchemaRow) => one.type === other.type && one.name === other.name;

/** Returns the type and name without characters that could control a terminal. */
const describe = ({ type, name }: SchemaRow) => `${type} ${name.slice(0, 60).replace(/\W/g, '?')}`;

async function schemaAfter(applied: readonly string[]): Promise<SchemaRow[]> {
  const database = new DatabaseSync(':memory:');
  const db = new Kysely<Tables>({ dialect: dialectOf(database) });
  try {
    await applyMigrations(db, applied);
    return schemaOf(database);
  } finally {
    await db.destroy();
  }
}

/** Returns the schema without the tables of ANALYZE, but with triggers that have such a name. */
function schemaOf(database: DatabaseSync): SchemaRow[] {
  const rows = database.prepare('select type, name, tbl_name, sql from sqlite_schema').all() as unknown as SchemaRow[];
  return rows.filter(({ type, name }) => type !== 'table' || !/^sqlite_stat\d$/.test(name));
}

/** The suffixes of the files that SQLite keeps beside a database while it is open, and after a crash. */
export const sidecars = ['-wal', '-shm', '-journal'] as const;

/** Returns the mode, such as `644`, of a file that group or others can access; null if they cannot or it is missing. */
export function sharedModeOf(path: string): string | null {
  const { mode = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return mode & 0o077 ? (mode & 0o777).toString(8) : null;
}

/** Revokes the access of group and others to a database and its sidecars, and warns once if they had any. */
export function makePrivate(path: string, warn: (message: string) => void): void {
  const shared = [path, ...sidecars.map((suffix) => path + suffix)].filter((file) => sharedModeOf(file) !== null);
  const [first] = shared;
  if (first === undefined) return;
  const fault = `${first}: was open to other users (mode ${sharedModeOf(first)})`;
  try {
    for (const file of shared) chmodSync(file, statSync(file).mode & 0o700);
    warn(`${fault}; their access has been removed`);
  } catch (error) {
    warn(`${fault}, and still is: its mode cannot be changed (${(error as NodeJS.ErrnoException).code})`);
  }
}
