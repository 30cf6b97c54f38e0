import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../model/failure.ts';
import { newId } from './node-crypto.ts';

export interface WrittenFile {
  readonly descriptor: number;
  readonly length: number;
}

const prefix = '.upload-';

/** Opens a file at the first write. It has no name, so the system removes it however this process ends. */
export function openUploadFile(directory: string) {
  let opening: ReturnType<typeof openUnnamed> | null = null;
  let length = 0;
  let isClosed = false;
  return {
    /** Rejects with `UNAVAILABLE` if it cannot be stored, such as on a full disk. */
    async write(chunk: Uint8Array): Promise<void> {
      if (isClosed) return;
      try {
        opening ??= openUnnamed(directory);
        await (await opening).writer.appendFile(chunk);
        length += chunk.byteLength;
      } catch (error) {
        throw new Failure('UNAVAILABLE', undefined, { cause: error });
      }
    },
    /** Returns the file, with a descriptor that can only read; null if nothing was written. */
    written: async (): Promise<WrittenFile | null> =>
      opening === null ? null : { descriptor: (await opening).reader.fd, length },
    async close(): Promise<void> {
      isClosed = true;
      const file = await opening?.catch(() => null);
      await Promise.all([file?.writer.close(), file?.reader.close()]);
    },
  };
}

/** Opens a new file twice, for writing and for a process that may only read, and unlinks it. */
async function openUnnamed(directory: string) {
  await mkdir(directory, { recursive: true });
  const path = join(directory, prefix + newId());
  const writer = await open(path, 'wx', 0o600);
  try {
    return { writer, reader: await open(path, 'r') };
  } catch (error) {
    await writer.close();
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}

/** Removes the files of a process that was killed between creating and unlinking them. */
export async function removeUploads(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(prefix))) await rm(join(directory, name), { force: true });
}
