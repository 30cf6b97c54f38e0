import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { closeToOthers } from './file-mode.ts';

/**
 * Kysely over a SQLite file, created with mode 0600; one that other users can open is taken from them, with a warning. Throws
 * a one-line error if the file cannot be opened or does not take the settings that keep what was acknowledged and let go of
 * what was erased.
 */
export const openSqlite = (path: string, warn: (message: string) => void = () => {}): Dialect =>
  dialectOf(openDatabase(path, warn));

/** Kysely over an open database, which it closes in the end. */
export const dialectOf = (database: DatabaseSync): Dialect => ({
  createDriver: () => new NodeSqliteDriver(database),
  createAdapter: () => new TransactionalSqliteAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});

const settings = {
  journal_mode: 'wal',
  synchronous: 2, // FULL: a commit is on the disk before it is acknowledged
  secure_delete: 1,
  foreign_keys: 1,
  trusted_schema: 0, // a schema that somebody altered calls no function with side effects
  busy_timeout: 0, // SQLite waits for a lock synchronously and so stops the event loop: see lock-wait.ts
};

const openingTimeoutMilliseconds = 5_000; // while nothing is served yet

function openDatabase(path: string, warn: (message: string) => void): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    // SQLite itself would create it readable by all; -wal and -shm take the mode of the file.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    database = new DatabaseSync(path, { timeout: openingTimeoutMilliseconds });
    for (const [name, wanted] of Object.entries(settings)) {
      database.exec(`pragma ${name} = ${wanted}`);
      const [found] = Object.values(database.prepare(`pragma ${name}`).get() ?? {});
      if (found !== wanted) throw new Error(`${name} is ${found} and cannot be set to ${wanted}`);
    }
    closeToOthers(path, warn); // only now: the setting may have named a file that is not a database
    return database;
  } catch (error) {
    database?.close();
    throw new Error(`DATABASE_URL: ${path} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

class NodeSqliteDriver extends SqliteDriver {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    super({ database: toSqliteDatabase(database) });
    this.#database = database;
  }

  // A transaction that begins as a reader cannot wait for its turn to write: it fails at once.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  // SQLite rolls back by itself if the disk is full or fails, and refuses to do it twice.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}

// Kysely says no, for the sake of migrations that switch foreign keys off; ours shall be applied whole or not at all.
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** What Kysely expects of better-sqlite3, in terms of node:sqlite. */
function toSqliteDatabase(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (values) => statement.all(...toBound(values)).map((row) => ({ ...row })), // rows have no prototype
        run: (values) => statement.run(...toBound(values)),
        iterate: (values) => statement.iterate(...toBound(values)),
      };
    },
  };
}

// node:sqlite takes an object that comes first for named parameters and silently shifts the rest.
function toBound(values: readonly unknown[]): SQLInputValue[] {
  const wrong = values.find((value) => typeof value === 'object' && value !== null && !(value instanceof Uint8Array));
  if (wrong !== undefined) throw new TypeError(`SQLite cannot bind a ${(wrong as object).constructor.name}`);
  return values as SQLInputValue[];
}
