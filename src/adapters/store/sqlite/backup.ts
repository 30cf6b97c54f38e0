import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Contents, contentsOf, readDatabaseFile } from './database-file.ts';

/**
 * Copies a database, which may be in use, to a file that is not there yet; paths are absolute.
 * Throws one line that begins with the path at fault, and leaves nothing behind then.
 */
export async function backUp(databasePath: string, file: string): Promise<Contents> {
  if (!existsSync(databasePath)) throw new Error(`${databasePath}: does not exist, so there is nothing to back up`);
  refuseExisting(file);
  const before = await readDatabaseFile(databasePath, 'integrity_check');
  const draft = `${file}.part`;
  makePrivateFile(draft);
  let made = draft;
  try {
    // Not to read alone: the last connection that closes a database removes its -wal and -shm, unless it may only read.
    using source = new DatabaseSync(databasePath, { timeout: 5_000 });
    source.exec('pragma trusted_schema = off');
    const copied = await copy(source, draft, before);
    refuseExisting(file);
    renameSync(draft, file);
    made = file;
    sync(dirname(file));
    return copied;
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  }
}

function refuseExisting(file: string): void {
  if (existsSync(file)) throw new Error(`${file}: exists already; name another file`);
}

/** Makes an empty file with mode 0600, which SQLite itself would not do. Throws one line if it exists or cannot be made. */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EEXIST: 'is in the way: another copy is being written, or one was cut short; remove it then',
      ENOENT: 'is in a folder that does not exist',
    };
    throw new Error(`${path}: ${reasons[code ?? ''] ?? `cannot be written (${code})`}`);
  }
}

/** Fills the draft with what the source holds, and with nothing that was deleted from it; checked and on the disk once it is over. */
export async function copy(source: DatabaseSync, draft: string, before: Contents): Promise<Contents> {
  try {
    source.prepare('vacuum into ?').run(draft);
  } catch (error) {
    throw new Error(`${draft}: cannot be written: ${(error as Error).message}`, { cause: error });
  }
  const after = contentsOf(source);
  const copied = await readDatabaseFile(draft, 'integrity_check');
  // What was added or erased meanwhile may be in it or not.
  for (const kind of ['contacts', 'tokens', 'revocations'] as const)
    if (copied[kind] < Math.min(before[kind], after[kind]))
      throw new Error(`${draft}: does not hold all ${kind}; try again`);
  sync(draft);
  return copied;
}

/** Brings a file, or the names in a folder, to the disk. */
export function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
