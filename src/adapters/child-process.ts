import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import { pluralize } from '../model/text.ts';

// Work that can block its thread, take all memory or crash, each piece in a process of its own, which ends in time.

/** The reply of the process, with the reason if the work failed. */
type Reply<Result> = { readonly result: Result } | { readonly fault: string };

interface Limits {
  readonly seconds: number;
  /** The memory that the process may take; no limit but the machine's without it. */
  readonly mebibytes?: number | undefined;
}

interface Options extends Limits {
  /** The module that the process runs, which calls `serveOne`. */
  readonly program: URL;
  /** The name of the process in messages: `the process that prints it`. */
  readonly name: string;
  /** Advice after the message that the time is over. */
  readonly advice?: string;
  /** Flags of Node for the process, in place of those of this one, such as those of a test run. */
  readonly execArgv?: readonly string[];
}

/** Pieces of work, each done by a process of its own. */
export interface Processes<Request, Result> {
  /** Rejects with one line if the work fails, takes too long or too much memory. The process has ended by then. */
  run(request: Request): Promise<Result>;
  /** Ends the running processes; the promise of an ended one never settles. */
  close(): void;
}

export function openProcesses<Request, Result>(options: Options): Processes<Request, Result> {
  const { program, name, advice = '', execArgv = [], seconds, mebibytes } = options;
  const running = new Set<ChildProcess>();
  let isClosed = false;
  return {
    async run(request) {
      const child = fork(program, [JSON.stringify({ seconds, mebibytes } satisfies Limits)], {
        execArgv: [...execArgv],
        env: { ...process.env, NODE_COMPILE_CACHE: getCompileCacheDir() ?? process.env.NODE_COMPILE_CACHE },
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        timeout: seconds * 1000,
        killSignal: 'SIGKILL',
      });
      running.add(child);
      let reply: Reply<Result> | undefined;
      child.once('message', (message) => {
        reply = message as Reply<Result>;
      });
      // Listened to at once: without file descriptors or memory the process is not started, and has no `send`.
      const ended = once(child, 'close') as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
      // If it has ended already, `close` says how.
      child.send?.(request as object, () => {});
      const [code, signal] = await ended
        .catch(({ code }: NodeJS.ErrnoException) => {
          throw new Error(`${name} cannot be started, by ${code}`);
        })
        .finally(() => running.delete(child));
      if (isClosed) return new Promise<never>(() => {});
      if (reply !== undefined && 'fault' in reply) throw new Error(reply.fault);
      if (reply !== undefined) return reply.result;
      if (child.killed) throw new Error(`it took more than ${pluralize(seconds, 'second')}${advice}`);
      if (mebibytes !== undefined && (signal === memorySignal || signal === 'SIGABRT'))
        throw new Error(`it takes more than ${mebibytes} MiB of memory`);
      throw new Error(`${name} ended by ${signal ?? `code ${code}`}`);
    },
    close() {
      isClosed = true;
      for (const child of running) child.kill('SIGKILL');
    },
  };
}

/** The address of a program beside a module, without the ending that it has in a checkout or a package. */
export const programAt = (module: string, path: string): URL =>
  new URL(`${path}${import.meta.filename.endsWith('.ts') ? '.ts' : '.cjs'}`, module);

/** Ends a process that takes too much memory; it has no handler. Node itself aborts if its heap is full. */
const memorySignal = 'SIGXCPU';

/** Does the one piece of work of this process, which `openProcesses` has started, and ends it. */
export function serveOne<Request, Result>(work: (request: Request) => Promise<Result>): void {
  const { seconds, mebibytes = Infinity } = JSON.parse(process.argv[2]!) as Limits;
  // The process that started this one ends it by then, but may have been killed. No timer of this thread runs while it
  // is blocked, so another thread has them.
  const watch = `
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${1_000 * (seconds + 1)});
    if (${mebibytes} < Infinity) setInterval(() => {
      if (process.memoryUsage.rss() > ${mebibytes * 1024 ** 2}) process.kill(process.pid, '${memorySignal}');
    }, 20);`;
  new Worker(watch, { eval: true }).unref();
  try {
    // If memory runs out, Linux ends this process and not the service. Other systems lack the file.
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {}
  process.once('message', async (request: Request) => {
    const reply: Reply<Result> = await work(request).then(
      (result) => ({ result }),
      (error: Error) => ({ fault: error.message }),
    );
    process.send!(reply, () => process.disconnect());
  });
}
