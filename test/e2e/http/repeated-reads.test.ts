import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { BlockList } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openHttpServer } from '../../../src/adapters/http/server.ts';
import { openTestService } from '../../support/in-process.ts';

/** The service on a port; `repliesAtOnce` has the path of each request that was answered without routing. */
async function open(t: TestContext, env: Record<string, string> = {}) {
  const { app, baseUrl, token, close } = await openTestService(env);
  const repliesAtOnce: string[] = [];
  const server = await openHttpServer(
    { host: '127.0.0.1', port: 0, tls: undefined, isHttps: true, trustProxy: new BlockList(), socketsPerAddress: 50 },
    (request, connection) => app.fetch(request, connection),
    (head, connection) => {
      const reply = app.replyAtOnce(head, connection);
      if (reply !== null) repliesAtOnce.push(new URL(head.target, baseUrl).pathname);
      return reply;
    },
  );
  t.after(async () => {
    await Promise.all([server.close(0), close()]);
  });

  /** Sends a request; the response as it was sent, but for its date. */
  async function send(
    path: string,
    headers: Record<string, string> = {},
    options: http.RequestOptions = {},
    body = '',
  ) {
    const bearer = { authorization: `Bearer ${token}` };
    const target = { port: server.port, path, headers: { ...bearer, ...headers }, ...options };
    const request = http.request(target).end(body);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const { etag = '', connection } = response.headers;
    const head = response.rawHeaders.join('\r\n').replace(/Date\r\n.*/, 'Date');
    const bytes = Buffer.concat(await response.toArray()).toString('hex');
    return { status: response.statusCode, etag, connection, head, bytes };
  }
  return { send, repliesAtOnce };
}

test('a repeated GET has the bytes of the one that was routed, headers included, with 200 and with 304', async (t) => {
  const { send, repliesAtOnce } = await open(t);
  const given = { 'x-request-id': 'mine', connection: 'keep-alive' };
  const paths = [
    '/candidate',
    '/experience?current=true',
    '/experience/exp_past',
    '/projects',
    '/resume',
    '/availability',
  ];
  for (const path of paths) {
    const first = await send(path, given);
    assert.equal(first.status, 200);
    assert.deepEqual(await send(path, given), first);
    const unchanged = { ...given, 'if-none-match': `W/"other", ${first.etag}` };
    const again = `${path}${path.includes('?') ? '&' : '?'}n=2`;
    const routed = await send(again, unchanged);
    assert.deepEqual([routed.status, routed.bytes], [304, '']);
    assert.deepEqual(await send(again, unchanged), routed);
  }
  assert.deepEqual(
    repliesAtOnce,
    ['/candidate', '/experience', '/experience/exp_past', '/projects', '/resume', '/availability'].flatMap((path) => [
      path,
      path,
    ]),
  );
});

test('a repeated GET that is the last of its connection is answered so', async (t) => {
  const { send, repliesAtOnce } = await open(t);
  const upgrade = { 'x-request-id': 'mine', connection: 'upgrade', upgrade: 'websocket' };
  const first = await send('/candidate', upgrade);
  assert.equal(first.connection, 'close');
  assert.deepEqual(await send('/candidate', upgrade), first);
  assert.deepEqual(repliesAtOnce, ['/candidate']);
});

test('another method, a body or another host is not answered as a repeated GET', async (t) => {
  const { send, repliesAtOnce } = await open(t);
  await send('/candidate');
  assert.equal((await send('/candidate', {}, { method: 'POST' }, '{}')).status, 405);
  assert.equal((await send('/candidate', {}, { method: 'OPTIONS' })).status, 204);
  assert.equal((await send('/candidate', { 'content-length': '2' }, {}, '{}')).status, 200);
  assert.equal((await send('/candidate', { 'transfer-encoding': 'chunked' }, {}, '{}')).status, 200);
  assert.equal((await send('/candidate', { host: 'other.example' })).status, 200);
  assert.equal((await send('/candidate', { host: 'no host' })).status, 400);
  assert.equal((await send('/candidate', { authorization: 'Bearer no-token' })).status, 401);
  assert.equal((await send('/candidate', { authorization: '' })).status, 401);
  assert.deepEqual(repliesAtOnce, []);
});

test('a repeated GET uses up the quota', async (t) => {
  const { send, repliesAtOnce } = await open(t, { LIMITS: '0.025' });
  for (const status of [200, 200, 200]) assert.equal((await send('/candidate')).status, status);
  const given = { 'x-request-id': 'mine' };
  const refused = await send('/candidate', given);
  assert.equal(refused.status, 429);
  assert.equal(repliesAtOnce.length, 3);
  // Routed, and the same.
  assert.deepEqual(await send('/projects', given), refused);
  assert.equal(repliesAtOnce.length, 3);
});
