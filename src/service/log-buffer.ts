import { writeSync } from 'node:fs';

interface Options {
  /** A descriptor that never blocks: a file, or a pipe or socket with O_NONBLOCK. */
  readonly fd: number;
  /** How many characters are gathered for one write; 0 writes each line at once. */
  readonly flushLength: number;
  /** Called when lines can be written again, with the number of those that were dropped before. */
  readonly onDropped: (lines: number) => void;
}

export type LogBuffer = ReturnType<typeof openLogBuffer>;

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
  let lines = '';
  let unwritten: Buffer = Buffer.alloc(0);
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let isOpen = false;

  /** Writes what was gathered. Returns the code of the error if not all could be written. */
  function flush(): string | undefined {
    clearTimeout(timer);
    timer = undefined;
    unwritten = Buffer.concat([unwritten, Buffer.from(lines)]);
    lines = '';
    try {
      while (unwritten.length > 0) unwritten = unwritten.subarray(writeSync(fd, unwritten));
    } catch (error) {
      timer = setTimeout(flush, flushMs).unref();
      return (error as NodeJS.ErrnoException).code;
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
    while (flush() === 'EAGAIN' && performance.now() < deadline)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }

  return {
    write(line: string): void {
      if (!isOpen) process.once('exit', flushAtExit);
      isOpen = true;
      if (unwritten.length + lines.length + line.length > maxBytes) {
        dropped += 1;
        return;
      }
      lines += line;
      if (lines.length >= flushLength) flush();
      else timer ??= setTimeout(flush, flushMs).unref();
    },
    flush,
  };
}
