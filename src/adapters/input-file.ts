import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { InputFile } from 'resume-import/source/zip';

/** Reads a whole file. Throws one line, to stand after its path, if it cannot be read or is too large. */
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

const maxFiles = 2000;

/** Lists the files of a folder by path; null if it is not a folder. Throws one line, to stand after its path. */
export function readInputFolder(folder: string, maxMebibytes: number): readonly InputFile[] | null {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return null;
  const files: InputFile[] = [];
  const list = (parent: string): void => {
    for (const entry of entriesOf(join(folder, parent))) {
      const path = `${parent}${entry.name}`;
      if (entry.isDirectory()) list(`${path}/`);
      // A link could lead out of the folder.
      else if (!entry.isFile()) throw new Error(`is a folder that holds “${path}”, which is a link or a special file`);
      else if (files.push(toFile(folder, path, maxMebibytes)) > maxFiles)
        throw new Error(`is a folder of more than ${maxFiles} files; name the folder of a LinkedIn data export`);
    }
  };
  list('');
  return files;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    throw new Error(`is a folder that cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}

const toFile = (folder: string, path: string, maxMebibytes: number): InputFile => ({
  path,
  size: statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0,
  async read() {
    try {
      return readInputFile(join(folder, path), maxMebibytes);
    } catch (error) {
      throw new Error(`is a folder whose ${path} ${(error as Error).message}`, { cause: error });
    }
  },
});
