import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openProcesses } from '../../src/adapters/child-process.ts';
import { childrenOf, isRunning } from '../support/child-processes.ts';
import { eventually } from '../support/process.ts';
import type { ShutInRequest } from '../support/shut-in-process.ts';

interface Found {
  readonly outcomes: Readonly<Record<string, 'done' | 'refused'>>;
  readonly names: readonly string[];
  readonly folder: string;
}

const [sources, tests] = [new URL('../../src/', import.meta.url), new URL('../support/', import.meta.url)];

const processes = (limits: { seconds: number; mebibytes?: number }, readable: readonly URL[] | undefined) =>
  openProcesses<ShutInRequest, Found>({
    program: new URL('shut-in-process.ts', tests),
    name: 'the process',
    ...limits,
    ...(readable && { readable }),
  });

test('a process that is shut in reads no file but its code, writes none, starts nothing and reaches no network [TRUST-76]', async (t) => {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  assert.ok(process.env.PATH);

  const shutIn = await processes({ seconds: 60 }, [sources, tests]).run({ port });
  assert.deepEqual(shutIn.outcomes, {
    'reads a file of the machine': 'refused',
    'reads a file beside the code': 'refused',
    'reads the environment of the service': 'refused',
    'writes a file': 'refused',
    'starts a program': 'refused',
    'starts a thread': 'refused',
    'opens the inspector': 'refused',
    'takes a binding': 'refused',
    'makes code of a text': 'refused',
    'connects by TCP': 'refused',
    'asks by HTTP': 'refused',
    'asks by fetch': 'refused',
    'sends by UDP': 'refused',
    'looks up a name': 'refused',
  });
  assert.deepEqual([shutIn.names, shutIn.folder], [[], fileURLToPath(tests).slice(0, -1)]);

  // Each of these works in a process that is not shut in, which has the variables of the service as little.
  const other = await processes({ seconds: 60 }, undefined).run({ port });
  assert.deepEqual([...new Set(Object.values(other.outcomes))], ['done']);
  assert.deepEqual(other.names, []);
});

test('a process that is busy without an end is gone after its time, and so is one that fills the memory with bytes [TRUST-76]', async () => {
  const short = processes({ seconds: 1, mebibytes: 512 }, [sources, tests]);
  await assert.rejects(short.run('hang'), { message: 'it took more than 1 second' });
  const small = processes({ seconds: 60, mebibytes: 512 }, [sources, tests]);
  await assert.rejects(small.run('fill memory'), { message: 'it takes more than 512 MiB of memory' });
  assert.deepEqual(childrenOf(process.pid), []);
});

test('a process that is busy without an end is gone at once if the service is killed [TRUST-76]', async (t) => {
  const options = `{ program: new URL('shut-in-process.ts', ${JSON.stringify(tests)}), name: '', seconds: 3600,
    readable: [new URL(${JSON.stringify(sources)}), new URL(${JSON.stringify(tests)})] }`;
  const program = `import { openProcesses } from ${JSON.stringify(new URL('adapters/child-process.ts', sources))};
    await openProcesses(${options}).run('hang');`;
  const service = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
  const ended = once(service, 'exit');
  const child = await eventually(() => childrenOf(service.pid!)[0] ?? false);
  t.after(() => isRunning(child) && process.kill(Number(child), 'SIGKILL'));
  // A second of its time is used only by work that has begun.
  const hertz = 100;
  await eventually(() => Number(readFileSync(`/proc/${child}/stat`, 'utf8').split(' ')[13]) > hertz);
  assert.ok(isRunning(child));
  service.kill('SIGKILL');
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  await eventually(() => !isRunning(child));
});
