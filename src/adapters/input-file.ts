import { readFileSync, statSync } from 'node:fs';

/** Reads a whole file. Throws what is wrong with it, one line to stand after its path, if it cannot be read or is too large. */
export function readInputFile(path: string, maxMebibytes: number): Buffer {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) throw new Error(stat.isDirectory() ? 'is a folder' : 'is not a file');
    if (stat.size > maxMebibytes * 1024 ** 2) throw new Error(`is larger than ${maxMebibytes} MiB`);
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`, { cause: error });
  }
}
