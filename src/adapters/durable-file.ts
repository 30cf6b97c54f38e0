import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { refuseExisting } from './output-file.ts';

/**
 * A temporary file that takes its final name only once it is whole and fsynced, so that neither a crash nor a power cut
 * leaves half a file under that name. Disposing of it removes it, unless it has taken the name.
 */
export interface Draft extends AsyncDisposable {
  readonly path: string;
  readonly handle: FileHandle;
  /** Replaces the file at the target, if there is one, atomically. */
  replace(target: string): Promise<void>;
  /** Takes a name that is free; throws, and leaves no file, otherwise. Needs no hard links, which not every file system has. */
  create(target: string): Promise<void>;
  /** Takes the name, or leaves the file that another process has created under it: atomically, by a hard link. */
  createUnlessExists(target: string): Promise<void>;
}

/** Creates an empty temporary file with mode 0600. Throws `EEXIST` if there is one, being written or left by a crash. */
export async function createDraft(path: string): Promise<Draft> {
  const handle = await open(path, 'wx', 0o600);
  let leftover: string | null = path;
  return {
    path,
    handle,
    async replace(target) {
      await handle.sync();
      await rename(path, target);
      leftover = null;
      await fsyncFolder(dirname(target));
    },
    async create(target) {
      refuseExisting(target, 'name another file');
      await handle.sync();
      await rename(path, target);
      leftover = target;
      await fsyncFolder(dirname(target));
      leftover = null;
    },
    async createUnlessExists(target) {
      await handle.sync();
      await link(path, target).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      await rm(path);
      leftover = null;
      await fsyncFolder(dirname(target));
    },
    async [Symbol.asyncDispose]() {
      try {
        await handle.close();
      } finally {
        if (leftover !== null) await rm(leftover, { force: true });
      }
    },
  };
}

/** Makes the names in a folder durable: the fsync of a file covers its content alone. */
export async function fsyncFolder(path: string): Promise<void> {
  await using folder = await open(path);
  await folder.sync();
}
