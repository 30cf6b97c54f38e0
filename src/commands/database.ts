import type { Contents } from '../adapters/store/contents.ts';
import { pluralize } from '../model/text.ts';
import type { Config } from '../service/config/config.ts';

/** Returns the path of the SQLite database. Throws one line that names pg_dump or pg_restore if the database is PostgreSQL. */
export function databaseFileOf({ database }: Config, instead: string): string {
  if ('file' in database) return database.file;
  throw new Error(`${database.name} is a PostgreSQL database, not a file: use ${instead}`);
}

/** Returns what a person recognizes a database by: `3 contacts, 1 token, 0 mails waiting`. */
export const summaryOf = ({ contacts, tokens, waiting }: Contents): string =>
  `${pluralize(contacts, 'contact')}, ${pluralize(tokens, 'token')}, ${pluralize(waiting, 'mail')} waiting`;
