import { createHash } from 'node:crypto';
import { realpath, rm, stat } from 'node:fs/promises';
import { applyEdit } from '../../formats/profile/edit.ts';
import type { LineChange, StatusFileState, StatusRefusal } from '../../model/profile/status-file.ts';
import { readInputFile } from '../input-file.ts';
import { createDraft } from '../output-file.ts';
import { readProfile } from './profile-file.ts';
import { type LiveProfile, maxMebibytes } from './profile-source.ts';

/** Edits the status of availability in the profile file alone: never in the sample, nor in a profile at an address. */
export function statusFileOf(profile: Pick<LiveProfile, 'name' | 'path' | 'reload'>, samplePath: string) {
  let lastSave: Promise<unknown> = Promise.resolve();

  async function save(status: string, revision: string): Promise<StatusRefusal | null> {
    const path = profile.path();
    if (path === null) return { reason: 'at-address', message: 'the profile is at an address', change: null };
    if (path === samplePath) return { reason: 'unwritable', message: 'it is the sample', change: null };
    const bytes = readBytes(path);
    if (bytes === null || revisionOf(bytes) !== revision) return changed;
    const { faults } = readProfile(path);
    if (faults.length > 0) return { reason: 'faulty', message: faults[0]!, change: null };
    const text = bytes.toString();
    let change: LineChange | null = null;
    try {
      const edited = applyEdit(text, { kind: 'set', path: ['availability', 'status'], value: status });
      if (edited === text) return null;
      change = toLineChange(text, edited);
      const refusal = await replaceFile(path, bytes, edited);
      profile.reload();
      return refusal;
    } catch (error) {
      return { reason: 'unwritable', message: reasonOf(error as NodeJS.ErrnoException), change };
    }
  }

  return {
    /**
     * Returns the path of the file, its faults, and the revision by which `save` notices other edits; `place` is `file`
     * if `save` may write it. The path of a profile at an address is the address without its secrets.
     */
    read(): StatusFileState {
      const path = profile.path();
      if (path === null) return { path: profile.name(), place: 'address', revision: '', status: null, faults: [] };
      const bytes = readBytes(path);
      const revision = bytes === null ? '' : revisionOf(bytes);
      return { path, place: path === samplePath ? 'sample' : 'file', revision, ...readStatus(path) };
    },

    /**
     * Writes the status durably and reloads the profile, unless the file has another revision; returns null if it did.
     * The file keeps its mode and owner, and a symbolic link to it stays one.
     */
    save(status: string, revision: string): Promise<StatusRefusal | null> {
      const saving = lastSave.then(() => save(status, revision));
      lastSave = saving.catch(() => {});
      return saving;
    },
  };
}

/** Returns the lines that differ between a text and the edited one. */
function toLineChange(text: string, edited: string): LineChange {
  const [before, after] = [text, edited].map((one) => one.split(/\r?\n/)) as [string[], string[]];
  const first = before.findIndex((line, index) => line !== after[index]);
  const kept = before.toReversed().findIndex((line, index) => line !== after.at(-1 - index));
  return { first: first + 1, last: before.length - kept, text: after.slice(first, after.length - kept).join('\n') };
}

const changed: StatusRefusal = { reason: 'changed', message: 'the file has changed', change: null };

const revisionOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url');

function readStatus(path: string) {
  const { profile, faults } = readProfile(path);
  return { status: profile?.availability.status ?? null, faults };
}

function readBytes(path: string): Buffer | null {
  try {
    return readInputFile(path, maxMebibytes);
  } catch {
    return null;
  }
}

/** Replaces a file that still has the bytes; throws if the file or its folder cannot be written. */
async function replaceFile(path: string, bytes: Buffer, text: string): Promise<StatusRefusal | null> {
  const target = await realpath(path);
  const { mode, uid, gid } = await stat(target);
  // The rename would replace even a read-only file.
  if ((mode & 0o222) === 0) throw new Error('it is read-only');
  const temporary = `${target}.part`;
  await rm(temporary, { force: true }); // left by a crash
  await using draft = await createDraft(temporary);
  await draft.handle.writeFile(text);
  const drafted = await draft.handle.stat();
  if (drafted.uid !== uid || drafted.gid !== gid) await draft.handle.chown(uid, gid);
  await draft.handle.chmod(mode & 0o7777);
  const { faults } = readProfile(temporary);
  if (faults.length > 0) return { reason: 'faulty', message: faults[0]!.slice(temporary.length + 1), change: null };
  if (!readBytes(path)?.equals(bytes)) return changed;
  await draft.replace(target);
  return null;
}

const reasons: Record<string, string> = {
  EACCES: 'the service may not write in its folder',
  EPERM: 'the service may not write it with its owner and mode',
  EROFS: 'its file system is read-only',
  EBUSY: 'it is mounted on its own, so that it cannot be replaced',
  EXDEV: 'it is mounted on its own, so that it cannot be replaced',
  ENOSPC: 'the disk is full',
};

const reasonOf = ({ code, message }: NodeJS.ErrnoException): string =>
  code === undefined ? message : (reasons[code] ?? `it cannot be replaced (${code})`);
