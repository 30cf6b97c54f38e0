import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';

/** Opens a database file by a connection of its own, which waits for the locks of others, such as of a running service. */
export const openSqliteFile = (path: string, options: DatabaseSyncOptions = {}): DatabaseSync =>
  new DatabaseSync(path, { timeout: 10_000, ...options });
