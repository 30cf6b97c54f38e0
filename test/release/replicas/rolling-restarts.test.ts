import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { report, scaled } from '../../support/figures.ts';
import { modern, posted } from '../../support/mcp-service.ts';
import { runSql, startPostgres } from '../../support/postgres.ts';
import { eventually } from '../../support/process.ts';
import { startReplicas } from '../../support/replicas.ts';

const restarts = scaled(20, 2);
const requestsPerSecond = scaled(550, 100);
const connections = scaled(50, 20);

interface Call {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** The status and a part of the body of its answer. */
  readonly status: number;
  readonly has: string;
}

const json = { 'content-type': 'application/json' };
const callOf = async (message: Request): Promise<Call> => ({
  path: '/mcp',
  headers: Object.fromEntries(message.headers),
  body: await message.text(),
  status: 200,
  has: '"Tess Example"',
});
const given = { name: 'get_candidate', arguments: {} };
const calls: Call[] = [
  { path: '/candidate', headers: {}, status: 200, has: '"Tess Example"' },
  { path: '/experience', headers: {}, status: 200, has: '"exp_past"' },
  await callOf(modern('tools/call', given, { 'mcp-name': given.name })),
  { path: '/projects/proj_plain', headers: {}, status: 200, has: '"proj_plain"' },
  await callOf(posted({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: given })),
  {
    path: '/contact',
    headers: json,
    body: '{"name":"Ada","email":"ada@example.org","company":"Engines","message":"Hello"}',
    status: 201,
    has: '"received"',
  },
  { path: '/resume?format=json', headers: {}, status: 200, has: '"skills"' },
  { path: '/healthz', headers: {}, status: 200, has: '"ok"' },
];

test(`${restarts} rolling restarts under load fail no read, no contact request and no call of a tool`, async (t) => {
  const server = await startPostgres();
  t.after(() => server.close());
  const database = await server.createDatabase();
  const replicas = await startReplicas(t, database);
  const authorization = `Bearer ${await replicas.token()}`;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  t.after(() => agent.destroy());

  const failed: string[] = [];
  const milliseconds: number[] = [];
  let [sent, received] = [0, 0];
  async function ask({ path, headers, body, status, has }: Call): Promise<void> {
    const sentAt = performance.now();
    const answer = await new Promise<{ status: number; body: string }>((resolve) => {
      const method = body === undefined ? 'GET' : 'POST';
      const broken = (error: Error) => resolve({ status: 0, body: error.message });
      const call = request(replicas.url + path, { agent, method, headers: { ...headers, authorization } });
      call.on('error', broken);
      call.on('response', (response) => {
        text(response).then((body) => resolve({ status: response.statusCode!, body }), broken);
      });
      call.end(body);
    });
    milliseconds.push(performance.now() - sentAt);
    if (answer.status !== status || !answer.body.includes(has)) failed.push(`${path}: ${answer.status} ${answer.body}`);
    else if (status === 201) received += 1;
  }

  const begun = performance.now();
  const asked = new Set<Promise<void>>();
  const load = setInterval(() => {
    const due = Math.round(((performance.now() - begun) / 1_000) * requestsPerSecond) - sent;
    for (let count = 0; count < Math.min(due, connections - asked.size); count += 1) {
      const one = ask(calls[sent % calls.length]!).finally(() => asked.delete(one));
      asked.add(one);
      sent += 1;
    }
  }, 2);
  t.after(() => clearInterval(load));

  for (let round = 0; round < restarts; round += 1) {
    const sentBefore = sent;
    await replicas.restart(round % 2);
    await eventually(() => sent > sentBefore + requestsPerSecond / 2);
  }
  clearInterval(load);
  const seconds = (performance.now() - begun) / 1_000;
  await Promise.all(asked);

  assert.deepEqual([failed.length, failed.slice(0, 10)], [0, []]);
  const [row] = await runSql(database, 'select count(*) from contacts');
  assert.equal(Number(row!.count), received);
  const rate = sent / seconds;
  assert.ok(rate >= scaled(500, 0), `${rate} requests/s`);
  const slow = milliseconds.sort((a, b) => a - b)[Math.floor(milliseconds.length * 0.99)]!;
  report(
    '20 rolling restarts at 500 requests/s',
    `${restarts} restarts at ${rate.toFixed(0)} requests/s: ${failed.length} of ${sent} requests failed (reads, contact requests, MCP calls of both revisions), ${received} of ${received} acknowledged contact requests stored, p99 ${slow.toFixed(0)} ms`,
  );
});
