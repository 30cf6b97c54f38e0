import { existsSync } from 'node:fs';
import { readdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hash } from '../node-crypto.ts';
import { createDraft, takeOwnership } from '../output-file.ts';
import { toPhoto } from '../pdf/photo.ts';
import { reasonOf } from './profile-document.ts';

interface Options {
  /** Returns the path of the profile document; null if it is at an address. */
  readonly path: () => string | null;
  readonly now: () => Date;
}

// A younger photo may be of an upload whose draft is not saved yet.
const leastAgeMilliseconds = 60 * 60_000;

/** The photos that the desk writes beside the profile document, each under a name made of its content. */
export function photosOf({ path, now }: Options) {
  const nameOf = (bytes: Buffer, format: string) => `photo-${hash(bytes).slice(0, 16)}.${format}`;
  const isOurs = (name: string) => /^photo-[\w-]{16}\.(jpg|png)(\.part)?$/.test(name);
  const folder = () => dirname(path() ?? '');

  return {
    /**
     * Writes the picture of a file durably, without its metadata, with the mode and owner of the profile; returns its
     * name. Throws a reason to stand after the name of the file.
     */
    async add(file: Buffer): Promise<string> {
      const { bytes, format } = toPhoto(file);
      const name = nameOf(bytes, format);
      const target = join(folder(), name);
      try {
        const temporary = `${target}.part`;
        await rm(temporary, { force: true }); // left by a crash
        await using draft = await createDraft(temporary);
        await draft.handle.writeFile(bytes);
        const document = path()!;
        if (existsSync(document)) await takeOwnership(draft.handle, await stat(await realpath(document)));
        await draft.replace(target);
        return name;
      } catch (error) {
        throw new Error(`cannot be stored, because ${reasonOf(error as NodeJS.ErrnoException)}`);
      }
    },

    /** Returns the names of the photos that were written more than an hour ago. */
    async list(): Promise<string[]> {
      if (path() === null) return [];
      const names = (await readdir(folder())).filter(isOurs);
      const times = await Promise.all(names.map(async (name) => (await stat(join(folder(), name))).mtimeMs));
      return names.filter((_, index) => times[index]! < now().getTime() - leastAgeMilliseconds);
    },

    async remove(names: readonly string[]): Promise<void> {
      for (const name of names.filter(isOurs)) await rm(join(folder(), name), { force: true });
    },
  };
}
