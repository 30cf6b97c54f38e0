import { existsSync, linkSync, mkdirSync, realpathSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createDraft, type Draft, refuseExisting, toWriteError } from '../../output-file.ts';
import type { Contents } from '../contents.ts';
import { tableFacts } from '../registry.ts';
import { openToRead, readDatabaseFile, sidecars } from './database-file.ts';
import { BUSY, CORRUPT, codeOf, NOTADB } from './dialect.ts';

/** Copies a database in use to a new file, and records when. Throws one line that begins with the path at fault. */
export async function backUp(databasePath: string, file: string): Promise<Contents> {
  if (!existsSync(databasePath)) throw new Error(`${databasePath}: does not exist, so there is nothing to back up`);
  refuseExisting(file, 'name another file');
  await readDatabaseFile(databasePath, 'integrity_check');
  await using draft = await createCopyDraft(file);
  // Not read-only: the last connection that closes a database removes its -wal and -shm, unless it is read-only.
  using source = new DatabaseSync(databasePath, { timeout: 5_000 });
  source.exec('pragma trusted_schema = off');
  const copied = await copy(source, draft.path);
  await draft.create(file);
  recordBackup(source, new Date());
  return copied;
}

/** Records for the desk when the database was copied; the copy is complete even if this fails. */
function recordBackup(source: DatabaseSync, now: Date): void {
  try {
    const values = "insert into owner_events (kind, at) values ('backup', ?)";
    source.prepare(`${values} on conflict (kind) do update set at = excluded.at`).run(now.toISOString());
  } catch {
    // Read-only, or locked for longer than the time limit.
  }
}

/** Creates `<file>.part` with mode 0600, because SQLite would make it readable by all. Throws a one-line error. */
function createCopyDraft(file: string): Promise<Draft> {
  const path = `${file}.part`;
  return createDraft(path).catch((error) => {
    const reason = 'is in the way: another copy is being written, or one was interrupted; then remove the file';
    throw toWriteError(error.code === 'EEXIST' ? path : file, error, reason);
  });
}

/** Removes secrets from a copy: restoring it would bring back ended sessions, used links and codes, and mails with them. */
function forgetSecrets(path: string): void {
  using database = new DatabaseSync(path);
  database.exec('pragma trusted_schema = off; pragma secure_delete = on');
  for (const [table, { secret }] of tableFacts)
    if (secret !== undefined) database.exec(`delete from ${table} where ${secret}`);
}

/** Copies one state, without deleted rows and secrets, by VACUUM INTO, and checks the copy. Throws one line with its path. */
async function copy(source: DatabaseSync, path: string): Promise<Contents> {
  try {
    source.prepare('vacuum into ?').run(path);
  } catch (error) {
    throw new Error(`${path}: cannot be written: ${(error as Error).message}`, { cause: error });
  }
  forgetSecrets(path);
  return await readDatabaseFile(path, 'integrity_check');
}

/** Replaces the database, kept as `replaced`, with a backup. Throws one line if that is damaged or the database in use. */
export async function restore(
  file: string,
  databasePath: string,
  now: Date,
): Promise<{ contents: Contents; replaced: string | null }> {
  if (!existsSync(file)) throw new Error(`${file}: does not exist`);
  // A symbolic link stays, and its target is replaced.
  const place = existsSync(databasePath) ? realpathSync(databasePath) : databasePath;
  if (realpathSync(file) === place) throw new Error(`${file}: is the database itself`);
  await readDatabaseFile(file, 'integrity_check');
  const folder = dirname(place);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await using draft = await createCopyDraft(place);
  using source = openToRead(file);
  const contents = await copy(source, draft.path);
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
