import { existsSync } from 'node:fs';
import { lstat, readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { toPhoto } from 'resume-documents/pdf/photo';
import { maxPhotoMebibytes } from 'resume-profile/resume-document';
import { readInputFile } from '../input-file.ts';
import { hash } from '../node-crypto.ts';
import { createDraft, takeOwnership } from '../output-file.ts';
import { openQueue } from '../queue.ts';
import { reasonOf } from './document-file.ts';

// A younger photo may belong to an upload whose draft is not saved yet.
const leastAgeMilliseconds = 60 * 60_000;

/** The photos that the desk writes beside the profile document, if it is a file; a name is made of the document's and the content. */
export function photosOf({ path, now }: { readonly path: string | null; readonly now: () => Date }) {
  // Includes the document's name: another document in the folder may have the same photo.
  const nameOf = (bytes: Buffer, format: string) =>
    `photo-${hash(Buffer.concat([Buffer.from(`${basename(path ?? '')}/`), bytes])).slice(0, 16)}.${format}`;
  const folder = dirname(path ?? '');
  const enqueue = openQueue();

  async function write(file: Buffer): Promise<string> {
    const { bytes, format } = toPhoto(file);
    const name = nameOf(bytes, format);
    try {
      const document = path!;
      const temporary = `${document}.photo.part`;
      await rm(temporary, { force: true }); // left by a crash
      await using draft = await createDraft(temporary);
      await draft.handle.writeFile(bytes);
      if (existsSync(document)) await takeOwnership(draft.handle, await stat(await realpath(document)));
      await draft.replace(join(folder, name));
      return name;
    } catch (error) {
      throw new Error(`cannot be stored, because ${reasonOf(error as NodeJS.ErrnoException)}`);
    }
  }

  /** Whether the desk wrote a file, since somebody else may have chosen a name like a photo's. */
  function isOurs(name: string): boolean {
    try {
      return nameOf(readInputFile(join(folder, name), maxPhotoMebibytes), extname(name).slice(1)) === name;
    } catch {
      return false;
    }
  }

  return {
    /** Writes a picture without metadata, with mode and owner of the profile; returns its name, or throws what follows it. */
    add: (file: Buffer) => enqueue(() => write(file)),

    /** Returns the names of photos, and of files named like photos, that were written more than an hour ago. */
    async list(): Promise<string[]> {
      if (path === null) return [];
      const names = (await readdir(folder)).filter((name) => /^photo-[\w-]{16}\.(jpg|png)$/.test(name));
      const times = await Promise.all(names.map(async (name) => (await lstat(join(folder, name))).mtimeMs));
      return names.filter((_, index) => times[index]! < now().getTime() - leastAgeMilliseconds);
    },

    async remove(names: readonly string[]): Promise<void> {
      for (const name of names.filter(isOurs)) await rm(join(folder, name), { force: true });
    },
  };
}
