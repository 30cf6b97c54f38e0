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
  type SqliteStatement,
} from 'kysely';
import { BoundedMap } from '../../../model/bounded-map.ts';
import { makePrivate } from './file-mode.ts';

/**
 * Opens a SQLite file, created with mode 0600 if it does not exist, as a dialect of Kysely: in WAL mode, so that reads and the
 * one writer do not block each other, with an fsync for each commit. Other users lose their access to the file, with a
 * warning. Throws a one-line error if the file cannot be opened or refuses one of the settings.
 */
export const openSqlite = (path: string, warn: (message: string) => void = () => {}): Dialect =>
  dialectOf(openDatabase(path, warn));

/** Returns a dialect of Kysely over an open database, which `destroy` closes. */
export const dialectOf = (database: DatabaseSync): Dialect => ({
  createDriver: () => new NodeSqliteDriver(database),
  createAdapter: () => new TransactionalSqliteAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});

const settings = {
  journal_mode: 'wal',
  synchronous: 2, // FULL: a commit is fsynced before it is acknowledged
  secure_delete: 1, // deleted rows are overwritten with zeros
  foreign_keys: 1,
  trusted_schema: 0, // an altered schema cannot call functions with side effects
  busy_timeout: 0, // SQLite's wait for a lock blocks the event loop: see lock-wait.ts
};

const maxPreparedStatements = 100;

const openingTimeoutMilliseconds = 5_000; // may block: nothing is served yet

function openDatabase(path: string, warn: (message: string) => void): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    // SQLite itself would create it with mode 0644; -wal and -shm take the mode of the file.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    database = new DatabaseSync(path, { timeout: openingTimeoutMilliseconds });
    for (const [name, wanted] of Object.entries(settings)) {
      database.exec(`pragma ${name} = ${wanted}`);
      const [found] = Object.values(database.prepare(`pragma ${name}`).get() ?? {});
      if (found !== wanted) throw new Error(`${name} is ${found} and cannot be set to ${wanted}`);
    }
    // SQLite's own knows no letters but those of ASCII.
    database.function('lower', { deterministic: true }, (text) => String(text).toLowerCase());
    makePrivate(path, warn); // last: DATABASE_URL may name a file that is not a database, whose mode stays
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

  // IMMEDIATE takes the write lock first: a transaction that begins as a reader fails at its first write if another has written.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  // SQLite rolls back on its own if the disk is full or fails, and then refuses a rollback.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}

// Kysely's own adapter returns false, because foreign keys cannot be switched off in a transaction; our migrations don't do that.
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Adapts node:sqlite to the interface of better-sqlite3, which Kysely expects. Keeps the statements prepared last. */
function toSqliteDatabase(database: DatabaseSync): SqliteDatabase {
  const prepared = new BoundedMap<string, SqliteStatement>(maxPreparedStatements);

  function prepare(sql: string): SqliteStatement {
    const statement = database.prepare(sql);
    return {
      reader: statement.columns().length > 0,
      all: (values) => statement.all(...toBound(values)).map((row) => ({ ...row })), // rows have no prototype
      run: (values) => statement.run(...toBound(values)),
      iterate: (values) => statement.iterate(...toBound(values)),
    };
  }

  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = prepared.get(sql) ?? prepare(sql);
      prepared.set(sql, statement); // again, so that the one used least recently is dropped first
      return statement;
    },
  };
}

// node:sqlite takes a first value that is an object as named parameters, and silently shifts the rest.
function toBound(values: readonly unknown[]): SQLInputValue[] {
  const wrong = values.find((value) => typeof value === 'object' && value !== null && !(value instanceof Uint8Array));
  if (wrong !== undefined) throw new TypeError(`SQLite cannot bind a ${(wrong as object).constructor.name}`);
  return values as SQLInputValue[];
}
