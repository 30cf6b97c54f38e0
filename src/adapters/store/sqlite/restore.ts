import { existsSync, linkSync, mkdirSync, realpathSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Contents } from '../contents.ts';
import { copy, createCopyDraft } from './backup.ts';
import { openToRead, readDatabaseFile } from './database-file.ts';
import { BUSY, CORRUPT, codeOf, NOTADB } from './error-codes.ts';
import { sidecars } from './file-mode.ts';

/**
 * Replaces the database with a copy of a backup, by rename; the old database is kept as the file `replaced`, null if there was
 * none. Throws a one-line error, and changes nothing, if the backup is damaged or the database is in use.
 */
export async function restore(
  file: string,
  databasePath: string,
  now: Date,
): Promise<{ contents: Contents; replaced: string | null }> {
  if (!existsSync(file)) throw new Error(`${file}: does not exist`);
  // A symbolic link stays: the file it points to is replaced.
  const place = existsSync(databasePath) ? realpathSync(databasePath) : databasePath;
  if (realpathSync(file) === place) throw new Error(`${file}: is the database itself`);
  const before = await readDatabaseFile(file, 'integrity_check');
  const folder = dirname(place);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await using draft = await createCopyDraft(place);
  using source = openToRead(file);
  const contents = await copy(source, draft, before);
  const { uid, gid } = statSync(existsSync(place) ? place : folder);
  if (process.getuid?.() === 0) await draft.handle.chown(uid, gid); // root may restore for the service's user
  const replaced = setAside(place, now);
  await draft.replace(place);
  return { contents, replaced };
}

/** Gives the database a second name by a hard link, so that its path always exists. Throws if a process has it open. */
function setAside(path: string, now: Date): string | null {
  const aside = `${path}.replaced-${now.toISOString().replace(/[-:]/g, '')}`;
  const isThere = existsSync(path);
  if (isThere) {
    checkpointWal(path);
    linkSync(path, aside);
  }
  // A damaged or missing database may have left sidecars, which SQLite would apply to the restored one.
  for (const suffix of sidecars) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  return isThere ? aside : null;
}

/** Moves the write-ahead log into the database file. Throws if a process has the database open. */
function checkpointWal(path: string): void {
  try {
    using database = new DatabaseSync(path);
    // SQLite leaves WAL mode only if no other connection is open, not even an idle one.
    database.exec('pragma journal_mode = delete');
  } catch (error) {
    const code = codeOf(error);
    if (code === CORRUPT || code === NOTADB) return; // a damaged database may be replaced
    if (code === BUSY) throw new Error(`${path}: is in use; stop the service first`);
    throw new Error(`${path}: cannot be replaced: ${(error as Error).message}`, { cause: error });
  }
}
