import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createDraft } from '../durable-file.ts';
import { generatePrivateJwk } from './private-jwks.ts';

/** Returns the path of the key file, which is used if SIGNING_KEY is not set. */
export const keyFileIn = (dataDir: string): string => join(dataDir, 'signing-key.json');

/** Reads the text of the key file. Throws a one-line error if the file is missing, or others can read it or the group write it. */
export async function readKeyFile(file: string): Promise<string> {
  const { mode } = await stat(file);
  // Group read is allowed: Kubernetes mounts a secret for a process that is not root as root:fsGroup, 0440.
  if (mode & 0o027) throw new Error(`${file}: is open to other users of this machine, chmod 600 it`);
  return readFile(file, 'utf8');
}

/** Creates the key file with a new key, unless it exists or another process creates it first. */
export async function createKeyFile(file: string): Promise<void> {
  if (existsSync(file)) return;
  await using draft = await createDraft(`${file}.${randomUUID()}`);
  await draft.handle.writeFile(JSON.stringify({ keys: [await generatePrivateJwk()] }));
  await draft.createUnlessExists(file);
}

/**
 * Replaces the text of the key file with what `change` returns for it, atomically, and returns the new text. Keeps owner and
 * mode. Throws, and leaves the file unchanged, if any step fails or another replacement is in progress.
 */
export async function replaceKeyFile(file: string, change: (text: string) => Promise<string>): Promise<string> {
  const path = `${file}.new`;
  await using draft = await createDraft(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new Error(
      `${path}: exists already: another rotation is in progress, or was interrupted; in that case remove the file`,
    );
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
