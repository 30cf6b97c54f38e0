import { existsSync, writeFileSync } from 'node:fs';

const exists = 'exists already; --force replaces it';

/** Throws, as `writeOutput` would, where a file is in the way: before its owner is put to any trouble. */
export function refuseExisting(path: string, { force = false }: { force?: boolean }): void {
  if (!force && existsSync(path)) throw new Error(`${path}: ${exists}`);
}

/** Writes a file that the owner asked for; one that exists is replaced only by force. Throws an error of one line that begins with the path. */
export function writeOutput(path: string, data: string | Uint8Array, { force = false }: { force?: boolean }): void {
  try {
    writeFileSync(path, data, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EEXIST: exists,
      ENOENT: 'is in a folder that does not exist',
      EISDIR: 'is a folder',
    };
    throw new Error(`${path}: ${reasons[String(code)] ?? `cannot be written (${code})`}`);
  }
}
