import { existsSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import type { CopySource, CopyTarget } from '../store-copy.ts';
import type { Tables } from '../tables.ts';
import { openToRead, readDatabaseFile, sidecars } from './database-file.ts';
import { dialectOf } from './dialect.ts';
import { openSqlite } from './sqlite.ts';

const lockWaitMilliseconds = 5_000;

/** Opens a SQLite file, which may be in use, to copy from it. Throws a one-line error if it is not an undamaged database of this program. */
export async function openSourceFile(path: string): Promise<CopySource> {
  if (!existsSync(path)) throw new Error(`${path}: does not exist`);
  await readDatabaseFile(path, 'integrity_check');
  // Not read-only: the last connection that closes a database removes its -wal and -shm, unless it is read-only.
  const database = new DatabaseSync(path, { timeout: lockWaitMilliseconds });
  database.exec('pragma trusted_schema = off; pragma query_only = on');
  const db = new Kysely<Tables>({ dialect: dialectOf(database) });
  return {
    name: path,
    identity: identityOf(path),
    db,
    beginSnapshot: sql`begin`,
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

/** Opens a SQLite file to copy to it; creates it if it does not exist. Throws a one-line error if it is not a database of this program. */
export async function openTargetFile(path: string): Promise<CopyTarget> {
  const isNew = !existsSync(path);
  if (!existsSync(dirname(path))) throw new Error(`${path}: cannot be created: its folder does not exist`);
  if (!isNew && !isEmpty(path)) await readDatabaseFile(path, 'quick_check');
  const database = openSqlite(path);
  const db = new Kysely<Tables>({ dialect: database.dialect });
  let isKept = false;
  return {
    name: path,
    identity: identityOf(path),
    write: database.openWrite(db, lockWaitMilliseconds),
    restartRowIds: async () => {}, // SQLite gives the next row the highest id and one
    keep() {
      isKept = true;
    },
    async [Symbol.asyncDispose]() {
      await db.destroy();
      if (isNew && !isKept) for (const suffix of ['', ...sidecars]) rmSync(path + suffix, { force: true });
    },
  };
}

function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}/${ino}`;
}

/** Whether a file is a database without tables, as an interrupted copy leaves it. */
function isEmpty(path: string): boolean {
  try {
    using database = openToRead(path);
    return database.prepare('select 1 from sqlite_schema').get() === undefined;
  } catch {
    return false;
  }
}
