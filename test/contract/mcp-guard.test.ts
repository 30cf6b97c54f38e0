import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CallRecord } from '../../src/model/log-entry.ts';
import { guard } from '../../src/surfaces/mcp/http.ts';
import { hostPolicyOf } from '../../src/surfaces/request.ts';
import { openTestService } from '../support/in-process.ts';
import { challenge } from '../support/oauth-setting.ts';

let local: Awaited<ReturnType<typeof openTestService>>;
let remote: Awaited<ReturnType<typeof openTestService>>;
before(async () => {
  local = await openTestService();
  remote = await openTestService({
    BASE_URL: 'https://profile.example.org',
    ALLOWED_HOSTS: 'internal.example.org',
    ALLOWED_ORIGINS: 'https://app.example.org',
  });
});
after(() => Promise.all([local.close(), remote.close()]));

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

/** Sends a ping to /mcp as a client of the legacy era does. */
const ask = (
  service: typeof local,
  address: string,
  headers: Record<string, string> = {},
  method = 'POST',
  body = ping,
) =>
  service.send(
    new Request(`${address}/mcp`, {
      method,
      headers: {
        authorization: `Bearer ${service.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      ...(method === 'POST' && { body }),
    }),
  );

test('/mcp accepts the hosts of BASE_URL, of ALLOWED_HOSTS and of this machine', async () => {
  for (const address of [
    'https://profile.example.org',
    'http://internal.example.org',
    'http://127.0.0.1:3000',
    'http://localhost',
    'http://[::1]:8080',
  ])
    assert.equal((await ask(remote, address)).status, 200, address);
});

test('a rebound or foreign host is refused before the token is verified [TRUST-20]', async () => {
  for (const address of [
    'http://evil.example',
    'https://profile.example.org.evil.example',
    'http://127.0.0.1.evil.example',
  ]) {
    const response = await ask(remote, address, { authorization: '' });
    assert.equal(response.status, 403, address);
    assert.equal(
      await response.text(),
      '{"error":{"code":"FORBIDDEN","message":"This host or origin is not allowed."}}',
    );
    assert.equal(response.headers.get('access-control-allow-origin'), null);
  }
});

test('a page of BASE_URL or of ALLOWED_ORIGINS is accepted, and may read the answer and errors', async () => {
  const at = 'https://profile.example.org';
  for (const [origin, headers, status] of [
    [at, {}, 200],
    ['https://app.example.org', {}, 200],
    [at, { authorization: '' }, 401],
  ] as const) {
    const response = await ask(remote, at, { origin, ...headers });
    assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [status, origin]);
  }
  const without = await ask(remote, at, { authorization: '' });
  assert.equal(without.headers.get('access-control-allow-origin'), null);
});

test('at a plain http address every other origin is refused, null included [TRUST-20]', async () => {
  const BASE_URL = 'http://profile.example.org';
  const plain = await openTestService({ BASE_URL, ALLOW_INSECURE_HTTP: 'true' });
  for (const origin of ['https://evil.example', 'null', 'https://profile.example.org', 'http://localhost:6274', '']) {
    const { status, headers } = await ask(plain, BASE_URL, { origin });
    assert.deepEqual([status, headers.get('access-control-allow-origin')], [403, null], origin);
  }
  await plain.close();
});

test('an allowed host without a port is accepted with every port, one with a port only with that port', async () => {
  const { services } = remote.opened;
  const statusAt = async (baseUrl: string, address: string) => {
    const policy = hostPolicyOf(baseUrl, ['internal.example.org', 'other.example.org:81'], [], () => false);
    const serve = async () => new Response();
    const headers = { authorization: `Bearer ${remote.token}`, 'content-type': 'application/json' };
    const request = new Request(`${address}/mcp`, { method: 'POST', headers, body: ping });
    return (await guard(request, { address: null, requestId: null }, { policy, services, serve })).status;
  };
  for (const [baseUrl, address, status] of [
    ['https://profile.example.org', 'https://profile.example.org:8443', 200],
    ['https://profile.example.org:8443', 'https://profile.example.org:8443', 200],
    ['https://profile.example.org:8443', 'https://profile.example.org', 403],
    ['https://profile.example.org', 'http://internal.example.org:8080', 200],
    ['https://profile.example.org', 'http://other.example.org:81', 200],
    ['https://profile.example.org', 'http://other.example.org', 403],
  ] as const)
    assert.equal(await statusAt(baseUrl, address), status, `${address} of ${baseUrl}`);
});

test('a preflight response lists the allowed method and headers, and may be cached for a day', async () => {
  const origin = 'https://app.example.org';
  const preflight = await ask(remote, 'https://profile.example.org', { origin }, 'OPTIONS');
  assert.deepEqual(Object.fromEntries(preflight.headers), {
    allow: 'POST, OPTIONS',
    'access-control-allow-headers':
      'Authorization, Content-Type, Accept, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id',
    'access-control-allow-methods': 'POST',
    'access-control-allow-origin': origin,
    'access-control-max-age': '86400',
    vary: 'Origin',
  });
});

test('every response has Vary: Origin, so that caches keep origins apart', async () => {
  const at = 'https://profile.example.org';
  for (const [status, headers, method] of [
    [200, { origin: at }],
    [200, {}],
    [204, { origin: at }, 'OPTIONS'],
    [401, { origin: at, authorization: '' }],
    [405, { origin: at }, 'DELETE'],
  ] as const) {
    const response = await ask(remote, at, headers, method);
    assert.deepEqual([response.status, response.headers.get('vary')], [status, 'Origin']);
  }
});

test('a local page may use a local service', async () => {
  assert.equal((await ask(local, 'http://127.0.0.1:3000', { origin: 'http://localhost:6274' })).status, 200);
  for (const origin of ['http://evil.example', 'null', ''])
    assert.equal((await ask(local, 'http://127.0.0.1:3000', { origin })).status, 403, origin);
});

test('without a token the answer is the 401 of REST [AUTH-3]', async () => {
  const response = await ask(local, 'http://127.0.0.1:3000', { authorization: '' });
  assert.equal(response.status, 401);
  assert.equal(await response.text(), '{"error":{"code":"UNAUTHORIZED","message":"A valid bearer token is required"}}');
  assert.equal(
    response.headers.get('www-authenticate'),
    challenge('Bearer realm="candidate-profile"', '/.well-known/oauth-protected-resource/mcp'),
  );
});

test('GET and DELETE are refused after the token was verified', async () => {
  for (const method of ['GET', 'DELETE']) {
    assert.equal((await ask(local, 'http://127.0.0.1:3000', { authorization: '' }, method)).status, 401);
    const response = await ask(local, 'http://127.0.0.1:3000', {}, method);
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'POST, OPTIONS');
  }
});

test('a body over 64 KiB is refused, and a body that is not JSON', async () => {
  const post = (body: string) => ask(local, 'http://127.0.0.1:3000', {}, 'POST', body);
  const padded = (length: number) => ping.padEnd(length, ' ');
  assert.equal((await post(padded(65_536))).status, 200);
  assert.equal((await post(padded(65_537))).status, 413);
  for (const body of ['', '{', '\uFEFFping']) {
    const response = await post(body);
    const { id, error } = (await response.json()) as { id: null; error: { code: number } };
    assert.deepEqual([response.status, id, error.code], [400, null, -32700], body);
  }
});

test('a request that the guard refuses is recorded with its caller, request id and duration', async () => {
  const calls: CallRecord[] = [];
  const { services } = remote.opened;
  const guarded = {
    policy: hostPolicyOf('https://profile.example.org', [], [], () => false),
    services: { ...services, record: (call: CallRecord) => void calls.push(call) },
    serve: () => assert.fail('served'),
  };
  const { jti } = JSON.parse(String(Buffer.from(remote.token.split('.')[1]!, 'base64url')));
  const authorization = `Bearer ${remote.token}`;
  const json = { 'content-type': 'application/json' };
  const askedAt = performance.now();
  for (const [address, init] of [
    ['https://evil.example', {}],
    ['https://profile.example.org', {}],
    ['https://profile.example.org', { headers: { authorization } }],
    ['https://profile.example.org', { method: 'POST', headers: { authorization }, body: ping }],
    ['https://profile.example.org', { method: 'POST', headers: { authorization, ...json }, body: ' '.repeat(65_537) }],
  ] as const)
    await guard(new Request(`${address}/mcp`, init), { address: '192.0.2.1', requestId: 'request-1' }, guarded);
  const tookMs = performance.now() - askedAt;
  assert.deepEqual(
    calls.map(({ milliseconds: _, ...call }) => Object.values(call)),
    [
      ['mcp', 'mcp', 'anonymous', 'FORBIDDEN', 'request-1'],
      ['mcp', 'mcp', 'anonymous', 'UNAUTHORIZED', 'request-1'],
      ['mcp', 'mcp', jti, 'METHOD_NOT_ALLOWED', 'request-1'],
      ['mcp', 'mcp', jti, 'UNSUPPORTED_MEDIA_TYPE', 'request-1'],
      ['mcp', 'mcp', jti, 'PAYLOAD_TOO_LARGE', 'request-1'],
    ],
  );
  for (const { milliseconds } of calls) assert.ok(milliseconds > 0 && milliseconds <= tookMs);
});

test('an unexpected error behind the guard is not answered as an expected failure', async () => {
  const { services } = local.opened;
  const policy = hostPolicyOf(local.baseUrl, [], [], () => true);
  const serve = () => Promise.reject(new Error('disk I/O error'));
  const headers = { authorization: `Bearer ${local.token}`, 'content-type': 'application/json' };
  const request = new Request(`${local.baseUrl}/mcp`, { method: 'POST', headers, body: ping });
  const connection = { address: '192.0.2.1', requestId: null };
  await assert.rejects(guard(request, connection, { policy, services, serve }), { message: 'disk I/O error' });
});
