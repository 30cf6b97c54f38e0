import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openTestService } from './support/in-process.ts';
import { answersIn, legacy, modern, posted } from './support/mcp-service.ts';

/** The cases come from the bug reports of similar programs; each has the number of its report. */
type Service = Awaited<ReturnType<typeof openTestService>>;

const BASE_URL = 'https://profile.example.org';
let service: Service;
before(async () => {
  service = await openTestService({ BASE_URL });
});
after(() => service.close());

suite('20: Accept of MCP clients', () => {
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const [json, events] = ['application/json', 'text/event-stream'];

  /** Sends a message with another Accept header, null for none, and returns status, type and JSON-RPC id. */
  async function typeOf(request: Request, accept: string | null) {
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${service.token}`);
    if (accept === null) headers.delete('accept');
    else headers.set('accept', accept);
    const body = await request.text();
    const response = await service.send(new Request(`${BASE_URL}/mcp`, { method: 'POST', headers, body }));
    const text = await response.text();
    const type = response.headers.get('content-type');
    const { id } = type === events ? answersIn(text)[0] : JSON.parse(text);
    return [response.status, type, id];
  }

  const messages = {
    'initialize of the legacy era': () => posted(legacy('initialize', initialize)),
    'a request of the legacy era': () => posted(legacy('tools/list')),
    'an unknown tool of the legacy era': () => posted(legacy('tools/call', { name: 'none' })),
    'a request of the modern era': () => modern('tools/list'),
    'server/discover of the modern era': () => modern('server/discover'),
    'an unknown tool of the modern era': () => modern('tools/call', { name: 'none' }, { 'mcp-name': 'none' }),
  };
  for (const [name, message] of Object.entries(messages))
    test(`${name} is answered in the type that the client accepts`, async () => {
      for (const [accept, type] of [
        ['application/json', json],
        ['text/event-stream', events],
        ['*/*', json],
        ['application/*', json],
        [null, json],
        ['text/*, application/json;q=0', events],
        ['application/json, text/event-stream', name.includes('legacy') ? events : json],
      ] as const)
        assert.deepEqual(await typeOf(message(), accept), [200, type, 1], String(accept));
      assert.deepEqual(await typeOf(message(), 'text/html'), [406, json, null]);
    });

  test('an error of HTTP is JSON, whatever is accepted', async () => {
    assert.deepEqual(await typeOf(modern('no/such'), 'text/event-stream'), [404, json, 1]);
  });

  test('a subscription is refused to a client that does not accept an event stream', async () => {
    const headers = { accept: 'application/json', authorization: `Bearer ${service.token}` };
    const { body, status } = await service.send(
      new Request(modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, headers), {}),
    );
    await body?.cancel();
    assert.equal(status, 406);
  });
});

suite('21: MCP from a page in a browser', () => {
  const origins = [
    'https://claude.ai',
    'https://chatgpt.com',
    'http://localhost:6274',
    'https://app.mcpjam.com',
    'null',
  ];
  const sent =
    'authorization,content-type,mcp-protocol-version,mcp-method,mcp-name,mcp-session-id,last-event-id,accept';
  const listOf = (response: Response, header: string) =>
    (response.headers.get(header) ?? '').toLowerCase().split(/, ?/);

  const preflight = (path: string, origin: string, method: string, headers: string) =>
    service.ask(path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': headers },
    });

  test('at a public https address a page of any origin may call /mcp with a token, and read the answer', async () => {
    for (const origin of origins) {
      const allowed = await preflight('/mcp', origin, 'POST', sent);
      assert.deepEqual([allowed.status, allowed.headers.get('access-control-allow-origin')], [204, origin]);
      const names = listOf(allowed, 'access-control-allow-headers');
      assert.deepEqual(
        sent.split(',').filter((name) => !names.includes(name)),
        [],
      );
      const { status, headers } = await service.post('/mcp', legacy('ping'), { origin });
      assert.deepEqual([status, headers.get('access-control-allow-origin')], [200, origin]);
      assert.equal(headers.get('access-control-allow-credentials'), null);
    }
  });

  test('a page reads the challenge of a 401, which leads to the metadata, the registration and the token', async () => {
    const [origin = ''] = origins;
    const response = await service.ask('/mcp', { method: 'POST', headers: { origin } });
    assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [401, origin]);
    assert.ok(listOf(response, 'access-control-expose-headers').includes('www-authenticate'));
    for (const [path, method] of [
      ['/.well-known/oauth-protected-resource/mcp', 'GET'],
      ['/.well-known/oauth-authorization-server', 'GET'],
      ['/oauth/register', 'POST'],
      ['/oauth/token', 'POST'],
    ] as const) {
      const allowed = await preflight(path, origin, method, 'content-type,mcp-protocol-version');
      const names = listOf(allowed, 'access-control-allow-headers');
      assert.deepEqual([names.includes('mcp-protocol-version'), names.includes('content-type')], [true, true], path);
      const answer = await service.ask(path, { method, headers: { origin } });
      assert.equal(answer.headers.get('access-control-allow-origin'), '*', path);
    }
  });

  test('a form of another site is refused there as before', async () => {
    const headers = { origin: 'https://claude.ai', 'content-type': 'application/x-www-form-urlencoded' };
    const response = await service.ask('/desk/sign-in', { method: 'POST', headers, body: 'link=true' });
    assert.equal(response.status, 403);
  });
});
