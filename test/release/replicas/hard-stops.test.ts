import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isFull, report, scaled } from '../../support/figures.ts';
import { eventually } from '../../support/process.ts';
import { openSharedDatabase, startReplica } from './replica-set.ts';
import { lostOf, startReading, startWriting, storeState, toLatency, toSeconds, write } from './traffic.ts';

const stops = scaled(15, 2);
const readyWithinMilliseconds = 5_000;

test('if PostgreSQL stops hard again and again, nothing acknowledged is lost, and both replicas recover', async (t) => {
  const { server, url } = await openSharedDatabase(t);
  const replicas = [await startReplica(t, url), await startReplica(t, url)];
  const urls = replicas.map((replica) => replica.url);
  const token = await replicas[0]!.token();
  const reads = await startReading(t, urls, token);
  const writes = startWriting(t, urls, token);

  let slowest = 0;
  for (let stopped = 1; stopped <= stops; stopped += 1) {
    const enough = writes.acknowledged.size + Math.random() * 40;
    await eventually(() => writes.acknowledged.size > enough);
    await (stopped % 2 === 1 ? server.stopHard() : server.kill());
    await pause(Math.random() * 1_000);
    await server.restart();
    const from = performance.now();
    for (const replica of urls) {
      await eventually(
        async () => (await storeState(replica)) === 'ok' && (await write(replica, token, 'probe')).status === 201,
      );
      slowest = Math.max(slowest, performance.now() - from);
    }
  }
  await writes.stop();

  assert.deepEqual(await lostOf(url, writes.acknowledged), [], 'acknowledged, and not there');
  const statuses = new Set(writes.take().map(({ status }) => status));
  assert.deepEqual(statuses, new Set([201, 503]));
  const { faults, milliseconds } = reads.take();
  assert.deepEqual(faults, []);
  if (isFull) assert.ok(slowest <= readyWithinMilliseconds, `ready after ${slowest} ms`);
  report(
    `PostgreSQL stopped hard ${stops} times (SIGQUIT, or kill -9 of all its processes) under writes through two replicas`,
    `0 of ${writes.acknowledged.size.toLocaleString('en')} acknowledged lost; both ready at most ${toSeconds(slowest)} after it is back; 0 of ${milliseconds.length.toLocaleString('en')} reads failed, ${toLatency(milliseconds)}`,
  );
});
