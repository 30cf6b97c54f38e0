import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Cleanup, newFolder } from '../../../support/files.ts';
import { eventually, main } from '../../../support/process.ts';

/** A system call of a traced service, on a file of its database or on the socket of a client. */
export type Step =
  | { readonly kind: 'write'; readonly file: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: string; readonly size: number }
  | { readonly kind: 'create' | 'unlink' | 'sync'; readonly file: string }
  | { readonly kind: 'sync folder' }
  | { readonly kind: 'send'; readonly text: string };

// With -D strace is not the parent: the process that is spawned, and killed, is the service itself.
const strace = ['-D', '-f', '--seccomp-bpf'];

/** Whether strace is installed and permitted to trace. */
export const canTrace = (): boolean => spawnSync('strace', [...strace, '-o', '/dev/null', 'true']).status === 0;

/** Starts `serve` under strace. */
export async function startTraced(t: Cleanup, env: Record<string, string>) {
  const folder = newFolder(t);
  const trace = join(folder, 'trace');
  const calls = 'trace=openat,unlink,pwrite64,ftruncate,fsync,fdatasync,write,writev';
  const options = [...strace, '-y', '-xx', '-s', '1000000', '-o', trace, '-e', calls];
  const child = spawn('strace', [...options, process.execPath, main, 'serve'], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const [first] = await Promise.race([once(createInterface(child.stdout), 'line'), exited]);
  return {
    url: /^Listening on (\S+)$/.exec(String(first))?.[1] ?? assert.fail(`exit code ${first}`),
    /** Kills the service and returns its steps since the start, in order. */
    async steps(): Promise<Step[]> {
      child.kill('SIGKILL');
      await exited;
      const isLast = new RegExp(`^${child.pid} +\\+\\+\\+ killed`, 'm');
      await eventually(() => isLast.test(readFileSync(trace, 'latin1').slice(-10_000)));
      const steps = await readSteps(trace, join(folder, 'data'));
      rmSync(trace);
      return steps;
    },
  };
}

async function readSteps(trace: string, folder: string): Promise<Step[]> {
  const steps: Step[] = [];
  const begun = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(trace, 'latin1') })) {
    const [, thread = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const isBegun = text.endsWith('<unfinished ...>');
    const isResumed = text.startsWith('<... ');
    const call = isResumed ? begun.get(thread) : text;
    const step = call === undefined ? null : toStep(call, folder);
    if (isBegun) begun.set(thread, text);
    // A write may reach the disk as soon as the call begins; any other call takes effect once it returns.
    const isEarly = step?.kind === 'write' || step?.kind === 'truncate' || step?.kind === 'send';
    if (step !== null && (isEarly ? !isResumed : !isBegun)) steps.push(step);
  }
  return steps;
}

const toBytes = (hex: string) => Buffer.from(hex.replaceAll('\\x', ''), 'hex');

function toStep(call: string, folder: string): Step | null {
  const [, name, fd, ...rest] = /^(\w+)\((?:\d+<([^>]*)>|[^,"]*,? ?)(?:(?:, )?"([^"]*)")?(.*)/.exec(call) ?? [];
  const [text = '', others = ''] = rest;
  const path = toBytes(fd ?? text).toString();
  if (name?.startsWith('write') && path.startsWith('socket:')) {
    const texts = [...call.matchAll(/"([^"]*)"/g)].map(([, hex]) => toBytes(hex!));
    return { kind: 'send', text: Buffer.concat(texts).toString() };
  }
  if (name === 'fsync' && path === folder) return { kind: 'sync folder' };
  const file = basename(path);
  if (dirname(path) !== folder || !/^candidate-profile\.db(-wal|-journal)?$/.test(file)) return null;
  const numbers = others.match(/\d+/g)?.map(Number) ?? [];
  switch (name) {
    case 'pwrite64':
      return { kind: 'write', file, offset: numbers[1]!, bytes: toBytes(text) };
    case 'ftruncate':
      return { kind: 'truncate', file, size: numbers[0]! };
    case 'fsync':
    case 'fdatasync':
      return { kind: 'sync', file };
    case 'unlink':
      return { kind: 'unlink', file };
    case 'openat':
      return others.includes('O_CREAT') ? { kind: 'create', file } : null;
    default:
      throw new Error(`${name} on ${file}: not understood`);
  }
}
