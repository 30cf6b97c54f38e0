import assert from 'node:assert/strict';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { openMetrics } from '../../../src/adapters/metrics.ts';

const noon = new Date('2026-11-21T12:00:00Z');
const empty = { waiting: 0, dead: 0, oldestAt: null as Date | null };

async function open(t: TestContext, state = async () => empty) {
  const metrics = await openMetrics({ port: 0, store: { outbox: { state } }, now: () => noon });
  t.after(() => metrics.close());
  const ask = async ({ path = '/metrics', method = 'GET', host = `127.0.0.1:${metrics.port}` } = {}) => {
    const asked = request({ port: metrics.port, path, method, headers: { host } }).end();
    const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) =>
      asked.once('response', resolve).once('error', reject),
    );
    return { status: response.statusCode, type: response.headers['content-type'], page: await text(response) };
  };
  return { metrics, ask };
}

/** The lines of the service's own metrics, without those of Node. */
const ownLines = (page: string) => page.split('\n').filter((line) => line.includes('candidate_profile_'));

test('the metrics are calls, their durations, events and the outbox, in the text format of Prometheus', async (t) => {
  const oldestAt = new Date('2026-11-21T11:59:30Z');
  const { metrics, ask } = await open(t, async () => ({ waiting: 2, dead: 1, oldestAt }));
  metrics.observe({ operation: 'get_candidate', surface: 'rest', code: 'OK', milliseconds: 2, caller: 'visitor' });
  metrics.observe({ operation: 'get_candidate', surface: 'rest', code: 'OK', milliseconds: 300, caller: 'visitor' });
  metrics.count({ event: 'limit_hit', operation: 'create_contact' });
  metrics.count({ event: 'token_refused' });
  const { status, type, page } = await ask();
  assert.deepEqual([status, type], [200, 'text/plain; version=0.0.4; charset=utf-8']);
  const labels = 'operation="get_candidate",surface="rest"';
  assert.deepEqual(ownLines(page), [
    '# HELP candidate_profile_calls_total Calls of operations, by surface and outcome (OK or the error code)',
    '# TYPE candidate_profile_calls_total counter',
    `candidate_profile_calls_total{${labels},code="OK"} 2`,
    '# HELP candidate_profile_call_seconds How long calls took',
    '# TYPE candidate_profile_call_seconds histogram',
    `candidate_profile_call_seconds_bucket{le="0.0005",${labels}} 0`,
    `candidate_profile_call_seconds_bucket{le="0.001",${labels}} 0`,
    `candidate_profile_call_seconds_bucket{le="0.0025",${labels}} 1`,
    `candidate_profile_call_seconds_bucket{le="0.005",${labels}} 1`,
    `candidate_profile_call_seconds_bucket{le="0.01",${labels}} 1`,
    `candidate_profile_call_seconds_bucket{le="0.025",${labels}} 1`,
    `candidate_profile_call_seconds_bucket{le="0.05",${labels}} 1`,
    `candidate_profile_call_seconds_bucket{le="0.1",${labels}} 1`,
    `candidate_profile_call_seconds_bucket{le="0.25",${labels}} 1`,
    `candidate_profile_call_seconds_bucket{le="1",${labels}} 2`,
    `candidate_profile_call_seconds_bucket{le="5",${labels}} 2`,
    `candidate_profile_call_seconds_bucket{le="+Inf",${labels}} 2`,
    `candidate_profile_call_seconds_sum{${labels}} 0.302`,
    `candidate_profile_call_seconds_count{${labels}} 2`,
    '# HELP candidate_profile_events_total Tokens issued and refused, limits hit and the other events of the audit log',
    '# TYPE candidate_profile_events_total counter',
    'candidate_profile_events_total{event="limit_hit",operation="create_contact"} 1',
    'candidate_profile_events_total{event="token_refused",operation=""} 1',
    '# HELP candidate_profile_outbox_oldest_seconds How long the oldest waiting notice has waited; 0 if none waits',
    '# TYPE candidate_profile_outbox_oldest_seconds gauge',
    'candidate_profile_outbox_oldest_seconds 30',
    '# HELP candidate_profile_outbox_notices Notices to the owner that have not been sent: waiting, or given up as dead letters',
    '# TYPE candidate_profile_outbox_notices gauge',
    'candidate_profile_outbox_notices{state="waiting"} 2',
    'candidate_profile_outbox_notices{state="dead"} 1',
  ]);
  assert.match(page, /^process_resident_memory_bytes \d+$/m);
});

test('only GET /metrics with a loopback Host is served', async (t) => {
  const { ask } = await open(t);
  for (const host of ['127.0.0.1', 'localhost', 'localhost:9464'])
    assert.equal((await ask({ host })).status, 200, host);
  const refused = [
    { path: '/' },
    { path: '/metrics/' },
    { method: 'POST' },
    { host: 'attacker.example' },
    { host: 'localhost.attacker.example' },
    { host: 'attacker.example.localhost' },
    { host: 'localhost:' },
    { host: 'localhost:80x' },
    { host: '127a0b0c1' },
  ];
  for (const other of refused) {
    const { status, page } = await ask(other);
    assert.deepEqual([status, page], [404, 'GET /metrics\n'], JSON.stringify(other));
  }
});

test('if the store cannot be read, the metrics respond with 503', async (t) => {
  const { ask } = await open(t, () => Promise.reject(new Error('locked')));
  const { status, page } = await ask();
  assert.deepEqual([status, page], [503, '']);
});

test("a port in use is refused with the system's error, and is free again once the metrics are closed", async (t) => {
  const options = { store: { outbox: { state: async () => empty } }, now: () => noon };
  const { metrics } = await open(t);
  await assert.rejects(openMetrics({ ...options, port: metrics.port }), { code: 'EADDRINUSE', address: '127.0.0.1' });
  await metrics.close();
  await (await openMetrics({ ...options, port: metrics.port })).close();
});
