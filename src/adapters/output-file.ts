import { existsSync, mkdirSync, renameSync, type Stats, writeFileSync } from 'node:fs';
import { type FileHandle, link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

export const remedyForce = '--force replaces it';

/** Throws one line, which begins with the path and ends with the remedy, if a file is there. */
export function refuseExisting(path: string, remedy: string): void {
  if (existsSync(path)) throw new Error(`${path}: ${exists(remedy)}`);
}

const exists = (remedy: string) => `exists already; ${remedy}`;

/** Writes a file; replaces an existing one only with `force`. Throws one line that begins with the path. */
export function writeOutput(path: string, data: string | Uint8Array, { force = false }: { force?: boolean }): void {
  try {
    writeFileSync(path, data, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    throw toWriteError(path, error as NodeJS.ErrnoException, exists(remedyForce));
  }
}

export function createOutputFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw toWriteError(path, error as NodeJS.ErrnoException, 'is a file; name a folder');
  }
}

/** Returns an error of one line: the path, and why the file cannot be written; `ifExists` if it exists. */
export function toWriteError(path: string, { code }: NodeJS.ErrnoException, ifExists: string): Error {
  const reasons: Record<string, string> = {
    EEXIST: ifExists,
    ENOENT: 'is in a folder that does not exist',
    EISDIR: 'is a folder',
  };
  return new Error(`${path}: ${reasons[String(code)] ?? `cannot be written (${code})`}`);
}

/** A temporary file, renamed once complete and fsynced: no crash or power cut leaves half a file. Disposing removes it. */
export type Draft = Awaited<ReturnType<typeof createDraft>>;

/** Creates an empty temporary file. Throws `EEXIST` if another one is being written, or was left by a crash. */
export async function createDraft(path: string, mode = 0o600) {
  const handle = await open(path, 'wx', mode);
  let leftover: string | null = path;
  return {
    path,
    handle,
    /** Creates or replaces the target atomically. Returns false, and changes nothing, if `isExpected` returns false. */
    async replace(target: string, isExpected = () => true): Promise<boolean> {
      await handle.sync();
      if (!isExpected()) return false;
      // Synchronous, because another program may write the target after the check.
      renameSync(path, target);
      leftover = null;
      await fsyncFolder(dirname(target));
      return true;
    },
    /** Renames to a free name; otherwise throws, and leaves no file. Needs no hard links, which not every file system has. */
    async create(target: string): Promise<void> {
      await handle.sync();
      refuseExisting(target, 'name another file');
      renameSync(path, target);
      leftover = target;
      await fsyncFolder(dirname(target));
      leftover = null;
    },
    /** Takes the name atomically, by a hard link, unless another process has created a file under it. */
    async createUnlessExists(target: string): Promise<void> {
      await handle.sync();
      await link(path, target).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      await rm(path);
      leftover = null;
      await fsyncFolder(dirname(target));
    },
    async [Symbol.asyncDispose](): Promise<void> {
      try {
        await handle.close();
      } finally {
        if (leftover !== null) await rm(leftover, { force: true });
      }
    },
  };
}

/** Replaces or creates a file durably, with mode 0600. No other process may use the name of the temporary file. */
export async function replaceDurably(
  target: string,
  content: string | Uint8Array,
  temporary = `${target}.part`,
): Promise<void> {
  await rm(temporary, { force: true }); // left by a crash
  await using draft = await createDraft(temporary);
  await draft.handle.writeFile(content);
  await draft.replace(target);
}

export async function takeOwnership(handle: FileHandle, { mode, uid, gid }: Stats): Promise<void> {
  const drafted = await handle.stat();
  if (drafted.uid !== uid || drafted.gid !== gid) await handle.chown(uid, gid);
  await handle.chmod(mode & 0o7777);
}

/** Makes the names in a folder durable: the fsync of a file covers only its content. */
export async function fsyncFolder(path: string): Promise<void> {
  await using folder = await open(path);
  await folder.sync();
}
