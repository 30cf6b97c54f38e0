import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { type Contents, contentsQuery, toContents } from '../contents.ts';
import { isKnown } from '../migrations.ts';
import { CORRUPT, codeOf, NOTADB } from './error-codes.ts';
import { sidecars } from './file-mode.ts';
import { refuseAltered } from './schema.ts';

/**
 * Checks that a file is an undamaged database of this program with an unaltered schema, and returns its contents; changes
 * nothing. Throws a one-line error that begins with the path.
 */
export async function readDatabaseFile(path: string, check: 'quick_check' | 'integrity_check'): Promise<Contents> {
  try {
    using database = openToRead(path);
    refuseDamaged(database, check);
    await refuseUnknown(database);
    return contentsOf(database);
  } catch (error) {
    throw toDatabaseFault(path, error);
  }
}

/** Opens a database read-only. If it has a write-ahead log, that is read, too; if not, SQLite creates none. */
export function openToRead(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  // Even a read-only connection would create -wal and -shm. `immutable` prevents that, but also ignores a log and takes no locks.
  if (!sidecars.some((suffix) => existsSync(path + suffix))) url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true, timeout: 5_000 });
  database.exec('pragma trusted_schema = off');
  return database;
}

export const contentsOf = (database: DatabaseSync): Contents =>
  toContents(
    database.prepare(contentsQuery('select page_count * page_size from pragma_page_count, pragma_page_size')).get(),
  );

function refuseDamaged(database: DatabaseSync, check: string): void {
  const [found] = Object.values(database.prepare(`pragma ${check}(1)`).get() ?? {});
  if (found !== 'ok') throw new Error(`is damaged: ${String(found).replace(/\s+/g, ' ')}`);
}

async function refuseUnknown(database: DatabaseSync): Promise<void> {
  const table = database.prepare('select 1 from sqlite_schema where name = ?').get(DEFAULT_MIGRATION_TABLE);
  const rows = table ? database.prepare(`select name from ${DEFAULT_MIGRATION_TABLE}`).all() : [];
  const applied = rows.map(({ name }) => String(name));
  if (!applied.some(isKnown)) throw new Error('is not a database of candidate-profile');
  if (!applied.every(isKnown)) throw new Error('was written by a newer version of candidate-profile; run that version');
  await refuseAltered(database, applied);
}

/** Returns a one-line error that begins with the path and says what is wrong with the database. */
function toDatabaseFault(path: string, error: unknown): Error {
  const { message } = error as Error;
  const code = codeOf(error);
  if (code === NOTADB) return new Error(`${path}: is not an SQLite database`);
  if (code === CORRUPT) return new Error(`${path}: is damaged: ${message}`);
  return new Error(`${path}: ${code === 0 ? message : `cannot be read: ${message}`}`, { cause: error });
}
