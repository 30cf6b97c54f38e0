import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { Session } from 'node:inspector';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { serveOne } from '../../src/adapters/child-process.ts';

// Tries what a parser that runs the code of a hostile file could do, in the process of `openProcesses`.

type Attempts = Readonly<Record<string, () => unknown>>;

const attempts = (port: number): Attempts => ({
  'reads a file of the machine': () => readFileSync('/etc/passwd'),
  'reads a file beside the code': () => readFileSync(new URL('../../CHANGELOG.md', import.meta.url)),
  'reads the environment of the service': () => readFileSync(`/proc/${process.ppid}/environ`),
  'writes a file': () => writeFileSync(join(tmpdir(), 'candidate-profile-shut-in'), ''),
  'starts a program': () => execFileSync('/bin/true'),
  'starts a thread': () => new Worker('', { eval: true, execArgv: [] }),
  'opens the inspector': () => new Session().connect(),
  'takes a binding': () => (process as unknown as { binding(name: string): void }).binding('tcp_wrap'),
  'makes code of a text': () => new Function('return 1'),
  'connects by TCP': () => once(connect(port, '127.0.0.1'), 'connect'),
  'asks by HTTP': () => once(request(`http://127.0.0.1:${port}`).end(), 'response'),
  'asks by fetch': () => fetch(`http://127.0.0.1:${port}`),
  'sends by UDP': () => createSocket('udp4').send('', port),
  'looks up a name': () => lookup('localhost'),
});

export type ShutInRequest = { readonly port: number } | 'hang' | 'wait' | 'fill memory' | 'fill heap';

serveOne(async (request: ShutInRequest) => {
  if (request === 'hang') for (;;);
  if (request === 'wait') return new Promise(() => {});
  if (request === 'fill heap')
    for (const filled: number[][] = []; ; ) filled.push(new Array(1_000).fill(Math.random()));
  if (request === 'fill memory') for (const filled: Uint8Array[] = []; ; ) filled.push(new Uint8Array(2 ** 24).fill(1));
  const outcomes = Object.entries(attempts(request.port)).map(async ([name, attempt]) => {
    const outcome = await Promise.resolve()
      .then(attempt)
      .then(
        () => 'done',
        () => 'refused',
      );
    return [name, outcome] as const;
  });
  return {
    outcomes: Object.fromEntries(await Promise.all(outcomes)),
    names: Object.keys(process.env).filter((name) => name !== 'NODE_COMPILE_CACHE'),
    folder: process.cwd(),
  };
});
