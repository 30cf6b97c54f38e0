import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestService } from '../service.ts';

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

/** Asks /mcp for a ping as a client of the older era does. */
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

test('/mcp answers under the hosts of BASE_URL, of ALLOWED_HOSTS and of this machine', async () => {
  for (const address of [
    'https://profile.example.org',
    'http://internal.example.org',
    'http://127.0.0.1:3000',
    'http://localhost',
    'http://[::1]:8080',
  ])
    assert.equal((await ask(remote, address)).status, 200, address);
});

test('a rebound or foreign host is refused, before the token is looked at [TRUST-20]', async () => {
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

test('a page of BASE_URL or of ALLOWED_ORIGINS gets in and may read the answer', async () => {
  for (const origin of ['https://profile.example.org', 'https://app.example.org']) {
    const response = await ask(remote, 'https://profile.example.org', { origin });
    assert.equal(response.status, 200, origin);
    assert.equal(response.headers.get('access-control-allow-origin'), origin);
    const preflight = await ask(remote, 'https://profile.example.org', { origin }, 'OPTIONS');
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-origin'), origin);
  }
});

test('any other origin is refused, null included [TRUST-20]', async () => {
  for (const origin of ['https://evil.example', 'null', 'http://profile.example.org', 'http://localhost:6274', ''])
    assert.equal((await ask(remote, 'https://profile.example.org', { origin })).status, 403, origin);
});

test('no cache answers one origin with what was answered to another: every answer says Vary: Origin', async () => {
  const at = 'https://profile.example.org';
  for (const [status, headers, method] of [
    [200, { origin: at }],
    [200, {}],
    [204, { origin: at }, 'OPTIONS'],
    [401, { origin: at, authorization: '' }],
    [403, { origin: 'https://evil.example' }],
    [405, { origin: at }, 'DELETE'],
  ] as const) {
    const response = await ask(remote, at, headers, method);
    assert.deepEqual([response.status, response.headers.get('vary')], [status, 'Origin']);
  }
});

test('a page on this machine reaches a service on this machine', async () => {
  assert.equal((await ask(local, 'http://127.0.0.1:3000', { origin: 'http://localhost:6274' })).status, 200);
  assert.equal((await ask(local, 'http://127.0.0.1:3000', { origin: 'http://evil.example' })).status, 403);
});

test('without a token the answer is the 401 of REST [AUTH-3]', async () => {
  const response = await ask(local, 'http://127.0.0.1:3000', { authorization: '' });
  assert.equal(response.status, 401);
  assert.equal(await response.text(), '{"error":{"code":"UNAUTHORIZED","message":"A valid bearer token is required"}}');
  assert.equal(response.headers.get('www-authenticate'), 'Bearer realm="candidate-profile"');
});

test('GET and DELETE are refused once the token is good', async () => {
  for (const method of ['GET', 'DELETE']) {
    assert.equal((await ask(local, 'http://127.0.0.1:3000', { authorization: '' }, method)).status, 401);
    const response = await ask(local, 'http://127.0.0.1:3000', {}, method);
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'POST, OPTIONS');
  }
});

test('a body over 64 KiB is refused, and one that is not JSON', async () => {
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
