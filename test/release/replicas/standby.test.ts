import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { report } from '../../support/figures.ts';
import { type PostgresServer, runSql } from '../../support/postgres.ts';
import { eventually } from '../../support/process.ts';
import { openSharedDatabase, startReplica } from './replica-set.ts';
import { lostOf, startReading, startWriting, storeState, toSeconds, write } from './traffic.ts';

/** How a database becomes one that can only be read, and one that can be written again. */
interface Failover {
  readonly name: string;
  toReadOnly(server: PostgresServer, url: string): Promise<unknown>;
  toWritable(server: PostgresServer, url: string): Promise<unknown>;
}

const setReadOnly = (value: 'on' | 'off') => (_: PostgresServer, url: string) =>
  runSql(url, `set default_transaction_read_only = off`)
    .then(() => runSql(url, `alter system set default_transaction_read_only = ${value}`))
    .then(() => runSql(url, 'select pg_reload_conf()'));

const failovers: readonly Failover[] = [
  { name: 'is set to read only', toReadOnly: setReadOnly('on'), toWritable: setReadOnly('off') },
  {
    name: 'becomes a standby, and is promoted later',
    async toReadOnly(server) {
      await server.stop();
      const signal = join(server.data, 'standby.signal');
      writeFileSync(signal, '');
      chmodSync(signal, 0o666);
      await server.restart();
    },
    toWritable: (_, url) => runSql(url, 'select pg_promote()'),
  },
];

for (const { name, toReadOnly, toWritable } of failovers)
  test(`if PostgreSQL ${name}, writes are 503 and /readyz says readonly until it is over; no read fails`, async (t) => {
    const { server, url } = await openSharedDatabase(t);
    const replicas = await Promise.all([startReplica(t, url), startReplica(t, url)]);
    const urls = replicas.map((replica) => replica.url);
    const token = await replicas[0]!.token();
    const reads = await startReading(t, urls, token);
    const writes = startWriting(t, urls, token);
    await eventually(() => writes.acknowledged.size > 20);

    await toReadOnly(server, url);
    await eventually(async () => (await Promise.all(urls.map(storeState))).every((state) => state === 'readonly'));
    const refused = await Promise.all(urls.map((replica) => write(replica, token, 'while it is read only')));
    assert.deepEqual(
      refused.map(({ status }) => status),
      [503, 503],
    );

    await toWritable(server, url);
    const from = performance.now();
    for (const replica of urls)
      await eventually(
        async () => (await storeState(replica)) === 'ok' && (await write(replica, token, 'probe')).status === 201,
      );
    const healed = performance.now() - from;
    await writes.stop();

    assert.deepEqual(await lostOf(url, writes.acknowledged), [], 'acknowledged, and not there');
    assert.deepEqual(new Set(writes.take().map(({ status }) => status)), new Set([201, 503]));
    const { faults, milliseconds } = reads.take();
    assert.deepEqual(faults, []);
    report(
      `PostgreSQL ${name}, two replicas`,
      `writes 503, /readyz readonly; both write again ${toSeconds(healed)} after; 0 of ${milliseconds.length.toLocaleString('en')} reads failed; 0 of ${writes.acknowledged.size.toLocaleString('en')} acknowledged lost`,
    );
  });
