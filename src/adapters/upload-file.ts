import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from './node-crypto.ts';

/** A file without a name, which the system removes when it is closed, also if this process is killed. */
interface UploadFile {
  write(chunk: Uint8Array): Promise<void>;
  /** Reads all that was written. */
  readAll(): Promise<Buffer>;
  close(): Promise<void>;
}

/** Opens such a file in a folder when the first of it is written. */
export function openUploadFile(directory: string): UploadFile {
  let opened: FileHandle | null = null;
  let length = 0;
  return {
    async write(chunk) {
      opened ??= await openUnnamed(directory);
      await opened.writev([chunk]);
      length += chunk.byteLength;
    },
    async readAll() {
      const bytes = Buffer.alloc(length);
      await opened?.read(bytes, 0, length, 0);
      return bytes;
    },
    close: async () => opened?.close(),
  };
}

async function openUnnamed(directory: string): Promise<FileHandle> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, `.upload-${newId()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await rm(path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
