import { existsSync, writeFileSync } from 'node:fs';

/** What to do about a file in the way of a command that has --force. */
export const remedyForce = '--force replaces it';

/** Throws one line, which begins with the path and ends with the remedy, if a file is there. */
export function refuseExisting(path: string, remedy: string): void {
  if (existsSync(path)) throw new Error(`${path}: ${exists(remedy)}`);
}

const exists = (remedy: string) => `exists already; ${remedy}`;

/** Writes a file that the owner named; replaces an existing one only with `force`. Throws one line that begins with the path. */
export function writeOutput(path: string, data: string | Uint8Array, { force = false }: { force?: boolean }): void {
  try {
    writeFileSync(path, data, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    throw toWriteError(path, error as NodeJS.ErrnoException, exists(remedyForce));
  }
}

/** Returns an error of one line that begins with the path and says why the file cannot be written; `ifExists` if it exists. */
export function toWriteError(path: string, { code }: NodeJS.ErrnoException, ifExists: string): Error {
  const reasons: Record<string, string> = {
    EEXIST: ifExists,
    ENOENT: 'is in a folder that does not exist',
    EISDIR: 'is a folder',
  };
  return new Error(`${path}: ${reasons[String(code)] ?? `cannot be written (${code})`}`);
}
