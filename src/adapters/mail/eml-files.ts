import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SendMailOptions } from 'nodemailer';
import { createDraft, fsyncFolder } from '../durable-file.ts';

/**
 * Writes a mail durably to an `.eml` file, which a mail program can open; replaces the file of an earlier attempt. Creates
 * the folder if it is missing.
 */
export async function writeEml(
  mail: SendMailOptions,
  directory: string,
  { id, createdAt }: { id: string; createdAt: Date },
): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await transport.sendMail(mail);
  const path = join(directory, `${createdAt.toISOString().replace(/[-:]/g, '')}-${id}.eml`);
  const created = await mkdir(directory, { recursive: true, mode: 0o700 });
  await rm(`${path}.part`, { force: true }); // left by a crash
  await using draft = await createDraft(`${path}.part`);
  await draft.handle.writeFile(message as Buffer);
  await draft.replace(path);
  if (created !== undefined) await fsyncFolder(dirname(created));
}

/** Removes the `.eml` files of the mails with these ids, and those written before an instant; returns how many. */
export async function removeMailFiles(
  directory: string,
  { ids, before = new Date(0) }: { ids: readonly string[]; before?: Date },
): Promise<number> {
  const erased = new Set(ids);
  const names = existsSync(directory) ? await readdir(directory) : [];
  const removable = names.filter((name) => {
    const stem = /^(.*)\.eml(\.part)?$/.exec(name)?.[1];
    if (stem === undefined || erased.has(stem.slice(-36))) return stem !== undefined;
    const stats = statSync(join(directory, name), { throwIfNoEntry: false });
    return stats !== undefined && stats.mtime < before;
  });
  for (const name of removable) await rm(join(directory, name), { force: true });
  return removable.length;
}
