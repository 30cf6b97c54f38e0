import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isFull, report } from '../../../support/figures.ts';
import { fixture, makeFolder } from '../../../support/files.ts';
import { postJson } from '../../../support/post-json.ts';
import { eventually, startProcess } from '../../../support/process.ts';
import { openSqliteFile } from '../../../support/sqlite-file.ts';

interface Trial {
  readonly service: Awaited<ReturnType<typeof startProcess>>;
  readonly data?: string;
  readonly fail: () => unknown;
  readonly repair: () => unknown;
}

const figures: string[] = [];
after(() => report('disk full (small tmpfs), files that may not grow', figures.join('; ')));

/** Makes the disk of a service fail while visitors write and read, then repairs it; returns the figures as text. */
async function endure(
  t: TestContext,
  { service, data = join(service.folder, 'data'), fail, repair }: Trial,
): Promise<string> {
  const authorization = `Bearer ${await service.token()}`;
  const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
  const acknowledged: string[] = [];
  const unexpected: string[] = [];
  let refused = 0;
  let read = 0;
  let isOver = false;
  t.after(() => {
    isOver = true;
  });

  async function write(): Promise<void> {
    while (!isOver) {
      const response = await fetch(`${service.url}/contact`, postJson(contact, { authorization }));
      const body = await response.text();
      if (response.status === 201) acknowledged.push((JSON.parse(body) as { id: string }).id);
      else if (response.status === 503 && body.includes('"UNAVAILABLE"') && response.headers.has('retry-after'))
        refused++;
      else unexpected.push(`${response.status} ${body}`);
      await pause(5);
    }
  }
  async function readAgain(): Promise<void> {
    while (!isOver) {
      const response = await fetch(`${service.url}/candidate`, { headers: { authorization } });
      if (response.status === 200) read++;
      else unexpected.push(`${response.status} ${await response.text()}`);
      await pause(5);
    }
  }
  const stateIs = (store: string) => async () => {
    const response = await fetch(`${service.url}/readyz`);
    return response.status === 200 && ((await response.json()) as { store: string }).store === store;
  };
  const tenMore = (amountOf: () => number) => {
    const enough = amountOf() + 10;
    return eventually(() => {
      assert.deepEqual(unexpected, []);
      return amountOf() >= enough;
    });
  };

  const visiting = Promise.all([write(), write(), write(), write(), readAgain()]);
  await tenMore(() => acknowledged.length);
  fail();
  await tenMore(() => refused);
  await eventually(stateIs('readonly'));
  await tenMore(() => read);
  repair();
  const repairedAt = performance.now();
  const before = acknowledged.length;
  await eventually(() => acknowledged.length > before);
  const recoveredMs = Math.round(performance.now() - repairedAt);
  await eventually(stateIs('ok'));
  isOver = true;
  await visiting;

  assert.deepEqual(unexpected, []);
  if (isFull) assert.ok(recoveredMs <= 1000, `recovered after ${recoveredMs} ms`);
  service.kill('SIGKILL');
  await service.exited();
  using database = openSqliteFile(join(data, 'candidate-profile.db'));
  const notices = database
    .prepare('select text from outbox')
    .all()
    .map(({ text }) => String(text))
    .join('\n');
  const stored = new Set(
    database
      .prepare('select id from contacts')
      .all()
      .map(({ id }) => id),
  );
  const lost = acknowledged.filter((id) => !stored.has(id) || !notices.includes(`Request: ${id}\n`));
  assert.deepEqual(lost, [], 'acknowledged but not stored');
  return `${acknowledged.length} answered 201, ${refused} 503, ${lost.length} lost, ${read} reads all 200, healed in ${recoveredMs} ms`;
}

const env = {
  PROFILE: fixture('profile.yaml'),
  SMTP_URL: 'smtp://127.0.0.1:1',
  LIMITS: 'off',
  LOG_LEVEL: 'silent',
};

const has = (tool: string) => spawnSync(tool, ['--version']).error === undefined;

suite('While the disk fails, writes are 503 and reads 200; nothing is lost, and the service recovers', () => {
  test('files that may not grow [TRUST-29]', { skip: has('prlimit') ? false : 'needs prlimit' }, async (t) => {
    const service = await startProcess(t, env);
    const limit = (size: string) => {
      execFileSync('prlimit', ['--pid', String(service.pid), `--fsize=${size}:`]);
    };
    const figure = await endure(t, { service, fail: () => limit('1'), repair: () => limit('unlimited') });
    figures.push(`files that may not grow: ${figure}`);
  });

  test('a full disk [TRUST-29]', {
    skip: !isFull ? 'in full only' : process.getuid?.() !== 0 && 'needs root',
  }, async (t) => {
    const data = makeFolder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', data]);
    t.after(() => {
      execFileSync('umount', ['--lazy', data]);
      rmdirSync(data);
    });
    const service = await startProcess(t, { ...env, DATA_DIR: data });
    const ballast = join(data, 'ballast');
    const fill = () =>
      assert.throws(
        () => {
          for (;;) appendFileSync(ballast, Buffer.alloc(4096));
        },
        { code: 'ENOSPC' },
      );
    const figure = await endure(t, { service, data, fail: fill, repair: () => rmSync(ballast) });
    figures.push(`full tmpfs: ${figure}`);
  });
});
