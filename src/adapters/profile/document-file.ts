import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { realpath, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../../model/failure.ts';
import { maxDocumentMebibytes, type PublishRefusal } from '../../model/profile/document-state.ts';
import { readInputFile } from '../input-file.ts';
import { createDraft, takeOwnership } from '../output-file.ts';
import { readProfile } from './profile-file.ts';

export const changed: PublishRefusal = { reason: 'changed', message: 'the file has changed' };

export function readBytes(path: string): Buffer | null {
  try {
    return readInputFile(path, maxDocumentMebibytes);
  } catch {
    return null;
  }
}

/** Returns why a file, existing or not, cannot be written, as far as can be checked in advance; null if it can. */
export function obstacleTo(path: string): string | null {
  try {
    const target = existsSync(path) ? realpathSync(path) : path;
    // A rename would replace even a read-only file.
    if (((statSync(target, { throwIfNoEntry: false })?.mode ?? 0o200) & 0o222) === 0) return 'it is read-only';
    if (isMountPoint(target)) return reasons.EBUSY!;
    accessSync(dirname(target), constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return reasonOf(error as NodeJS.ErrnoException);
  }
}

/** Whether a file is mounted individually, as containers do; false on systems that do not report it. */
function isMountPoint(path: string): boolean {
  try {
    const escaped = path.replace(/[\s\\]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);
    return readFileSync('/proc/self/mountinfo', 'utf8').includes(` ${escaped} `);
  } catch {
    return false;
  }
}

export async function createFile(path: string, text: string): Promise<PublishRefusal | null> {
  if (existsSync(path)) return changed;
  const temporary = `${path}.part`;
  await rm(temporary, { force: true }); // left by a crash
  await using draft = await createDraft(temporary, 0o666); // as `init` does: the umask decides who may read it
  await draft.handle.writeFile(text);
  await draft.create(path);
  return null;
}

/** Replaces a file if it still has the bytes; throws if the file or its folder cannot be written. */
export async function replaceFile(path: string, bytes: Buffer, text: string): Promise<PublishRefusal | null> {
  const target = await realpath(path);
  const replaced = await stat(target);
  const temporary = `${target}.part`;
  await rm(temporary, { force: true }); // left by a crash
  await using draft = await createDraft(temporary);
  await draft.handle.writeFile(text);
  await takeOwnership(draft.handle, replaced);
  const { faults } = readProfile(temporary);
  if (faults.length > 0) return { reason: 'faulty', message: faults[0]!.slice(temporary.length + 1) };
  // Another process may have mistaken this draft for a leftover of a crash, and be writing its own.
  const isOurs = () => readBytes(temporary)?.equals(Buffer.from(text)) === true;
  return (await draft.replace(target, () => readBytes(path)?.equals(bytes) === true && isOurs())) ? null : changed;
}

const reasons: Record<string, string> = {
  EACCES: 'the service may not write in its folder',
  EPERM: 'the service may not write it with its owner and mode',
  EROFS: 'its file system is read-only',
  EBUSY: 'it is mounted on its own, so that it cannot be replaced',
  EXDEV: 'it is mounted on its own, so that it cannot be replaced',
  ENOENT: 'its folder does not exist',
  ENOSPC: 'the disk is full',
};

export function reasonOf(error: NodeJS.ErrnoException | Failure): string {
  if (error instanceof Failure) return 'the database cannot be used at the moment';
  const { code, message } = error;
  return code === undefined ? message : (reasons[code] ?? `it cannot be replaced (${code})`);
}
