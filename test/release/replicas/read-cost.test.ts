import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isFull, report } from '../../support/figures.ts';
import { startPostgres } from '../../support/postgres.ts';
import { startReplicas } from '../../support/replicas.ts';

/** User and system time of a process so far, to 10 ms. */
function cpuMilliseconds(pid: number): number {
  const [, rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Reads a second of each replica. One that has more to do handles several in a turn of its event loop, which costs less. */
const rate = 250;
const seconds = 5;
const rounds = 9;
const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

// In full alone: a short run measures nothing.
if (isFull)
  test('a read costs two replicas as much CPU as it costs one', async (t) => {
    const server = await startPostgres(['fsync=off']);
    t.after(() => server.close());
    const two = await startReplicas(t, await server.createDatabase());
    const one = await startReplicas(t, await server.createDatabase(), { count: 1 });
    const agent = new Agent({ keepAlive: true, maxSockets: 64 });
    t.after(() => agent.destroy());

    /** Returns the microseconds of CPU that a read costs the servers. */
    async function measure({ url, replicas, token }: typeof two): Promise<number> {
      const headers = { authorization: `Bearer ${await token()}` };
      const read = () =>
        new Promise<void>((resolve, reject) => {
          request(`${url}/experience`, { agent, headers }, (response) => {
            assert.equal(response.statusCode, 200);
            response.resume().on('end', resolve);
          })
            .on('error', reject)
            .end();
        });
      const cpu = () => replicas.reduce((sum, { pid }) => sum + cpuMilliseconds(pid), 0);
      const before = cpu();
      const count = rate * seconds * replicas.length;
      const begun = performance.now();
      const asked: Promise<void>[] = [];
      while (asked.length < count) {
        const due = Math.min(count, ((performance.now() - begun) / 1_000) * rate * replicas.length);
        while (asked.length < due) asked.push(read());
        await pause(2);
      }
      await Promise.all(asked);
      return ((cpu() - before) * 1_000) / count;
    }

    // Until the code is compiled.
    for (let round = 0; round < 2; round += 1) for (const replicas of [two, one]) await measure(replicas);
    // In turn, so that what else runs on the machine meets both.
    const costs: { two: number; one: number }[] = [];
    for (let round = 0; round < rounds; round += 1) costs.push({ two: await measure(two), one: await measure(one) });
    const ratio = medianOf(costs.map(({ two, one }) => two / one));
    assert.ok(ratio <= 1.1, `${ratio}`);
    report(
      'two replicas against one, reads',
      `server CPU per read × ${ratio.toFixed(2)} (${medianOf(costs.map(({ two }) => two)).toFixed(0)} µs by two, ${medianOf(costs.map(({ one }) => one)).toFixed(0)} µs by one; medians of ${rounds} interleaved rounds, ${rate} reads/s for each replica)`,
    );
  });
