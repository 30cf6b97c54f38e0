import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
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

const maxPreparedStatements = 100;

/** Returns a dialect of Kysely over an open database, which `destroy` closes. */
export const dialectOf = (database: DatabaseSync): Dialect => ({
  createDriver: () => new NodeSqliteDriver(database),
  createAdapter: () => new TransactionalSqliteAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});

class NodeSqliteDriver extends SqliteDriver {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    super({ database: toSqliteDatabase(database) });
    this.#database = database;
  }

  // IMMEDIATE takes the write lock first: otherwise the first write fails if another transaction has written since.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  // SQLite rolls back on its own if the disk is full or fails, and then refuses a rollback.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}

// Kysely's adapter returns false, because a transaction cannot switch foreign keys off; our migrations don't do that.
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Adapts node:sqlite to the interface of better-sqlite3, which Kysely expects. Keeps the latest prepared statements. */
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

// node:sqlite interprets a first value that is an object as named parameters, and silently shifts the rest.
function toBound(values: readonly unknown[]): SQLInputValue[] {
  const wrong = values.find((value) => typeof value === 'object' && value !== null && !(value instanceof Uint8Array));
  if (wrong !== undefined) throw new TypeError(`SQLite cannot bind a ${(wrong as object).constructor.name}`);
  return values as SQLInputValue[];
}

// Primary result codes of SQLite (https://sqlite.org/rescode.html).
export const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
export const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const PROTOCOL = 15;
export const NOTADB = 26;

/** Returns the primary result code of an SQLite error, the low byte of the extended code; 0 for any other error. */
export const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;

export const isLocked = (error: unknown): boolean => codeOf(error) === BUSY;

const unavailable = new Set([BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB]);

/** Whether the error means that the database cannot be used at the moment, not that a statement is wrong. */
export const isUnavailable = (error: unknown): boolean => unavailable.has(codeOf(error));
