import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { isFull, report, scaled } from '../../../support/figures.ts';
import { fixture } from '../../../support/files.ts';
import { eventually, startProcess } from '../../../support/process.ts';
import { openSqliteFile } from '../../../support/sqlite-file.ts';

const row = 'SIGTERM under 500 requests/s, single';
const rounds = scaled(10, 1);
// Above 500, so that the rate of responses is at least 500.
const requestsPerSecond = scaled(650, 50);
const connections = scaled(50, 8);

/** How a request ended: with a status, with a refused connection, or with a connection that closed without a response. */
type End = { status: number } | 'refused' | 'unanswered';

test(`${row}: accepted requests are answered, acknowledged contacts stored, and it ends in 10 s [TRUST-31]`, async (t) => {
  let answered = 0;
  let answeredBefore = 0;
  let secondsBefore = 0;
  let slowestMs = 0;
  for (let round = 0; round < rounds; round += 1) {
    const service = await startProcess(t, { PROFILE: fixture('profile.yaml'), LIMITS: 'off' });
    const authorization = `Bearer ${await service.token()}`;
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    t.after(() => agent.destroy());
    const ends: Promise<End>[] = [];
    const inTime: End[] = [];
    const acknowledged: string[] = [];

    const read = () => ask(agent, `${service.url}/candidate`, authorization);
    const leave = async (email: string) => {
      const body = JSON.stringify({ name: 'Ada', email, company: 'Engines', message: 'Hello' });
      const end = await ask(agent, `${service.url}/contact`, authorization, body);
      if (end !== 'refused' && end !== 'unanswered' && end.status === 201) acknowledged.push(email);
      return end;
    };
    const send = (end: Promise<End>) => {
      ends.push(end);
      void end.then((how) => inTime.push(how));
    };
    const load = setInterval(() => {
      const due = Math.min(
        connections,
        Math.round(((performance.now() - begun) / 1000) * requestsPerSecond) - ends.length,
      );
      for (let count = 0; count < due; count += 1)
        send(ends.length % 5 === 0 ? leave(`visitor-${ends.length}@example.org`) : read());
    }, 2);
    t.after(() => clearInterval(load));
    const begun = performance.now();
    await eventually(() => acknowledged.length > (requestsPerSecond / 5) * scaled(3, 1));

    const toldAt = performance.now();
    answeredBefore += inTime.length;
    secondsBefore += (toldAt - begun) / 1000;
    service.kill('SIGTERM');
    assert.equal(await service.exited(), 0);
    slowestMs = Math.max(slowestMs, performance.now() - toldAt);
    clearInterval(load);

    const all = await Promise.all(ends);
    const statuses = all.flatMap((end) => (typeof end === 'string' ? [] : [end.status]));
    assert.equal(all.filter((end) => end === 'unanswered').length, 0);
    assert.deepEqual([...new Set(statuses)].sort(), [200, 201]);
    using database = openSqliteFile(join(service.folder, 'data/candidate-profile.db'), { readOnly: true });
    const stored = new Set(
      database
        .prepare('select email from contacts')
        .all()
        .map(({ email }) => email),
    );
    assert.deepEqual(
      acknowledged.filter((email) => !stored.has(email)),
      [],
    );
    answered += statuses.length;
  }
  assert.ok(slowestMs <= 10_000, `${slowestMs} ms`);
  const rate = answeredBefore / secondsBefore;
  if (isFull) assert.ok(rate >= 500, `${rate} requests/s`);
  report(
    row,
    `${rounds} times under ${rate.toFixed(0)} requests/s: ${answered} requests answered, 0 accepted and unanswered, every acknowledged contact stored, end within ${(slowestMs / 1000).toFixed(1)} s`,
  );
});

function ask(agent: Agent, url: string, authorization: string, body?: string): Promise<End> {
  const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  return new Promise((resolve) => {
    const sent = request(url, { agent, method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode! }));
      response.on('error', () => resolve('unanswered'));
    });
    sent.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'unanswered'),
    );
    sent.end(body);
  });
}
