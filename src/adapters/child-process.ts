import { type ChildProcess, fork } from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { getCompileCacheDir, syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, SHARE_ENV, Worker } from 'node:worker_threads';
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
  /** Shuts the work in: the files and folders that it may read. It may write, start and connect to nothing. */
  readonly readable?: readonly URL[];
  /** Whether requests that the service gets meanwhile are answered first. */
  readonly isInBackground?: true;
}

/** The argument of the process. */
interface Watch extends Limits {
  /** The process that started it. */
  readonly parent: number;
  /** The flags of Node for the thread that works. */
  readonly flags: readonly string[];
}

type FileDescriptor = number;

/** Pieces of work, each done by a process of its own. */
export interface Processes<Request, Result> {
  /**
   * Rejects with one line if the work fails, takes too long or too much memory. The process has ended by then.
   * `input` is its standard input. The process is ended when `signal` aborts.
   */
  run(request: Request, input?: FileDescriptor, signal?: AbortSignal): Promise<Result>;
  /** Ends the running processes; the promise of an ended one never settles. */
  close(): void;
}

const aborted = 'it was cancelled';

/** Below the service; at 10, one of ten processes that compute on two processors gets too little to be done in 20 s. */
export const backgroundPriority = 5;

export function openProcesses<Request, Result>(options: Options): Processes<Request, Result> {
  const { program, name, advice = '', readable, isInBackground = false, seconds, mebibytes } = options;
  const paths = readable?.map((url) => fileURLToPath(url));
  const watch: Watch = {
    seconds,
    mebibytes,
    parent: process.pid,
    flags: paths ? ['--permission', ...paths.map((path) => `--allow-fs-read=${path}`)] : [],
  };
  const running = new Set<ChildProcess>();
  let isClosed = false;
  return {
    async run(request, input, signal) {
      if (signal?.aborted) throw new Error(aborted);
      const child = fork(program, [JSON.stringify(watch)], {
        // In place of the flags of this one, such as those of a test run.
        execArgv: paths ? ['--disallow-code-generation-from-strings'] : [],
        // No variable of this process that may be a key or password.
        env: {
          NODE_COMPILE_CACHE: getCompileCacheDir() ?? process.env.NODE_COMPILE_CACHE,
          ...(!paths && { NODE_OPTIONS: process.env.NODE_OPTIONS }),
        },
        // The permissions of a thread have its working folder in them, which must not be that of the service.
        ...(paths && { cwd: new URL('.', program) }),
        serialization: 'advanced',
        stdio: [input ?? 'ignore', 'ignore', 'ignore', 'ipc'],
        timeout: seconds * 1000,
        killSignal: 'SIGKILL',
      });
      running.add(child);
      const end = () => child.kill('SIGKILL');
      signal?.addEventListener('abort', end);
      let reply: Reply<Result> | undefined;
      child.once('message', (message) => {
        reply = message as Reply<Result>;
      });
      // Listened to at once: without file descriptors or memory the process is not started, and has no `send`.
      const ended = once(child, 'close') as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
      try {
        if (isInBackground) setPriority(child.pid!, Math.max(getPriority(), backgroundPriority));
        // If memory runs out, Linux ends that process and not the service. Other systems lack the file.
        writeFileSync(`/proc/${child.pid}/oom_score_adj`, '1000');
      } catch {}
      // If it has ended already, `close` says how.
      child.send?.(request as object, () => {});
      const [code, endedBy] = await ended
        .catch(({ code }: NodeJS.ErrnoException) => {
          throw new Error(`${name} cannot be started, by ${code}`);
        })
        .finally(() => {
          running.delete(child);
          signal?.removeEventListener('abort', end);
        });
      if (isClosed) return new Promise<never>(() => {});
      if (signal?.aborted) throw new Error(aborted);
      if (reply !== undefined && 'fault' in reply) throw new Error(reply.fault);
      if (reply !== undefined) return reply.result;
      if (child.killed) throw new Error(`it took more than ${pluralize(seconds, 'second')}${advice}`);
      if (mebibytes !== undefined && (endedBy === memorySignal || endedBy === 'SIGABRT'))
        throw new Error(`it takes more than ${mebibytes} MiB of memory`);
      throw new Error(`${name} ended by ${endedBy ?? `code ${code}`}`);
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

/**
 * Does the one piece of work of this process, which `openProcesses` has started, and ends it. The work has a thread of
 * its own: while it blocks that, this one sees how much memory the process takes, and that its parent has ended.
 */
export function serveOne<Request, Result>(work: (request: Request) => Promise<Result>): void {
  if (isMainThread) {
    watchThread();
    return;
  }
  if (process.permission) denyNetwork();
  parentPort!.once('message', async (request: Request) => {
    const reply: Reply<Result> = await work(request).then(
      (result) => ({ result }),
      (error: Error) => ({ fault: error.message }),
    );
    parentPort!.postMessage(reply);
  });
}

function watchThread(): void {
  const { seconds, mebibytes = Infinity, parent, flags } = JSON.parse(process.argv[2]!) as Watch;
  const end = (signal: NodeJS.Signals) => process.kill(process.pid, signal);
  // The process that started this one ends it by then, unless it is blocked itself.
  setTimeout(end, 1_000 * (seconds + 1), 'SIGKILL');
  setInterval(() => {
    if (process.ppid !== parent) end('SIGKILL');
    if (process.memoryUsage.rss() > mebibytes * 1024 ** 2) end(memorySignal);
  }, 20);
  const worker = new Worker(process.argv[1]!, {
    // Without flags of its own, it has those of NODE_OPTIONS.
    ...(flags.length > 0 && { execArgv: [...flags] }),
    // Typst reads variables that the thread sets.
    env: SHARE_ENV,
    ...(mebibytes < Infinity && { resourceLimits: { maxOldGenerationSizeMb: mebibytes } }),
  });
  worker.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') end(memorySignal);
    else throw error;
  });
  worker.once('message', (reply) => process.send!(reply, () => process.exit()));
  process.once('message', (request) => worker.postMessage(request));
}

/** Takes the network from this thread, for which Node 24 has no permission. */
function denyNetwork(): void {
  const deny = () => {
    throw new Error('no permission to use the network');
  };
  net.Socket.prototype.connect = deny;
  net.Server.prototype.listen = deny;
  for (const module of [dgram, dns, dns.promises])
    for (const [name, value] of Object.entries(module))
      if (typeof value === 'function') Object.assign(module, { [name]: deny });
  syncBuiltinESMExports();
}
