import { type ChildProcess, fork } from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir, syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { pluralize } from 'resume-profile/text';

// Work that can block its thread, take all memory or crash: each piece runs in its own process, which is ended in time.

type Reply<Result> = { readonly result: Result } | { readonly fault: string };

export interface Limits {
  /** Processor time, which does not pass while other programs run; 20 s by default. Needs a POSIX shell. */
  readonly processorSeconds?: number | undefined;
  /** Wall-clock time, for a process that hangs or a machine that is too busy; 120 s by default. */
  readonly seconds?: number | undefined;
  /** Memory, measured on Linux; elsewhere only the JavaScript heap is limited. No limit by default. */
  readonly mebibytes?: number | undefined;
}

interface ProcessOptions extends Limits {
  readonly program: URL;
  /** The name of the process in messages: `the process that prints it`. */
  readonly name: string;
  /** Sandboxes the work: the files and folders that it may read. It may not write, start a process or connect. */
  readonly readable?: readonly URL[];
  /** Whether requests to the service go first. */
  readonly isInBackground?: true;
}

const aborted = 'it was cancelled';

/** Below the service's priority; at 10, one of ten processes that compute on two processors gets a tenth of one. */
export const backgroundPriority = 5;

const shell = '/bin/sh';

const watchMilliseconds = 20;

/** Opens pieces of work, each done by a process of its own. */
export function openProcesses<Request, Result>(options: ProcessOptions) {
  const { program, name, readable, isInBackground = false } = options;
  const { processorSeconds = 20, seconds = 120, mebibytes } = options;
  const paths = readable?.map((url) => fileURLToPath(url));
  // Replaces this process's flags, such as a test run's.
  const flags = [
    ...(paths ? ['--disallow-code-generation-from-strings', '--permission'] : []),
    ...(paths ?? []).map((path) => `--allow-fs-read=${path}`),
    ...(mebibytes === undefined ? [] : [`--max-old-space-size=${mebibytes}`]),
  ];
  // The kernel ends the process: by SIGXCPU, or a second later by SIGKILL if the work ignores that. No core is dumped.
  const limits = `ulimit -c 0; ulimit -S -t ${processorSeconds}; ulimit -H -t ${processorSeconds + 1}`;
  const started = existsSync(shell)
    ? { execPath: shell, execArgv: ['-c', `${limits}; exec "$0" "$@"`, process.execPath, ...flags] }
    : { execArgv: flags };
  const tooMuchMemory = `it takes more than ${mebibytes} MiB of memory`;
  const running = new Set<ChildProcess>();
  let isClosed = false;
  return {
    /** Rejects with one line, after the process has ended. `input` is the descriptor of its standard input. */
    async run(request: Request, input?: number, signal?: AbortSignal): Promise<Result> {
      if (signal?.aborted) throw new Error(aborted);
      const child = fork(program, {
        ...started,
        // No variable of this process is passed on: it may be a key or password.
        env: {
          NODE_COMPILE_CACHE: getCompileCacheDir() ?? process.env.NODE_COMPILE_CACHE,
          ...(!paths && { NODE_OPTIONS: process.env.NODE_OPTIONS }),
        },
        // Not the service's folder, which the process could then read.
        ...(paths && { cwd: new URL('.', program) }),
        serialization: 'advanced',
        stdio: [input ?? 'ignore', 'ignore', 'ignore', 'ipc'],
      });
      running.add(child);
      let reason: string | undefined;
      const end = (why: string) => {
        reason ??= why;
        child.kill('SIGKILL');
      };
      const abort = () => end(aborted);
      signal?.addEventListener('abort', abort);
      const timer = setTimeout(end, seconds * 1_000, `it took more than ${pluralize(seconds, 'second')}; try again`);
      const isTooLarge = () => residentKibibytesOf(child) > mebibytes! * 1024;
      const watch =
        mebibytes === undefined ? undefined : setInterval(() => isTooLarge() && end(tooMuchMemory), watchMilliseconds);
      let reply: Reply<Result> | undefined;
      child.once('message', (message) => {
        reply = message as Reply<Result>;
      });
      // Listens before anything else: without file descriptors or memory the process is not started, and has no `send`.
      const ended = once(child, 'close') as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
      try {
        if (isInBackground) setPriority(child.pid!, Math.max(getPriority(), backgroundPriority));
        // If memory runs out, Linux ends that process and not the service. Other systems lack the file.
        writeFileSync(`/proc/${child.pid}/oom_score_adj`, '1000');
      } catch {}
      // If it has ended already, `close` reports why.
      child.send?.(request as object, () => {});
      const [code, endedBy] = await ended
        .catch(({ code }: NodeJS.ErrnoException) => {
          throw new Error(`${name} cannot be started, by ${code}`);
        })
        .finally(() => {
          running.delete(child);
          clearTimeout(timer);
          clearInterval(watch);
          signal?.removeEventListener('abort', abort);
        });
      if (isClosed) return new Promise<never>(() => {});
      if (signal?.aborted) throw new Error(aborted);
      if (reply !== undefined && 'fault' in reply) throw new Error(reply.fault);
      if (reply !== undefined) return reply.result;
      if (reason !== undefined) throw new Error(reason);
      if (endedBy === 'SIGXCPU')
        throw new Error(`it took more than ${pluralize(processorSeconds, 'second')} of processor time`);
      // So Node ends if its heap is full.
      if (mebibytes !== undefined && endedBy === 'SIGABRT') throw new Error(tooMuchMemory);
      if (endedBy === 'SIGKILL') throw new Error(`${name} was killed, as Linux does when memory runs out; try again`);
      throw new Error(`${name} ended by ${endedBy ?? `code ${code}`}`);
    },
    /** Ends the running processes; the promise of an ended one never settles. */
    close(): void {
      isClosed = true;
      for (const child of running) child.kill('SIGKILL');
    },
  };
}

/** Returns the memory of a process; NaN if it has ended, or the system does not report it. */
function residentKibibytesOf({ pid }: ChildProcess): number {
  try {
    const [, kibibytes] = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes);
  } catch {
    return Number.NaN;
  }
}

/** The address of a program beside a module, with the extension that it has in a checkout or a package. */
export const programAt = (module: string, path: string): URL =>
  new URL(`${path}${import.meta.filename.endsWith('.ts') ? '.ts' : '.cjs'}`, module);

/** Does the one piece of work of this process, and ends it, also if the service ends first, unless the thread is blocked. */
export function serveOne<Request, Result>(work: (request: Request) => Promise<Result>): void {
  if (process.permission) denyNetwork();
  process.once('disconnect', () => process.exit());
  process.once('message', async (request: Request) => {
    const reply: Reply<Result> = await work(request).then(
      (result) => ({ result }),
      (error: Error) => ({ fault: error.message }),
    );
    process.send!(reply, () => process.exit());
  });
}

/** Takes the network from this process, for which Node 24 has no permission. */
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
