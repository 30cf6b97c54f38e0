import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { report, scaled } from '../../support/figures.ts';
import { type Cleanup, fixture } from '../../support/files.ts';
import { postJson } from '../../support/post-json.ts';
import { eventually, startProcess } from '../../support/process.ts';
import { openLimited, statusesOf } from '../../support/visitors.ts';

type Params = Record<string, unknown>;

const accept = { accept: 'application/json, text/event-stream' };
const legacy = (method: string, params: Params = {}, id = 1) => ({ jsonrpc: '2.0', id, method, params });
/** Body and headers of a request in revision 2026-07-28. */
function modern(method: string, params: Params = {}) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = params.name ?? params.uri;
  const headers: Record<string, string> = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
  if (name !== undefined) headers['mcp-name'] = String(name);
  return { headers, body: legacy(method, { ...params, _meta: meta }) };
}

const tool = (name: string, args: Params = {}) => ({ name, arguments: args });
const uri = 'candidate-profile://profile/candidate';
const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };

/** A service with limits, and a visitor who uses MCP. */
async function openAgent(t: TestContext, env: Record<string, string> = {}) {
  const service = await openLimited(t, { LIMITS: '1', ...env });
  const bearer = { authorization: `Bearer ${service.token}` };
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    service.from('198.51.100.1', '/mcp', postJson(body, { ...accept, ...bearer, ...headers }));
  const read = () => service.from('198.51.100.1', '/candidate', { headers: bearer });
  /** Uses up the quota except for `left` reads. */
  const useUp = (left = 0) => statusesOf(120 - left, read);
  return { ...service, post, read, useUp };
}

const answersIn = (text: string) => [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));

const tooMany = /^Too many requests\. Try again in \d+ seconds\.$/;

function assertToolLimited({ result }: { result: { isError: boolean; content: { text: string }[] } }): void {
  assert.equal(result.isError, true);
  const { error } = JSON.parse(result.content[0]!.text);
  assert.equal(error.code, 'RATE_LIMITED');
  assert.match(error.message, tooMany);
}

test('a mutation is charged as a message and to its own quotas [TRUST-39]', async (t) => {
  const { post, read, useUp, count } = await openAgent(t, { MCP_MUTATIONS: 'true' });
  const send = async () =>
    answersIn(await (await post(legacy('tools/call', tool('create_contact', contact)))).text())[0];
  for (let sent = 0; sent < 5; sent += 1) assert.equal((await send()).result.isError, undefined);
  assertToolLimited(await send());
  assert.deepEqual(await useUp(6), { 200: 114 });
  assert.equal((await read()).status, 429);
  assertToolLimited(await send());
  assert.equal(count('contacts'), 5);
});

test('LIMITS multiplies the subscriptions that a block and the service may have [TRUST-22]', async (t) => {
  const { from, askToken } = await openLimited(t, { LIMITS: '0.1' });
  const subscribe = async (visitor: number, address: string) => {
    const issued = await askToken(`203.0.113.${visitor}`, `visitor-${visitor}@example.org`);
    const { access_token: token } = (await issued.json()) as { access_token: string };
    const { headers, body } = modern('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } });
    const bearer = { authorization: `Bearer ${token}` };
    const response = await from(address, '/mcp', postJson(body, { ...accept, ...bearer, ...headers }));
    return response.headers.get('content-type') === 'text/event-stream' ? response.body!.getReader() : null;
  };
  const hear = async (subscription: Awaited<ReturnType<typeof subscribe>>) =>
    answersIn(Buffer.from((await subscription!.read()).value!).toString())[0];
  const first = await subscribe(1, '198.51.100.1');
  for (let other = 2; other <= 19; other += 1) assert.ok(await subscribe(other, `198.51.100.${other}`));
  const second = await subscribe(20, '198.51.100.1');
  assert.ok(await subscribe(21, '198.51.100.200'), 'the 21st of 20 ends one of the block with 2');
  for (const subscription of [first, second]) await hear(subscription);
  assert.equal((await hear(first)).result.resultType, 'complete');
  assert.ok(await subscribe(22, '198.51.100.2'));
  assert.ok(await subscribe(23, '198.51.100.1'));
  assert.ok(await subscribe(24, '198.51.100.1'), 'the third of a block that may hold two');
  assert.equal((await hear(second)).result.resultType, 'complete');
});

suite('Batches whose answers are not read', () => {
  const pipelined = scaled(20, 5);
  for (const [how, batches, LIMITS] of [
    ['a batch each, without limits', 1, 'off'],
    [`${pipelined} batches each, within limits`, pipelined, '1'],
  ] as const)
    test(`45 sockets of one token that send ${how} and read nothing take little memory and delay nobody [TRUST-39]`, async (t) => {
      const { url, pid, token } = await startProcess(t, {
        PROFILE: fixture('profile.yaml'),
        LOG_LEVEL: 'silent',
        LIMITS,
      });
      await warmUp(t, url, requestOf(url, await token('other@example.org'), lists(10)));
      const before = residentMegabytes(pid);
      const bearer = await token();
      const sockets = await Promise.all(Array.from({ length: 45 }, () => dialUnread(t, url)));
      const sent = requestOf(url, bearer, lists(100)) + requestOf(url, bearer, lists(10)).repeat(batches);
      for (const socket of sockets) socket.write(sent);
      let after = before;
      let slowestMs = 0;
      for (let probe = 0; probe < 50; probe += 1) {
        const startedAt = performance.now();
        assert.equal((await fetch(`${url}/healthz`)).status, 200);
        slowestMs = Math.max(slowestMs, Math.round(performance.now() - startedAt));
        after = Math.max(after, residentMegabytes(pid));
        await pause(20);
      }
      const figure = `45 sockets, unread: ${after - before} MB more, at most ${slowestMs} ms for another's answer`;
      report(`MCP in bulk, ${how}`, figure);
      assert.ok(after - before <= 64, figure);
      assert.ok(slowestMs < 2_000, figure);
    });
});

const lists = (count: number) => Array.from({ length: count }, (_, id) => legacy('tools/list', {}, id));

const residentMegabytes = (pid: number): number =>
  Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);

function requestOf(url: string, token: string, body: unknown): string {
  const text = JSON.stringify(body);
  return [
    'POST /mcp HTTP/1.1',
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Accept: ${accept.accept}`,
    `Content-Length: ${text.length}`,
    '',
    text,
  ].join('\r\n');
}

/** Opens a connection whose responses are not read. */
async function dialUnread(t: Cleanup, url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
  t.after(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Sends batches and reads the responses, so that the service's base memory is not counted as growth. */
async function warmUp(t: Cleanup, url: string, batch: string): Promise<void> {
  const socket = await dialUnread(t, url);
  let answers = 0;
  socket.on('data', (bytes) => {
    answers += bytes.toString('latin1').split('HTTP/1.1 ').length - 1;
  });
  socket.resume();
  for (let n = 0; n < 100; n += 1) {
    socket.write(batch);
    await eventually(() => answers > n);
  }
}
