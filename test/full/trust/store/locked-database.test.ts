import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isFull, report, scaled } from '../../../support/figures.ts';
import { type Cleanup, fixture, newFolder } from '../../../support/files.ts';
import { postJson } from '../../../support/post-json.ts';
import { eventually, runCommand, startProcess } from '../../../support/process.ts';

const row = 'database locked by another process, under reads and writes';
const phaseMs = scaled(20_000, 2_000);
const env = { PROFILE: fixture('profile.yaml'), LIMITS: 'off' };

const databaseIn = (folder: string) => join(folder, 'data/candidate-profile.db');

/** Starts a process that holds the write lock of a database until `release` resolves. */
async function lock(t: Cleanup, path: string) {
  const source = `
    import { DatabaseSync } from 'node:sqlite';
    const database = new DatabaseSync(process.argv[1], { timeout: 5_000 });
    database.exec('pragma journal_mode = wal; begin immediate');
    console.log('locked');
    process.stdin.on('end', () => console.log(database.exec('commit') ?? 'released')).resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => void child.kill());
  const output = createInterface(child.stdout);
  await once(output, 'line');
  return {
    async release(): Promise<void> {
      const released = once(output, 'line');
      child.stdin.end();
      await released;
    },
  };
}

interface Asked {
  readonly status: number;
  readonly startedAt: number;
  readonly endedAt: number;
}

const milliseconds = ({ startedAt, endedAt }: Asked) => endedAt - startedAt;

function p99Of(asked: readonly Asked[]): number {
  const sorted = asked.map(milliseconds).sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.99) - 1]!;
}

/** Repeats a request from several clients at once until it is stopped. */
function keepAsking(clients: number, pauseMs: number, ask: () => Promise<Response>) {
  const asked: Asked[] = [];
  const stopping = new AbortController();
  const running = Array.from({ length: clients }, async () => {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const response = await ask();
      await response.arrayBuffer();
      asked.push({ status: response.status, startedAt, endedAt: performance.now() });
      await pause(pauseMs);
    }
  });
  return {
    asked,
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

test('while another process locks the database, reads do not wait, writes are 503, and it recovers [TRUST-40]', async (t) => {
  const service = await startProcess(t, env);
  const headers = { authorization: `Bearer ${await service.token()}` };
  const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
  const reading = keepAsking(8, 10, () => fetch(`${service.url}/candidate`, { headers }));
  const writing = keepAsking(4, 100, () => fetch(`${service.url}/contact`, postJson(contact, headers)));
  await pause(phaseMs);

  const holder = await lock(t, databaseIn(service.folder));
  const lockedAt = performance.now();
  await pause(phaseMs);
  await eventually(() => writing.asked.some(({ status, startedAt }) => status === 503 && startedAt > lockedAt));
  const releasingAt = performance.now();
  await holder.release();
  const releasedAt = performance.now();
  const isWritten = ({ status, startedAt }: Asked) => status === 201 && startedAt > releasingAt;
  await eventually(async () => {
    const { store } = (await (await fetch(`${service.url}/readyz`)).json()) as { store: string };
    return store === 'ok' && writing.asked.some(isWritten);
  });
  const recoveredMs = performance.now() - releasedAt;
  await Promise.all([reading.stop(), writing.stop()]);

  const during = ({ startedAt }: Asked) => startedAt > lockedAt && startedAt < releasingAt;
  const reads = reading.asked.filter(during);
  const healthyP99 = p99Of(reading.asked.filter(({ startedAt }) => startedAt < lockedAt - 500));
  const writes = writing.asked.filter((asked) => during(asked) && asked.endedAt < releasingAt);
  const slowestMs = Math.max(...writing.asked.filter(({ status }) => status === 503).map(milliseconds));
  report(
    row,
    `locked for ${phaseMs / 1_000} s: p99 of ${reads.length} reads ${p99Of(reads).toFixed(1)} ms, ${healthyP99.toFixed(1)} ms in the healthy run; ${writes.length} writes 503 within ${(slowestMs / 1_000).toFixed(1)} s; healed in ${Math.round(recoveredMs)} ms`,
  );
  assert.ok(p99Of(reads) <= 20 * healthyP99, `p99 of reads ${p99Of(reads)} ms, ${healthyP99} ms in the healthy run`);
  assert.deepEqual([...new Set(reading.asked.map(({ status }) => status))], [200]);
  assert.deepEqual([...new Set(writes.map(({ status }) => status))], [503]);
  assert.ok(slowestMs <= 2_000, `a write was refused after ${slowestMs} ms`);
  if (isFull) assert.ok(recoveredMs <= 1_000, `recovered after ${recoveredMs} ms`);

  const logged = service.lines.map((line) => JSON.parse(line) as { level: string; msg: string });
  assert.deepEqual(
    logged.filter(({ level, msg }) => level === 'error' || msg.startsWith('the store')).map(({ msg }) => msg),
    ['the store failed', 'the store can be written again'],
  );
});

test('a command waits until another process has released the database', async (t) => {
  const service = await startProcess(t, env);
  const headers = { authorization: `Bearer ${await service.token()}` };
  const holder = await lock(t, databaseIn(service.folder));
  const revoking = runCommand(t, ['tokens', 'revoke', '--all'], env, service.folder);
  await Promise.race([pause(3_000), revoking]);
  await holder.release();
  assert.equal((await revoking).code, 0);
  await eventually(async () => (await fetch(`${service.url}/candidate`, { headers })).status === 401);
});

test('a first start waits until another process has released the database', async (t) => {
  const folder = newFolder(t);
  mkdirSync(join(folder, 'data'));
  const holder = await lock(t, databaseIn(folder));
  const starting = startProcess(t, env, folder);
  await Promise.race([pause(3_000), starting.catch(() => {})]);
  await holder.release();
  assert.match(await (await starting).token(), /^ey/);
});
