import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byAddress } from '../../src/model/visitor.ts';
import { invokerFor } from '../../src/operations/owner/operation.ts';
import { eraseVisitor } from '../../src/operations/owner/visitors.ts';
import { databaseSettings } from '../support/database.ts';
import { newFolder } from '../support/files.ts';
import { freePort } from '../support/free-port.ts';
import { allow, browserOf, type ClientMemory, connectByAddress, redirectUri } from '../support/oauth.ts';
import { authorizationUrl, codeOf, errorOf, exchange, refresh, tokensOf } from '../support/oauth-flow.ts';
import { openOauthService } from '../support/oauth-service.ts';
import { startProcess } from '../support/process.ts';

test('a client that knows only the address of the MCP server gets a token for a visitor who allows it, and calls a tool; again after a restart', async (t) => {
  const folder = newFolder(t);
  const settings = { ...(await databaseSettings(folder)), DATA_DIR: folder };
  const memory: ClientMemory = {};
  const port = String(await freePort());
  for (const run of ['first', 'after a restart', 'with nothing kept']) {
    const service = await startProcess(t, { ...settings, BASE_URL: `http://127.0.0.1:${port}`, PORT: port });
    if (run === 'with nothing kept') for (const key of Object.keys(memory)) Reflect.deleteProperty(memory, key);
    const isKnown = memory.tokens !== undefined;
    const answer = isKnown ? () => assert.fail('the visitor was asked again') : undefined;
    const client = await connectByAddress(service.baseUrl, memory, answer && { answer });
    const { structuredContent } = await client.callTool({ name: 'get_candidate', arguments: {} });
    assert.equal((structuredContent as { data: { id: string } }).data.id, 'cand_lena_vasquez');
    await client.close();
    service.kill('SIGTERM');
    await service.exited();
  }
});

test('a client whose access token has ended renews it by itself, and the visitor is not asked again', async (t) => {
  const service = await openOauthService(t);
  const memory: ClientMemory = {};
  await (await service.connect(memory)).close();
  const first = memory.tokens!;
  memory.tokens = { ...first, access_token: 'ended' };
  const client = await service.connect(memory, { answer: () => assert.fail('the visitor was asked again') });
  await client.close();
  assert.notEqual(memory.tokens.refresh_token, first.refresh_token);
  assert.deepEqual(service.rows('select count(*) as count from oauth_grants'), [{ count: 1 }]);
  assert.deepEqual(service.rows("select count(*) as count from outbox where kind = 'auth_request'"), [{ count: 1 }]);
});

test('a client that sends six calls at once with an access token that has ended gets an answer to each, and the visitor is not asked again', async (t) => {
  const service = await openOauthService(t);
  const memory: ClientMemory = {};
  const client = await service.connect(memory);
  memory.tokens = { ...memory.tokens!, access_token: 'ended' };
  const calls = Array.from({ length: 6 }, () => client.callTool({ name: 'get_candidate', arguments: {} }));
  for (const { isError } of await Promise.all(calls)) assert.ok(!isError);
  memory.tokens = { ...memory.tokens!, access_token: 'ended' };
  const { isError } = await client.callTool({ name: 'get_candidate', arguments: {} });
  assert.ok(!isError);
  await client.close();
});

test('a refresh token works once; used again after the one that it got, it ends what was issued for its grant', async (t) => {
  const service = await openOauthService(t);
  const { clientId, refresh: first } = await tokensOf(service);
  const { status, body: second } = await refresh(service, clientId, first);
  assert.equal(status, 200);
  const { body: third } = await refresh(service, clientId, second.refresh_token!);
  assert.equal(await service.get('/candidate', third.access_token!), 200);
  assert.deepEqual(errorOf(await refresh(service, clientId, first)), [400, 'invalid_grant']);
  assert.deepEqual(errorOf(await refresh(service, clientId, third.refresh_token!)), [400, 'invalid_grant']);
  await service.opened().tokens.refresh();
  assert.equal(await service.get('/candidate', third.access_token!), 401);
  assert.deepEqual(await service.opened().store.oauth.grants.listUnexpired(new Date()), []);
});

test('a code works once; used again, it ends what was issued for it', async (t) => {
  const service = await openOauthService(t);
  const granted = await codeOf(service);
  const { body } = await exchange(service, granted);
  assert.deepEqual(errorOf(await exchange(service, granted)), [400, 'invalid_grant']);
  assert.deepEqual(errorOf(await refresh(service, granted.clientId, body.refresh_token!)), [400, 'invalid_grant']);
});

test('a code is of use only with its verifier, its redirect and its client', async (t) => {
  const service = await openOauthService(t);
  const { body: other } = await service.register();
  for (const changes of [
    { code_verifier: 'another-verifier-that-is-long-enough-for-it-000000' },
    { redirect_uri: 'http://127.0.0.1:33418/other' },
    { client_id: String(other.client_id) },
  ])
    assert.deepEqual(
      errorOf(await exchange(service, await codeOf(service), changes)),
      [400, 'invalid_grant'],
      JSON.stringify(changes),
    );
});

test('a request without PKCE, or with plain, goes back to the client with an error', async (t) => {
  const service = await openOauthService(t);
  const { body } = await service.register();
  for (const changes of [{ code_challenge: null, code_challenge_method: null }, { code_challenge_method: 'plain' }]) {
    const url = authorizationUrl(service, String(body.client_id), changes);
    const { url: back } = await browserOf(service.fetch, service.baseUrl).open(url);
    assert.equal(back.origin + back.pathname, redirectUri);
    assert.equal(back.searchParams.get('error'), 'invalid_request');
    assert.equal(back.searchParams.get('iss'), service.baseUrl);
  }
});

test('a redirect that the client has not registered is not followed, and neither is one of an unknown client', async (t) => {
  const service = await openOauthService(t);
  const { body } = await service.register();
  const clientId = String(body.client_id);
  for (const url of [
    authorizationUrl(service, clientId, { redirect_uri: 'https://evil.example/callback' }),
    authorizationUrl(service, clientId, { redirect_uri: 'http://127.0.0.1:33418/callback/evil' }),
    authorizationUrl(service, 'unknown'),
  ]) {
    const { response, text } = await browserOf(service.fetch, service.baseUrl).open(url);
    assert.equal(response.status, 400);
    assert.match(text, /<h1>This request to connect is not valid<\/h1>/);
  }
});

test('a client on this computer may come back on any port', async (t) => {
  const service = await openOauthService(t);
  const { body } = await service.register({ redirect_uris: ['http://127.0.0.1/callback'] });
  const url = authorizationUrl(service, String(body.client_id));
  assert.ok(await allow(browserOf(service.fetch, service.baseUrl), url));
});

test('a visitor who refuses is sent back with access_denied, and the owner is told nothing', async (t) => {
  const service = await openOauthService(t);
  const { body } = await service.register();
  const browser = browserOf(service.fetch, service.baseUrl);
  const page = await browser.open(authorizationUrl(service, String(body.client_id)));
  const { url } = await browser.send(page, { step: 'deny' });
  assert.equal(url.searchParams.get('error'), 'access_denied');
  assert.deepEqual(service.rows('select id from outbox'), []);
});

test('a token for the MCP server alone does not open the REST API; one for the service opens both', async (t) => {
  const service = await openOauthService(t);
  const mcp = await tokensOf(service, { resource: `${service.baseUrl}/mcp` });
  assert.equal(await service.get('/candidate', mcp.access), 401);
  assert.equal((await service.callTool(mcp.access, 'get_candidate')).status, 200);
  const whole = await tokensOf(service, { resource: `${service.baseUrl}/` });
  assert.equal(await service.get('/candidate', whole.access), 200);
  assert.equal((await service.callTool(whole.access, 'get_candidate')).status, 200);
});

test('a request for a token of another service goes back with invalid_target', async (t) => {
  const service = await openOauthService(t);
  const { body } = await service.register();
  const url = authorizationUrl(service, String(body.client_id), { resource: 'https://other.example/mcp' });
  const { url: back } = await browserOf(service.fetch, service.baseUrl).open(url);
  assert.equal(back.searchParams.get('error'), 'invalid_target');
});

test('a client without contact:write is told which scopes to ask for, over MCP and REST', async (t) => {
  const service = await openOauthService(t, { MCP_MUTATIONS: 'true' });
  const message = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
  const { access } = await tokensOf(service);
  const refused = await service.callTool(access, 'create_contact', message);
  assert.equal(refused.status, 403);
  assert.equal(
    refused.headers.get('www-authenticate'),
    'Bearer realm="candidate-profile", error="insufficient_scope", scope="profile:read contact:write", resource_metadata="http://127.0.0.1:3000/.well-known/oauth-protected-resource/mcp"',
  );
  const overRest = await service.fetch(`${service.baseUrl}/contact`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
    body: JSON.stringify(message),
  });
  assert.equal(overRest.status, 403);
  const wider = await tokensOf(service, { scope: 'profile:read contact:write' });
  assert.equal(wider.scope, 'profile:read contact:write');
  const sent = await service.callTool(wider.access, 'create_contact', message);
  assert.equal(sent.status, 200);
  assert.match(await sent.text(), /received/);
});

test('revoking an address ends its tokens, and what its clients could renew them with', async (t) => {
  const service = await openOauthService(t);
  const { clientId, access, refresh: token } = await tokensOf(service, {}, 'Ada@Example.org');
  const other = await tokensOf(service, {}, 'grace@example.org');
  await service.opened().tokens.revoke({ kind: 'subject', subject: byAddress('ada@example.org') });
  assert.equal(await service.get('/candidate', access), 401);
  assert.deepEqual(errorOf(await refresh(service, clientId, token)), [400, 'invalid_grant']);
  assert.equal(await service.get('/candidate', other.access), 200);
  assert.equal((await refresh(service, other.clientId, other.refresh)).status, 200);
});

test('revoking one token of a client ends what it could renew it with', async (t) => {
  const service = await openOauthService(t);
  const { clientId, access, refresh: token } = await tokensOf(service);
  const [row] = service.rows('select jti from issued_tokens');
  await service.opened().tokens.revoke({ kind: 'jti', jti: String(row!.jti) });
  assert.equal(await service.get('/candidate', access), 401);
  assert.deepEqual(errorOf(await refresh(service, clientId, token)), [400, 'invalid_grant']);
});

test('erasing a visitor leaves nothing of what clients were allowed', async (t) => {
  const service = await openOauthService(t);
  await tokensOf(service);
  await invokerFor(service.opened().owner)(eraseVisitor, { visitor: byAddress('ada@example.org') });
  for (const table of ['oauth_grants', 'oauth_records', 'issued_tokens', 'outbox'])
    assert.deepEqual(service.rows(`select * from ${table}`), [], table);
});

test('a code, a refresh token and a request that have expired are of no use, and are erased', async (t) => {
  const service = await openOauthService(t);
  const granted = await codeOf(service);
  const { clientId, refresh: token } = await tokensOf(service);
  const browser = browserOf(service.fetch, service.baseUrl);
  const page = await browser.open(authorizationUrl(service, clientId));
  service.rows("update oauth_records set expires_at = '2026-01-01T00:00:00.000Z'");
  assert.deepEqual(errorOf(await exchange(service, granted)), [400, 'invalid_grant']);
  assert.deepEqual(errorOf(await refresh(service, clientId, token)), [400, 'invalid_grant']);
  const { response, text } = await browser.send(page, { email: 'ada@example.org', step: 'address' });
  assert.equal(response.status, 404);
  assert.match(text, /<h1>This request has ended<\/h1>/);
  const long = new Date(0);
  await service.opened().store.expiry.erase(new Date(), { contacts: null, mail: long, reads: long });
  assert.deepEqual(service.rows('select id from oauth_records'), []);
});

test('no secret is stored, neither of a code nor of a refresh token', async (t) => {
  const service = await openOauthService(t);
  const { code } = await codeOf(service);
  const { refresh: token } = await tokensOf(service);
  const stored = JSON.stringify(service.rows('select * from oauth_records'));
  assert.ok(!stored.includes(code) && !stored.includes(token));
});

test('with OAUTH=off there is nothing of it', async (t) => {
  const service = await openOauthService(t, { OAUTH: 'off' });
  const refused = await service.fetch(`${service.baseUrl}/mcp`, { method: 'POST' });
  assert.equal(refused.headers.get('www-authenticate'), 'Bearer realm="candidate-profile"');
  for (const path of [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/oauth/authorize',
    '/oauth/register',
    '/oauth/revoke',
    '/oauth/token',
    '/oauth/consent/x',
  ])
    assert.equal((await service.fetch(service.baseUrl + path)).status, 404, path);
});

test('the metadata name the public address, whatever Host a request has, at each address where clients look', async (t) => {
  const service = await openOauthService(t, { BASE_URL: 'https://profile.example.org' });
  const get = async (path: string): Promise<Record<string, unknown>> => {
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
    const response = await service.fetch(`http://evil.example${path}`, { headers });
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    return (await response.json()) as Record<string, unknown>;
  };
  for (const [path, resource] of [
    ['/.well-known/oauth-protected-resource', 'https://profile.example.org'],
    ['/.well-known/oauth-protected-resource/mcp', 'https://profile.example.org/mcp'],
  ] as const) {
    const metadata = await get(path);
    assert.equal(metadata.resource, resource);
    assert.deepEqual(metadata.authorization_servers, ['https://profile.example.org']);
  }
  for (const path of [
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/mcp',
    '/mcp/.well-known/oauth-authorization-server',
    '/mcp/.well-known/openid-configuration',
  ]) {
    const metadata = await get(path);
    assert.equal(metadata.issuer, 'https://profile.example.org');
    assert.equal(metadata.authorization_endpoint, 'https://profile.example.org/oauth/authorize');
    assert.equal(metadata.token_endpoint, 'https://profile.example.org/oauth/token');
    assert.equal(metadata.registration_endpoint, 'https://profile.example.org/oauth/register');
  }
});

test('over https the cookies of a request are secure, and the visitor stays at the public address', async (t) => {
  const service = await openOauthService(t, { BASE_URL: 'https://profile.example.org' });
  const { body } = await service.register();
  const url = authorizationUrl(service, String(body.client_id));
  const response = await service.fetch(`http://evil.example${url.pathname}${url.search}`);
  assert.equal(response.status, 303);
  assert.match(response.headers.get('location')!, /^\/oauth\/consent\/[\w-]+$/);
  const cookies = response.headers.getSetCookie();
  assert.equal(cookies.length, 4);
  for (const cookie of cookies) assert.match(cookie, /^__Secure-oauth_.*; samesite=lax; secure; httponly/);
  const back = await allow(browserOf(service.fetch, service.baseUrl), url);
  assert.equal(back.searchParams.get('iss'), 'https://profile.example.org');
});

test('the page of a request is of no use in another browser, nor from another site', async (t) => {
  const service = await openOauthService(t);
  const { body } = await service.register();
  const victim = browserOf(service.fetch, service.baseUrl);
  const page = await victim.open(authorizationUrl(service, String(body.client_id)));
  const elsewhere = await browserOf(service.fetch, service.baseUrl).open(page.url);
  assert.equal(elsewhere.response.status, 404);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' };
  const forged = await victim.open(page.url, { method: 'POST', headers, body: 'step=allow' });
  assert.equal(forged.response.status, 403);
  assert.deepEqual(service.rows('select id from oauth_grants'), []);
});

test('the address that a visitor types is checked, and charged as a request for a token', async (t) => {
  const service = await openOauthService(t, { LIMITS: '1' });
  const { body } = await service.register();
  const browser = browserOf(service.fetch, service.baseUrl);
  const page = await browser.open(authorizationUrl(service, String(body.client_id)));
  const statuses = [];
  for (let count = 0; count < 11; count += 1)
    statuses.push((await browser.send(page, { email: 'nobody', step: 'address' })).response.status);
  assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 400), 429]);
  const { status } = await service.fetch(`${service.baseUrl}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"email":"ada@example.org"}',
  });
  assert.equal(status, 429);
});

test('a form that is sent twice allows once, and tells the owner once', async (t) => {
  const service = await openOauthService(t);
  const { body } = await service.register();
  const browser = browserOf(service.fetch, service.baseUrl);
  const page = await browser.open(authorizationUrl(service, String(body.client_id)));
  const consent = await browser.send(page, { email: 'ada@example.org', step: 'address' });
  await Promise.all([browser.send(consent, { step: 'allow' }), browser.send(consent, { step: 'allow' })]);
  assert.deepEqual(service.rows('select count(*) as count from oauth_grants'), [{ count: 1 }]);
  assert.deepEqual(service.rows('select count(*) as count from outbox'), [{ count: 1 }]);
});
