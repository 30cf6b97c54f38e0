import type { Config } from '../service/config/config.ts';

/** Returns the path of the SQLite database. Throws one line that names pg_dump or pg_restore if the database is PostgreSQL. */
export function databaseFileOf({ database }: Config, instead: string): string {
  if ('file' in database) return database.file;
  throw new Error(`${database.name} is a PostgreSQL database, not a file: use ${instead}`);
}
