import { writeSync } from 'node:fs';

interface Options {
  /** A descriptor that never blocks: a file, or a pipe or socket with O_NONBLOCK. */
  readonly fd: number;
  /** How many bytes are gathered for one write; 0 writes each line at once. */
  readonly flushLength: number;
  /** Called when lines can be written again, with the number of those that were dropped before. */
  readonly onDropped: (lines: number) => void;
}

/** How long a line waits for others. */
const flushMs = 100;
/** How many bytes wait for a reader that is slow. Later lines are dropped. */
const maxBytes = 1_048_576;
/** How long the exit of the process waits for a reader that is slow. */
const exitWaitMs = 1_000;

/**
 * Gathers lines and writes them in order: after 100 ms, at `flushLength`, on `flush`, and at the exit of the process.
 * Never throws and never blocks: what a full pipe or disk does not take is kept, up to 1 MiB, and tried again.
 * Pino's own destination, sonic-boom, has no such mode: its `flushSync` never returns on a full disk, and overtakes a write in progress.
 */
export function openLogBuffer({ fd, flushLength, onDropped }: Options) {
  // Text is encoded as it comes: a string of many lines would keep all their parts alive until the next flush.
  const bytes = Buffer.alloc(maxBytes);
  let length = 0;
  /** How many bytes the last flush could not write. */
  let refused = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let hasExitListener = false;

  /** Writes what was gathered. Returns the code of the error if not all could be written. */
  function flush(): string | undefined {
    clearTimeout(timer);
    timer = undefined;
    let written = 0;
    try {
      while (written < length) written += writeSync(fd, bytes, written, length - written);
    } catch (error) {
      timer = setTimeout(flush, flushMs).unref();
      return (error as NodeJS.ErrnoException).code;
    } finally {
      bytes.copyWithin(0, written, length);
      length -= written;
      refused = length;
    }
    if (dropped > 0) {
      const count = dropped;
      dropped = 0;
      onDropped(count);
      return flush();
    }
    return undefined;
  }

  function flushAtExit(): void {
    const deadline = performance.now() + exitWaitMs;
    // Blocks, because timers do not run during the exit.
    while (flush() === 'EAGAIN' && performance.now() < deadline)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }

  return {
    write(line: string): void {
      if (!hasExitListener) process.once('exit', flushAtExit);
      hasExitListener = true;
      // A character takes at most three bytes.
      if (length + 3 * line.length > maxBytes) {
        dropped += 1;
        return;
      }
      length += bytes.write(line, length);
      if (length - refused >= flushLength) flush();
      else timer ??= setTimeout(flush, flushMs).unref();
    },
    flush,
  };
}
