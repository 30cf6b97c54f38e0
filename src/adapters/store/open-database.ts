import type { Database } from './database.ts';

/** Where the database is: a file of SQLite, or the address of a PostgreSQL database. `name` is for messages; it holds no password. */
export type DatabasePlace =
  | { readonly name: string; readonly file: string }
  | { readonly name: string; readonly url: string };

/** Opens the database in a place; `warn` receives what is wrong with its file. Throws a one-line error. */
export async function openDatabase(place: DatabasePlace, warn: (message: string) => void): Promise<Database> {
  // Only one of the two is loaded, which takes time at each start.
  if ('url' in place) return (await import('./postgres/postgres.ts')).openPostgres(place.url);
  return (await import('./sqlite/sqlite.ts')).openSqlite(place.file, warn);
}
