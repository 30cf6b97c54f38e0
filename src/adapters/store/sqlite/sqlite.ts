import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, type QueryExecutorProvider, sql, type Transaction } from 'kysely';
import { backOff, type Database, retryWhile, ScrubFault, type Write } from '../database.ts';
import type { Tables } from '../tables.ts';
import { makePrivate } from './database-file.ts';
import { BUSY, dialectOf, isLocked, isUnavailable } from './dialect.ts';

/**
 * Opens an SQLite file with mode 0600, in WAL mode, with an fsync for each commit. Other users lose their access, with a
 * warning. Throws one line if it cannot be opened or refuses a setting.
 */
export function openSqlite(path: string, warn: (message: string) => void = () => {}): Database {
  const database = openDatabase(path, warn);
  // The first counts commits of other connections, the second rows changed by this one.
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
    // Without Kysely, which would wait for the running transaction.
    readVersion: async () => Object.values(version.get()!).join(' '),
    async probeWrite({ schema }) {
      // An empty transaction would succeed on a full disk.
      await schema.createTable('probe').addColumn('id', 'integer').execute();
      await schema.dropTable('probe').execute();
    },
    // An SQLite file is on one machine, and so is the profile.
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
      const [actual] = Object.values(database.prepare(`pragma ${name}`).get() ?? {});
      if (actual !== wanted) throw new Error(`${name} is ${actual} and cannot be set to ${wanted}`);
    }
    // SQLite's own function converts only ASCII letters.
    database.function('lower', { deterministic: true }, (text) => String(text).toLowerCase());
    makePrivate(path, warn); // last: DATABASE_URL may name a file that is not a database, whose mode stays
    return database;
  } catch (error) {
    database?.close();
    throw new Error(`DATABASE_URL: ${path} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

const waitMilliseconds = 5_000;

/** Rewrites the database and empties its log: no byte of a deleted row is left. Waits up to 5 s; throws `ScrubFault`. */
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

interface PendingWork {
  /** Compared to `performance.now()`: the work fails then if another process still holds the write lock. */
  readonly deadline: number;
  /** Does the work in a savepoint; returns a function that settles the caller's promise after the commit. */
  run(trx: Transaction<Tables>): Promise<() => void>;
  reject(error: unknown): void;
}

/**
 * Group commit: all work requested in one turn, during a commit or a wait for the lock shares one fsync. Each has a savepoint,
 * and is acknowledged after the commit. The wait is outside of the database, so that reads go on.
 */
export function groupCommits(
  db: Kysely<Tables>,
  isFatal: (error: unknown) => boolean,
  lockWaitMilliseconds: number,
): Write {
  let pending: PendingWork[] = [];
  let isRunning = false;

  function takePending(): readonly PendingWork[] {
    const taken = pending;
    pending = [];
    return taken;
  }

  /** Commits all pending work. Throws, before running any, if another process holds the write lock. */
  async function commit(): Promise<void> {
    let group: readonly PendingWork[] | undefined;
    try {
      const settlements = await db.transaction().execute(async (trx) => {
        group = takePending(); // once the lock is held, to include what was requested during the wait for it
        const settlements: (() => void)[] = [];
        for (const work of group) {
          settlements.push(await work.run(trx));
          if (work !== group.at(-1)) await nextTurn(); // so that requests that write nothing are answered in between
        }
        return settlements;
      });
      for (const settle of settlements) {
        settle();
        await nextTurn(); // so that clients that were answered do not all send their next request in one turn
      }
    } catch (error) {
      if (group === undefined && isLocked(error)) throw error;
      for (const work of group ?? takePending()) work.reject(error);
    }
  }

  function rejectOverdue(error: unknown): void {
    const now = performance.now();
    const overdue = pending.filter(({ deadline }) => deadline <= now);
    pending = pending.filter(({ deadline }) => deadline > now);
    for (const work of overdue) work.reject(error);
  }

  async function run(): Promise<void> {
    isRunning = true;
    for (let tries = 0; pending.length > 0; tries += 1) {
      await nextTurn(); // a commit blocks the event loop: requests that have arrived already join this one
      try {
        await commit();
        tries = 0;
      } catch (error) {
        rejectOverdue(error);
        await backOff(tries);
      }
    }
    isRunning = false;
  }

  return (work) =>
    new Promise((resolve, reject) => {
      pending.push({
        deadline: performance.now() + lockWaitMilliseconds,
        async run(trx) {
          await sql`savepoint work`.execute(trx);
          try {
            const result = await work(trx);
            await sql`release work`.execute(trx);
            return () => resolve(result);
          } catch (error) {
            if (isFatal(error)) throw error;
            await sql`rollback to work`.execute(trx);
            await sql`release work`.execute(trx);
            return () => reject(error);
          }
        },
        reject,
      });
      if (!isRunning) void run();
    });
}
