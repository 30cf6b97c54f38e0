import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openProcesses } from '../../../src/adapters/child-process.ts';
import { childrenOf, isRunning } from '../../support/child-processes.ts';
import { eventually } from '../../support/process.ts';
import type { ShutInRequest } from '../../support/shut-in-process.ts';

interface Found {
  readonly outcomes: Readonly<Record<string, 'done' | 'refused'>>;
  readonly names: readonly string[];
  readonly folder: string;
}

/** Whether a shell does not set a variable by itself. */
const isForeign = (name: string) => !['PWD', 'SHLVL', '_'].includes(name);

const [sources, tests] = [new URL('../../../src/', import.meta.url), new URL('../../support/', import.meta.url)];
/** The code of the process, and of the packages that it imports. */
const code = [
  sources,
  tests,
  ...['packages/', 'node_modules/'].map((path) => new URL(`../../../${path}`, import.meta.url)),
];

const processes = (
  limits: { processorSeconds?: number; seconds?: number; mebibytes?: number },
  readable: readonly URL[] | undefined,
) =>
  openProcesses<ShutInRequest, Found>({
    program: new URL('shut-in-process.ts', tests),
    name: 'the process',
    // For tests of something else than these limits.
    ...{ processorSeconds: 3_600, seconds: 3_600 },
    ...limits,
    ...(readable && { readable }),
  });

test('a sandboxed process reads no file but its code, writes none, starts nothing, reaches no network [TRUST-76]', async (t) => {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  assert.ok(process.env.PATH);

  const shutIn = await processes({}, code).run({ port });
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
  assert.deepEqual([shutIn.names.filter(isForeign), shutIn.folder], [[], fileURLToPath(tests).slice(0, -1)]);

  // Each of these works in a process that is not shut in, which has the variables of the service as little.
  const other = await processes({}, undefined).run({ port });
  assert.deepEqual([...new Set(Object.values(other.outcomes))], ['done']);
  assert.deepEqual(other.names.filter(isForeign), []);
});

test('a process that computes without an end is gone after its time, and one that fills the memory as well [TRUST-76]', async () => {
  const short = processes({ processorSeconds: 1, mebibytes: 512 }, code);
  await assert.rejects(short.run('hang'), { message: 'it took more than 1 second of processor time' });
  const small = processes({ mebibytes: 512 }, code);
  for (const bomb of ['fill memory', 'fill heap'] as const)
    await assert.rejects(small.run(bomb), { message: 'it takes more than 512 MiB of memory' });
  assert.deepEqual(childrenOf(process.pid), []);
});

test('a process that waits without an end is gone after a time by the clock, for which trying again helps [TRUST-76]', async () => {
  const waiting = processes({ seconds: 1 }, code).run('wait');
  await assert.rejects(waiting, { message: 'it took more than 1 second; try again' });
  assert.deepEqual(childrenOf(process.pid), []);
});

test('a process is cancelled, also one that is stopped [TRUST-76]', async () => {
  const cancelling = new AbortController();
  const stopped = processes({}, code).run('wait', undefined, cancelling.signal);
  const [child] = childrenOf(process.pid);
  process.kill(Number(child), 'SIGSTOP');
  cancelling.abort();
  await assert.rejects(stopped, { message: 'it was cancelled' });
  assert.deepEqual(childrenOf(process.pid), []);
});

/** Starts a service that runs a process, and kills it when the process has begun to work; returns the process. */
async function orphanOf(t: TestContext, request: ShutInRequest, processorSeconds: number): Promise<string> {
  const options = `{ program: new URL('shut-in-process.ts', ${JSON.stringify(tests)}), name: '', processorSeconds: ${processorSeconds},
    readable: ${JSON.stringify(code)}.map((url) => new URL(url)) }`;
  const program = `import { openProcesses } from ${JSON.stringify(new URL('adapters/child-process.ts', sources))};
    await openProcesses(${options}).run(${JSON.stringify(request)});`;
  const service = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
  const ended = once(service, 'exit');
  const child = await eventually(() => childrenOf(service.pid!)[0] ?? false);
  t.after(() => isRunning(child) && process.kill(Number(child), 'SIGKILL'));
  const startedAs = () => readlinkSync(`/proc/${child}/exe`);
  const usedTicks = () => Number(readFileSync(`/proc/${child}/stat`, 'utf8').split(' ')[13]);
  // A second of its time, of 100 ticks, is used only by work that has begun.
  await eventually(() => startedAs() === process.execPath && (request === 'wait' || usedTicks() > 100));
  assert.ok(isRunning(child));
  service.kill('SIGKILL');
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  return child;
}

test('if the service is killed, a process that waits ends at once, one that computes with its time [TRUST-76]', async (t) => {
  const waiting = await orphanOf(t, 'wait', 3600);
  await eventually(() => !isRunning(waiting));
  const busy = await orphanOf(t, 'hang', 3);
  await eventually(() => !isRunning(busy));
});
