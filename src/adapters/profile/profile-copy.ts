import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { type ProfileReading, readProfileText } from '../../formats/profile/profile-reader.ts';
import { decodeUtf8 } from '../../formats/utf-8.ts';
import type { Profile } from '../../model/profile/profile-document.ts';
import { createDraft } from '../durable-file.ts';
import { readInputFile } from '../input-file.ts';

/** The file of a copy: a valid document, with where and when it was fetched. */
const CopyFile = z.strictObject({ address: z.string(), fetched_at: z.iso.datetime(), document: z.string() });

/** What a copy holds; or why it cannot be used, in words that follow its path. */
export type ReadCopy =
  | {
      readonly fault: null;
      readonly text: string;
      readonly reading: ProfileReading;
      readonly profile: Profile;
      readonly fetchedAt: Date;
    }
  | { readonly fault: string };

/** The copy of the last valid version of a document at an address. */
export type Copy = ReturnType<typeof copyOf>;

// A document of 1 MiB takes at most six times as much as a JSON string.
const maxCopyMebibytes = 7;

/** Returns the copy in a folder; `name` is that of the address: a copy of another address is not used, and replaced. */
export function copyOf(folder: string, name: string) {
  const path = join(folder, 'profile-copy.json');
  return {
    path,

    read(): ReadCopy {
      let bytes: Buffer;
      try {
        bytes = readInputFile(path, maxCopyMebibytes);
      } catch (error) {
        return { fault: (error as Error).message };
      }
      try {
        const { address, fetched_at, document: text } = CopyFile.parse(JSON.parse(decodeUtf8(bytes)));
        if (address !== name) return { fault: 'is of another address' };
        const reading = readProfileText(text, name);
        const { profile } = reading;
        if (profile !== null) return { fault: null, text, reading, profile, fetchedAt: new Date(fetched_at) };
      } catch {}
      return { fault: 'is damaged' };
    },

    /** Replaces the copy durably, with mode 0600. */
    async write(text: string): Promise<void> {
      // Another process may write in the same folder.
      const temporary = `${path}.${process.pid}.part`;
      await rm(temporary, { force: true }); // left by a crash
      await using draft = await createDraft(temporary);
      const copy: z.infer<typeof CopyFile> = { address: name, fetched_at: new Date().toISOString(), document: text };
      await draft.handle.writeFile(`${JSON.stringify(copy)}\n`);
      await draft.replace(path);
    },
  };
}

/** Writes a copy, and tries again at the next call if that fails, which is logged once. */
export function openSaving(copy: Pick<Copy, 'write'>, log: Pick<Logger, 'warn'>) {
  let unsaved: string | null = null;
  let isFailing = false;
  return {
    /** Writes a text; null writes the one that could not be written before. */
    async save(text: string | null): Promise<void> {
      unsaved = text ?? unsaved;
      if (unsaved === null) return;
      try {
        await copy.write(unsaved);
        unsaved = null;
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'no copy of the profile is kept: its file cannot be written');
        isFailing = true;
      }
    },
  };
}
