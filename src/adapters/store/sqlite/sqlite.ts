import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type QueryExecutorProvider, sql } from 'kysely';
import { type Database, retryWhile, ScrubFault } from '../database.ts';
import { makePrivate } from './database-file.ts';
import { dialectOf } from './dialect.ts';
import { BUSY, isLocked, isUnavailable } from './error-codes.ts';
import { groupCommits } from './group-commit.ts';

/**
 * Opens a SQLite file, created with mode 0600 if it does not exist: in WAL mode, so that reads and the one writer do
 * not block each other, with an fsync for each commit. Other users lose their access to the file, with a warning.
 * Throws a one-line error if the file cannot be opened or refuses one of the settings.
 */
export function openSqlite(path: string, warn: (message: string) => void = () => {}): Database {
  const database = openDatabase(path, warn);
  // The first counts commits of other connections, the second rows that this one has changed.
  const version = database.prepare('select data_version, total_changes() as own from pragma_data_version');
  return {
    dialect: dialectOf(database),
    isLocked,
    isUnavailable,
    mayBePartial: () => false, // one writer: if its work fails, so does all other
    migrate: (db, migrate) => migrate(db),
    openWrite: (db, lockWaitMilliseconds) => groupCommits(db, isUnavailable, lockWaitMilliseconds),
    lockNames: async () => {}, // one transaction runs at a time
    readClock: async () => new Date(),
    // Without Kysely, which would wait for the transaction that runs.
    readVersion: async () => Object.values(version.get()!).join(' '),
    async probeWrite({ schema }) {
      // An empty transaction would succeed on a full disk.
      await schema.createTable('probe').addColumn('id', 'integer').execute();
      await schema.dropTable('probe').execute();
    },
    // A file of SQLite is on one machine, and so is the profile.
    replicas: {
      join: async () => {},
      async whileAlone(work) {
        await work();
        return null;
      },
      close: async () => {},
    },
    scrub,
    lowerCase: (text) => sql`lower(${text})`,
    toJson: (values) => sql`${JSON.stringify(values)}`,
    elementsOf: (array) => sql`json_each(${array})`,
  };
}

const settings = {
  journal_mode: 'wal',
  synchronous: 2, // FULL: a commit is fsynced before it is acknowledged
  secure_delete: 1, // deleted rows are overwritten with zeros
  foreign_keys: 1,
  trusted_schema: 0, // an altered schema cannot call functions with side effects
  busy_timeout: 0, // SQLite's wait for a lock blocks the event loop: see retryWhile
};

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

const waitMilliseconds = 5_000;

/**
 * Rewrites the database by VACUUM and empties its write-ahead log, so that no byte of a deleted row is left in either
 * file. Each step waits up to 5 s for other connections. Throws `ScrubFault` if a step fails.
 */
export async function scrub(db: QueryExecutorProvider): Promise<void> {
  try {
    await retryWhile(isLocked, waitMilliseconds, () => sql`vacuum`.execute(db));
    await retryWhile(isLocked, waitMilliseconds, () => truncateWal(db));
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    const message = isLocked(error)
      ? 'Erased data is still in the write-ahead log of the database, which another process is using; try again.'
      : `Erased data is still in the files of the database, which cannot be rewritten: ${(error as Error).message}; try again when that is solved.`;
    throw new ScrubFault(message, { cause: error });
  }
}

/** Throws BUSY if another connection reads from the log; the pragma itself only returns a row that says so. */
async function truncateWal(db: QueryExecutorProvider): Promise<void> {
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
  if (rows[0]?.busy !== 0) throw Object.assign(new Error('the write-ahead log is in use'), { errcode: BUSY });
}
