import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFull, report } from '../../support/figures.ts';
import { runSql } from '../../support/postgres.ts';
import { eventually, runCommand } from '../../support/process.ts';
import { openProxy } from '../../support/stalling-proxy.ts';
import { openSharedDatabase, sharedSettings, startReplica, throughPort } from './replica-set.ts';

const readsWhileCutOff = 50;
const revokedWithinMilliseconds = 2_000;

test('a replica cut off from the database records reads once it is back, but none of a revoked token', async (t) => {
  const { server, url } = await openSharedDatabase(t);
  const proxy = await openProxy(t, server.port);
  const replica = await startReplica(t, throughPort(url, proxy.port));
  const get = (path: string, token: string) =>
    fetch(replica.url + path, { headers: { authorization: `Bearer ${token}` } });
  const statusOf = async (token: string) => (await get('/candidate', token)).status;
  const [revoked, kept] = [await replica.token('mallory@example.org'), await replica.token('ada@example.org')];

  proxy.stall();
  const settings = { ...sharedSettings, DATABASE_URL: url };
  const { code, stderr } = await runCommand(
    t,
    ['tokens', 'revoke', '--email', 'mallory@example.org', '--yes'],
    settings,
  );
  assert.equal(code, 0, stderr);
  for (let read = 0; read < readsWhileCutOff; read += 1) {
    assert.equal(await statusOf(kept), 200);
    assert.equal(await statusOf(revoked), 200, 'it cannot know yet');
  }
  await eventually(async () => /"store":"readonly"/.test(await (await fetch(`${replica.url}/readyz`)).text()));

  proxy.resume();
  const from = performance.now();
  await eventually(async () => (await statusOf(revoked)) === 401);
  const refusedAfter = performance.now() - from;

  const rows = () => runSql(url, 'select subject from reads');
  await eventually(async () => (await rows()).length >= readsWhileCutOff);
  const recordedAfter = performance.now() - from;
  const subjects = (await rows()).map(({ subject }) => subject);
  assert.deepEqual(subjects, Array(readsWhileCutOff).fill('ada@example.org'));
  if (isFull) assert.ok(refusedAfter <= revokedWithinMilliseconds, `refused after ${refusedAfter} ms`);
  report(
    'a token revoked while a replica is cut off from the database',
    `401 from that replica ${Math.round(refusedAfter)} ms after it is back; all ${readsWhileCutOff} reads with another token recorded ${Math.round(recordedAfter)} ms after, none with the revoked one`,
  );
});
