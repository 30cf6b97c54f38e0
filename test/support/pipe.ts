import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Cleanup, newFolder } from './files.ts';

/** Opens a pipe that holds 64 KiB and is read only by `read`. */
export function openPipe(t: Cleanup) {
  const path = join(newFolder(t), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  t.after(() => {
    for (const fd of [reader, writer]) closeSync(fd);
  });
  const buffer = Buffer.alloc(1_000_000);
  return {
    path,
    /** A descriptor that never blocks. */
    writer,
    /** Returns what the pipe holds, at most 1 MB; an empty buffer if it is empty. */
    read: () => Buffer.from(buffer.subarray(0, attempt(() => readSync(reader, buffer)) ?? 0)),
    /** Writes until the pipe holds as much as it can. */
    fill: () => {
      while (attempt(() => writeSync(writer, ' '.repeat(4_096))) !== undefined);
    },
  };
}

/** Returns undefined instead of an error that says that the pipe is full, or empty. */
function attempt<Result>(transfer: () => Result): Result | undefined {
  try {
    return transfer();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    return undefined;
  }
}
