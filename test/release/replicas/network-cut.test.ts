import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isFull, report, scaled } from '../../support/figures.ts';
import { eventually } from '../../support/process.ts';
import { openProxy } from '../../support/stalling-proxy.ts';
import { openSharedDatabase, startReplica, throughPort } from './replica-set.ts';
import {
  lostOf,
  startReading,
  startWriting,
  storeState,
  toLatency,
  toSeconds,
  type Written,
  write,
} from './traffic.ts';

const cutMilliseconds = scaled(30_000, 3_000);
const refusedWithinMilliseconds = 2_000;
const healedWithinMilliseconds = 2_000;

for (const [how, name] of [
  ['stall', 'loses every packet'],
  ['cut', 'resets every connection'],
] as const)
  test(`if the network to PostgreSQL ${name} for a while, reads go on, writes are 503, and both recover`, async (t) => {
    const { server, url } = await openSharedDatabase(t);
    const proxy = await openProxy(t, server.port);
    const replica = () => startReplica(t, throughPort(url, proxy.port));
    const replicas = [await replica(), await replica()];
    const urls = replicas.map((replica) => replica.url);
    const token = await replicas[0]!.token();
    const reads = await startReading(t, urls, token);
    const writes = startWriting(t, urls, token);
    await pause(scaled(10_000, 1_000));
    const [healthy, healthyWrites] = [reads.take(), writes.take()];
    assert.deepEqual(statusesOf(healthyWrites), new Set([201]));

    proxy[how]();
    await pause(cutMilliseconds);
    assert.deepEqual(await Promise.all(urls.map(storeState)), ['readonly', 'readonly']);
    const [during, refused] = [reads.take(), writes.take()];
    proxy.resume();
    const from = performance.now();
    let healed = 0;
    for (const replica of urls) {
      await eventually(
        async () => (await storeState(replica)) === 'ok' && (await write(replica, token, 'probe')).status === 201,
      );
      healed = Math.max(healed, performance.now() - from);
    }
    await writes.stop();

    assert.deepEqual([...healthy.faults, ...during.faults, ...reads.take().faults], []);
    assert.ok(statusesOf(refused).has(503));
    assert.deepEqual(await lostOf(url, writes.acknowledged), [], 'acknowledged, and not there');
    const slowest = Math.max(...refused.filter(({ status }) => status === 503).map((answer) => answer.milliseconds));
    if (isFull) {
      assert.ok(slowest <= refusedWithinMilliseconds, `refused after ${slowest} ms`);
      assert.ok(healed <= healedWithinMilliseconds, `healed after ${healed} ms`);
    }
    report(
      `the network to the database ${name} for ${toSeconds(cutMilliseconds)}, two replicas`,
      `0 of ${during.milliseconds.length.toLocaleString('en')} reads failed (${toLatency(during.milliseconds)}; before it ${toLatency(healthy.milliseconds)}); writes 503 within ${toSeconds(slowest)}; healed ${toSeconds(healed)} after; 0 of ${writes.acknowledged.size.toLocaleString('en')} acknowledged lost`,
    );
  });

const statusesOf = (written: readonly Written[]) => new Set(written.map(({ status }) => status));
