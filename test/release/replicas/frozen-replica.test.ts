import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isFull, report, scaled } from '../../support/figures.ts';
import { runSql } from '../../support/postgres.ts';
import { eventually } from '../../support/process.ts';
import { openSharedDatabase, startReplica } from './replica-set.ts';
import { lostOf, startWriting, storeState, toLatency, toSeconds } from './traffic.ts';

const frozenMilliseconds = scaled(20_000, 3_000);
/** PostgreSQL ends the transaction of the frozen replica after 2 s. */
const blockedWithinMilliseconds = 3_000;

test('if a replica freezes in a write, the other writes within 3 s, and the frozen one goes on later', async (t) => {
  const { url } = await openSharedDatabase(t);
  const named = `${url}?application_name=frozen`;
  // With quotas, so that the transactions of both replicas lock the same rows.
  const [frozen, other] = await Promise.all([named, url].map((url) => startReplica(t, url, { LIMITS: '10000' })));
  const token = await frozen!.token();
  const atFrozen = startWriting(t, [frozen!.url], token, 4);
  const atOther = startWriting(t, [other!.url], token, 4);
  await eventually(() => atFrozen.acknowledged.size > 20 && atOther.acknowledged.size > 20);

  const inTransaction = "from pg_stat_activity where application_name = 'frozen' and state = 'idle in transaction'";
  const holdsTransaction = async () => (await runSql(url, `select pid ${inTransaction}`)).length > 0;
  await eventually(async () => {
    process.kill(frozen!.pid, 'SIGSTOP');
    if (await holdsTransaction()) return true;
    process.kill(frozen!.pid, 'SIGCONT');
    return false;
  });
  atOther.take();
  const from = performance.now();
  await pause(frozenMilliseconds);
  const written = atOther.take();
  process.kill(frozen!.pid, 'SIGCONT');

  const before = atFrozen.acknowledged.size;
  await eventually(async () => (await storeState(frozen!.url)) === 'ok' && atFrozen.acknowledged.size > before + 20);
  await Promise.all([atFrozen.stop(), atOther.stop()]);

  assert.deepEqual(await lostOf(url, atFrozen.acknowledged, atOther.acknowledged), [], 'acknowledged, and not there');
  const succeeded = written.filter(({ status }) => status === 201);
  assert.ok(succeeded.length > 0, 'the other replica never wrote again');
  const instants = [from, ...succeeded.map(({ at }) => at), from + frozenMilliseconds];
  const longest = Math.max(...instants.slice(1).map((at, index) => at - instants[index]!));
  if (isFull) assert.ok(longest <= blockedWithinMilliseconds, `the other replica did not write for ${longest} ms`);
  const refused = written.filter(({ status }) => status === 503);
  report(
    `one of two replicas frozen in a transaction for ${toSeconds(frozenMilliseconds)}`,
    `the other goes on after ${toSeconds(longest)} (${succeeded.length.toLocaleString('en')} writes stored, ${refused.length} answered 503); the frozen one writes again; 0 acknowledged lost; its writes ${toLatency(succeeded.map(({ milliseconds }) => milliseconds))}`,
  );
});
