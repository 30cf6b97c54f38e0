import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/** Killed when this process exits. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A server in a process of its own. */
export interface Server extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
  /** The bearer token that it accepts, if it wants one. */
  readonly token?: string | undefined;
  /** User and system time so far of the process and those that it started, in milliseconds, to 10 ms. */
  cpuMs(): number;
  /** Resident memory of the process and those that it started. */
  residentMb(): number;
  /** Empties the log, so that it does not fill the disk. */
  emptyLog(): void;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Terminates the process by SIGTERM and resolves once it has exited. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a command in a folder, with nothing of this environment but PATH; standard error goes to a file there. The process
 * prints `Listening on URL` once it listens, and `Token TOKEN` before that if it wants one. Throws if it exits first.
 */
export async function startServer(
  name: string,
  [command = '', ...args]: readonly string[],
  folder: string,
  env: Record<string, string> = {},
): Promise<Server> {
  const logPath = join(folder, `${name.replaceAll(/\W+/g, '-')}.log`);
  const log = openSync(logPath, 'a');
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', log],
  });
  closeSync(log);
  const exited = once(child, 'exit');
  running.add(child);
  void exited.then(() => running.delete(child));

  let token: string | undefined;
  let url: string | undefined;
  for await (const line of createInterface(child.stdout!)) {
    token ??= /^Token (\S+)$/.exec(line)?.[1];
    url = /^Listening on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) break;
  }
  if (url === undefined) throw new Error(`${name} did not start:\n${readFileSync(logPath, 'utf8').slice(-2_000)}`);
  child.stdout!.resume();

  return {
    name,
    url,
    token,
    // The fields after the command's name, which is in parentheses: proc(5), utime and stime, and those of children that have
    // ended, in ticks of 10 ms.
    cpuMs: () =>
      sumOver(child.pid!, 'stat', (text) => text.split(') ').at(-1)!.split(' ').slice(11, 15).map(Number)) * 10,
    residentMb: () => sumOver(child.pid!, 'status', (text) => [Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0)]) / 1024,
    signal: (signal) => void child.kill(signal),
    emptyLog: () => truncateSync(logPath),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Sums up what a file of /proc tells of a process and of those that it started, which may end meanwhile. */
function sumOver(pid: number, file: string, valuesOf: (text: string) => number[]): number {
  const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8');
  const children = read(`task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  const sums = children.map((child) => {
    try {
      return sumOver(child, file, valuesOf);
    } catch {
      return 0;
    }
  });
  return [...valuesOf(read(file)), ...sums].reduce((sum, value) => sum + value, 0);
}

/** Resolves once a server has used hardly any CPU for a while, after 10 s at the latest: when its start is over. */
export async function idle(server: Server): Promise<void> {
  const end = performance.now() + 10_000;
  let before: number;
  do {
    before = server.cpuMs();
    await pause(300);
  } while (server.cpuMs() - before > 10 && performance.now() < end);
}
