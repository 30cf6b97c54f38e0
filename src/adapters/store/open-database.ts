import type { Database } from './database.ts';
import type { CopySource, CopyTarget } from './store-copy.ts';

/** Where the database is: a file of SQLite, or the address of a PostgreSQL database. `name` is for messages; it holds no password. */
export type DatabasePlace =
  | { readonly name: string; readonly file: string }
  | { readonly name: string; readonly url: string };

interface OpenOptions {
  readonly lockWaitMilliseconds: number;
  /** How long a server that is not up yet is waited for. */
  readonly startWaitMilliseconds: number;
  /** Receives what is wrong with the file, or that a server is waited for. */
  readonly warn: (message: string) => void;
}

/** Opens the database in a place. Throws a one-line error. */
export async function openDatabase(place: DatabasePlace, options: OpenOptions): Promise<Database> {
  // Loads the one that is used alone: loading takes time at each start.
  if ('url' in place) return (await import('./postgres/postgres.ts')).openPostgres(place.url, options);
  return (await import('./sqlite/sqlite.ts')).openSqlite(place.file, options.warn);
}

/** Opens the database in a place to copy from it. Throws a one-line error. */
export async function openCopySource(place: DatabasePlace): Promise<CopySource> {
  if ('url' in place) return (await import('./postgres/copy-sides.ts')).openSourceDatabase(place.url);
  return (await import('./sqlite/copy-sides.ts')).openSourceFile(place.file);
}

/** Opens the database in a place, created if it is a file, to copy to it. Throws a one-line error. */
export async function openCopyTarget(place: DatabasePlace): Promise<CopyTarget> {
  if ('url' in place) return (await import('./postgres/copy-sides.ts')).openTargetDatabase(place.url);
  return (await import('./sqlite/copy-sides.ts')).openTargetFile(place.file);
}
