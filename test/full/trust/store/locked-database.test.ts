import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Cleanup, fixture, newFolder } from '../../../support/files.ts';
import { postJson } from '../../../support/post-json.ts';
import { eventually, runCommand, startProcess } from '../../../support/process.ts';

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

test('while another process locks the database, reads do not wait, writes are 503, and it recovers [TRUST-40]', async (t) => {
  const service = await startProcess(t, env);
  const headers = { authorization: `Bearer ${await service.token()}` };
  const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
  const read = async () => (await fetch(`${service.url}/candidate`, { headers })).status;
  const write = async () => (await fetch(`${service.url}/contact`, postJson(contact, headers))).status;
  const storeState = async () => /"store":"(\w+)"/.exec(await (await fetch(`${service.url}/readyz`)).text())?.[1];
  assert.equal(await write(), 201);

  const holder = await lock(t, databaseIn(service.folder));
  const writing = Promise.all([write(), write(), write()]);
  // Answered while the writes still wait for the lock, and afterwards.
  for (let n = 0; n < 20; n += 1) assert.equal(await read(), 200);
  assert.deepEqual(await writing, [503, 503, 503]);
  assert.deepEqual([await read(), await storeState()], [200, 'readonly']);

  await holder.release();
  await eventually(async () => (await storeState()) === 'ok');
  assert.equal(await write(), 201);
  await eventually(() => service.lines.some((line) => line.includes('the store can be written again')));
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
