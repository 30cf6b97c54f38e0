const firstShownMs = 1_000;

/** Runs work; if it takes over a second, a terminal on stderr shows `label` and the seconds so far until it ends. */
export async function withProgress<Result>(label: string, work: () => Result | Promise<Result>): Promise<Result> {
  if (!process.stderr.isTTY || process.env.TERM === 'dumb') return await work();
  const { Worker } = await import('node:worker_threads');
  const startedAt = performance.now();
  const ticker = new Worker(ticking, { eval: true, workerData: { label, firstShownMs } });
  try {
    return await work();
  } finally {
    await ticker.terminate();
    if (performance.now() - startedAt >= firstShownMs) process.stderr.write('\r\x1b[K');
  }
}

// In a thread of its own: SQLite and Typst block the event loop as long as they work.
const ticking = `
  const { writeSync } = require('node:fs');
  const { label, firstShownMs } = require('node:worker_threads').workerData;
  let seconds = 0;
  setInterval(() => writeSync(2, '\\r' + label + ' … ' + ++seconds + ' s'), firstShownMs);
`;
