import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { databaseSettings } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { clientOf } from '../../support/mcp-service.ts';
import { browserOf } from '../../support/oauth.ts';
import { authorizationUrl, claimsOf, codeOf, errorOf, exchange, refresh, type Service, tokensOf } from '../../support/oauth-flow.ts'; // biome-ignore format: one line
import { openOauthService } from '../../support/oauth-service.ts';
import { postJson } from '../../support/post-json.ts';

const service = await openOauthService({ after }, { MCP_MUTATIONS: 'true' });

const mcp = `${service.baseUrl}/mcp`;
const whole = 'profile:read contact:write';
const message = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
const contacts = () => service.rows('select id from contacts').length;

/** Returns how a token is answered over REST and MCP. */
const statusesOf = async (one: Service, token: string) => [
  await one.get('/candidate', token),
  (await one.callTool(token, 'get_candidate')).status,
];

/** Returns the error with which a request comes back to its client. */
const refusalOf = async (url: URL) =>
  (await browserOf(service.fetch, service.baseUrl).open(url)).url.searchParams.get('error');

test('a token for /mcp opens only /mcp, one for the service opens both, and there is no other', async () => {
  const { access } = await tokensOf(service, { resource: mcp, scope: whole });
  assert.deepEqual(await statusesOf(service, access), [401, 200]);
  const posted = postJson(message, { authorization: `Bearer ${access}` });
  assert.equal((await service.fetch(`${service.baseUrl}/contact`, posted)).status, 401);
  for (const resource of [null, service.baseUrl, `${service.baseUrl}/`]) {
    const { access } = await tokensOf(service, { resource });
    assert.deepEqual(await statusesOf(service, access), [200, 200], String(resource));
  }
  const clientId = String((await service.register()).body.client_id);
  const others = `
    https://evil.example/mcp ${service.baseUrl}.evil.example ${mcp}/other ${service.baseUrl}/MCP ${mcp}#fragment
    ${mcp}?x=1 http://localhost:3001/mcp https://localhost:3000/mcp http://127.0.0.2:3000/mcp
    http://user@localhost:3000/mcp /mcp`;
  for (const resource of [...others.trim().split(/\s+/), 'not an address'])
    assert.equal(await refusalOf(authorizationUrl(service, clientId, { resource })), 'invalid_target', resource);
  const both = authorizationUrl(service, clientId, { resource: service.baseUrl });
  both.searchParams.append('resource', mcp);
  assert.equal(await refusalOf(both), 'invalid_target');
});

test('neither an exchange nor a refresh gets another resource, or more scopes, than the visitor allowed', async () => {
  for (const resource of [service.baseUrl, 'https://evil.example'])
    assert.deepEqual(
      errorOf(await exchange(service, await codeOf(service, { resource: mcp }), { resource })),
      [400, 'invalid_target'],
      resource,
    );
  // The scope of an exchange is that of the code (RFC 6749, section 4.1.3).
  const { body } = await exchange(service, await codeOf(service), { scope: whole });
  assert.equal(body.scope, 'profile:read');
  for (const [changes, error] of [
    [{ resource: service.baseUrl }, 'invalid_target'],
    [{ scope: whole }, 'invalid_scope'],
    [{ scope: 'contact:write' }, 'invalid_scope'],
  ] as const) {
    const { clientId, refresh: token } = await tokensOf(service, { resource: mcp });
    assert.deepEqual(errorOf(await refresh(service, clientId, token, changes)), [400, error], JSON.stringify(changes));
  }
  const wider = await tokensOf(service, { scope: whole });
  const { body: narrowed } = await refresh(service, wider.clientId, wider.refresh, { scope: 'profile:read' });
  assert.equal(narrowed.scope, 'profile:read');
  // Asking for less once doesn't give up the rest (RFC 6749, section 6).
  const { body: again } = await refresh(service, wider.clientId, narrowed.refresh_token!);
  assert.equal(again.scope, whole);
});

test('words in a scope that mean nothing here get nothing, and the scope of /auth/token is not for clients', async () => {
  for (const scope of ['profile', 'openid email offline_access', '*', 'profile:read profile', 'PROFILE:READ']) {
    const { access } = await tokensOf(service, { scope });
    assert.equal(claimsOf(access).scope, 'profile:read', scope);
  }
});

test('neither a code, a refresh token nor a token with other claims opens anything', async () => {
  const { access, refresh: token, clientId } = await tokensOf(service, { resource: mcp });
  const { code } = await codeOf(service);
  const [head, , signature] = access.split('.');
  const altered = [{ aud: service.baseUrl }, { scope: whole }].map((changes) => {
    const claims = Buffer.from(JSON.stringify({ ...claimsOf(access), ...changes })).toString('base64url');
    return `${head}.${claims}.${signature}`;
  });
  for (const forged of [clientId, token, code, ...altered])
    assert.deepEqual(await statusesOf(service, forged), [401, 401], forged);
  assert.deepEqual(await statusesOf(service, access), [401, 200]);
});

test('a client that may not write is told by 403 which scopes to ask for, over REST and both eras of MCP', async () => {
  const { access } = await tokensOf(service);
  const challenge = (path: string) =>
    `Bearer realm="candidate-profile", error="insufficient_scope", scope="profile:read contact:write", resource_metadata="http://127.0.0.1:3000/.well-known/oauth-protected-resource${path}"`;
  const authorization = `Bearer ${access}`;
  const overRest = await service.fetch(`${service.baseUrl}/contact`, postJson(message, { authorization }));
  assert.deepEqual([overRest.status, overRest.headers.get('www-authenticate')], [403, challenge('')]);
  assert.deepEqual(await overRest.json(), {
    error: { code: 'FORBIDDEN', message: 'This token does not have the scope contact:write.' },
  });
  for (const era of ['legacy', 'modern'] as const) {
    const challenges: (string | null)[] = [];
    const fetch = async (url: string | URL, init?: RequestInit) => {
      const response = await service.fetch(url, init);
      if (response.status === 403) challenges.push(response.headers.get('www-authenticate'));
      return response;
    };
    const client = clientOf(era);
    const options = { fetch, requestInit: { headers: { authorization } } };
    await client.connect(new StreamableHTTPClientTransport(new URL(mcp), options));
    await assert.rejects(client.callTool({ name: 'create_contact', arguments: message }), era);
    const { isError } = await client.callTool({ name: 'get_candidate', arguments: {} });
    assert.ok(!isError, era);
    await client.close();
    assert.deepEqual(challenges, [challenge('/mcp')], era);
  }
  // Nor does a batch get past the scope.
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'create_contact', arguments: message } };
  const headers = {
    authorization,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-03-26',
  };
  const batch = await service.fetch(mcp, postJson([{ jsonrpc: '2.0', id: 1, method: 'ping' }, call], headers));
  assert.doesNotMatch(await batch.text(), /received/);
  assert.equal(contacts(), 0);
  const wider = await tokensOf(service, { scope: whole });
  assert.match(await (await service.callTool(wider.access, 'create_contact', message)).text(), /received/);
});

test('a client that is allowed to write alone reads nothing', async () => {
  const { access } = await tokensOf(service, { scope: 'contact:write' });
  assert.deepEqual(await statusesOf(service, access), [403, 403]);
  const headers = { authorization: `Bearer ${access}`, accept: 'application/json, text/event-stream' };
  const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'profile://candidate' } };
  assert.equal((await service.fetch(mcp, postJson(read, headers))).status, 403);
});

for (const [MCP_MUTATIONS, overMcp, promise] of [
  ['true', whole, /asks to read this profile, and to write to/],
  ['false', 'profile:read', /asks to read this profile<\/h1>[\s\S]*It cannot write to/],
] as const)
  test(`with MCP_MUTATIONS=${MCP_MUTATIONS} MCP clients get ${overMcp}; REST clients may write`, async (t) => {
    const own = await openOauthService(t, { MCP_MUTATIONS });
    const offered = async (path: string) =>
      ((await (await own.fetch(`${own.baseUrl}/.well-known/${path}`)).json()) as { scopes_supported: string[] })
        .scopes_supported;
    for (const path of ['oauth-protected-resource/mcp', 'oauth-authorization-server', 'openid-configuration/mcp'])
      assert.equal((await offered(path)).join(' '), overMcp, path);
    assert.equal((await offered('oauth-protected-resource')).join(' '), whole);

    const asked = { resource: mcp, scope: whole };
    const { body } = await own.register();
    const browser = browserOf(own.fetch, own.baseUrl);
    const page = await browser.open(authorizationUrl(own, String(body.client_id), asked));
    const consent = await browser.send(page, { email: 'ada@example.org', step: 'address' });
    assert.match(consent.text, promise);
    const granted = await tokensOf(own, asked);
    assert.equal(granted.scope, overMcp);
    const { body: renewed } = await refresh(own, granted.clientId, granted.refresh, asked);
    assert.equal(renewed.scope, overMcp);
    assert.equal((await tokensOf(own, { scope: whole })).scope, whole);
  });

test('what a client was granted over MCP is less, from its next refresh on, when mutations are turned off', async (t) => {
  const DATA_DIR = newFolder(t);
  const settings = await databaseSettings(DATA_DIR);
  const before = await openOauthService(t, { ...settings, DATA_DIR, MCP_MUTATIONS: 'true' });
  const { clientId, refresh: token } = await tokensOf(before, { scope: whole, resource: mcp });
  const later = await openOauthService(t, { ...settings, DATA_DIR, MCP_MUTATIONS: 'false' });
  const { status, body } = await refresh(later, clientId, token);
  assert.deepEqual([status, body.scope], [200, 'profile:read']);
});
