import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createDraft } from '../durable-file.ts';
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
  await using draft = await createDraft(`${file}.${randomUUID()}`);
  await draft.handle.writeFile(JSON.stringify({ keys: [await makePrivateJwk()] }));
  await draft.createUnlessExists(file);
}

/**
 * Replaces the key file at once by what `change` makes of its text, and answers that; owner and mode stay. Whatever
 * goes wrong, the old file stands. Throws where another replacement is under way.
 */
export async function replaceKeyFile(file: string, change: (text: string) => Promise<string>): Promise<string> {
  const path = `${file}.new`;
  await using draft = await createDraft(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new Error(`${path}: is in the way of a rotation; remove it, unless another one is under way`);
  });
  const text = await change(await readKeyFile(file));
  await draft.handle.writeFile(text);
  // Root may rotate: the service must still be able to read the file.
  const { uid, gid, mode } = await stat(file);
  await draft.handle.chown(uid, gid);
  await draft.handle.chmod(mode & 0o777);
  await draft.replace(file);
  return text;
}
