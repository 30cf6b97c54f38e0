import type { Database } from './database.ts';

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
  // Only one of the two is loaded, which takes time at each start.
  if ('url' in place) return (await import('./postgres/postgres.ts')).openPostgres(place.url, options);
  return (await import('./sqlite/sqlite.ts')).openSqlite(place.file, options.warn);
}
