import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makePrivateJwk } from './private-jwks.ts';

/** Where the keys are kept that were not given by a setting. */
export const keyFileIn = (dataDir: string): string => join(dataDir, 'signing-key.json');

/** The text of the key file. Throws one line where there is none or others may read it. */
export async function readKeyFile(file: string): Promise<string> {
  const { mode } = await stat(file);
  // The group may read it: Kubernetes mounts a secret for a process that is not root as root:fsGroup, 0440.
  if (mode & 0o027) throw new Error(`${file}: is open to other users of this machine, chmod 600 it`);
  return readFile(file, 'utf8');
}

/** Leaves a whole key file behind, ours or that of a process which was faster. */
export async function createKeyFile(file: string): Promise<void> {
  if (existsSync(file)) return;
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, JSON.stringify({ keys: [await makePrivateJwk()] }), { mode: 0o600, flush: true });
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolderOf(file);
}

/**
 * Replaces the key file at once by what `change` makes of its text, and answers that; owner and mode stay. Whatever
 * goes wrong, the old file stands. Throws where another replacement is under way.
 */
export async function replaceKeyFile(file: string, change: (text: string) => Promise<string>): Promise<string> {
  const draft = `${file}.new`;
  const handle = await open(draft, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new Error(`${draft}: is in the way of a rotation; remove it, unless another one is under way`);
  });
  try {
    const text = await change(await readKeyFile(file));
    await handle.writeFile(text);
    // Whoever rotates, root perhaps, the service must be able to read it.
    const { uid, gid, mode } = await stat(file);
    await handle.chown(uid, gid);
    await handle.chmod(mode & 0o777);
    await handle.sync();
    await rename(draft, file);
    return text;
  } catch (error) {
    await rm(draft);
    throw error;
  } finally {
    await handle.close();
    await syncFolderOf(file);
  }
}

async function syncFolderOf(file: string): Promise<void> {
  const folder = await open(dirname(file));
  await folder.sync().finally(() => folder.close());
}
