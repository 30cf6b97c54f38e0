import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { databaseSettings } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { clientOf } from '../../support/mcp-service.ts';
import { allow, browserOf } from '../../support/oauth.ts';
import {
  authorizationUrl,
  codeOf,
  errorOf,
  exchange,
  refresh,
  type Service,
  tokensOf,
} from '../../support/oauth-flow.ts';
import { openOauthService } from '../../support/oauth-service.ts';
import { postJson } from '../../support/post-json.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
const message = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };

/** Returns how a token is answered over REST and MCP. */
const statusesOf = async (service: Service, token: string) => [
  await service.get('/candidate', token),
  (await service.callTool(token, 'get_candidate')).status,
];

test('a token for /mcp opens /mcp alone, one for the service opens both, and there is none for anything else', async (t) => {
  const service = await openOauthService(t, { MCP_MUTATIONS: 'true' });
  const whole = 'profile:read contact:write';
  const mcp = await tokensOf(service, { resource: `${service.baseUrl}/mcp`, scope: whole });
  assert.deepEqual(await statusesOf(service, mcp.access), [401, 200]);
  for (const path of ['/candidate', '/experience', '/me', '/resume', '/projects'])
    assert.equal(await service.get(path, mcp.access), 401, path);
  const posted = postJson(message, { authorization: `Bearer ${mcp.access}` });
  assert.equal((await service.fetch(`${service.baseUrl}/contact`, posted)).status, 401);
  for (const resource of [null, service.baseUrl, `${service.baseUrl}/`]) {
    const { access } = await tokensOf(service, { resource });
    assert.deepEqual(await statusesOf(service, access), [200, 200], String(resource));
  }
  const { body } = await service.register();
  for (const resource of [
    'https://evil.example',
    'https://evil.example/mcp',
    `${service.baseUrl}.evil.example`,
    `${service.baseUrl}/mcp/other`,
    `${service.baseUrl}/MCP`,
    `${service.baseUrl}/candidate`,
    `${service.baseUrl}/mcp#fragment`,
    `${service.baseUrl}/mcp?x=1`,
    'http://localhost:3001/mcp',
    'https://localhost:3000/mcp',
    'http://127.0.0.2:3000/mcp',
    'http://user@localhost:3000/mcp',
    '/mcp',
    'not an address',
  ]) {
    const url = authorizationUrl(service, String(body.client_id), { resource });
    const { url: back } = await browserOf(service.fetch, service.baseUrl).open(url);
    assert.equal(back.searchParams.get('error'), 'invalid_target', resource);
  }
  const both = authorizationUrl(service, String(body.client_id), { resource: service.baseUrl });
  both.searchParams.append('resource', `${service.baseUrl}/mcp`);
  const { url: back } = await browserOf(service.fetch, service.baseUrl).open(both);
  assert.equal(back.searchParams.get('error'), 'invalid_target');
});

test('neither an exchange nor a refresh gets another resource, or more scopes, than the visitor allowed', async (t) => {
  const service = await openOauthService(t);
  const mcp = `${service.baseUrl}/mcp`;
  for (const resource of [service.baseUrl, 'https://evil.example'])
    assert.deepEqual(
      errorOf(await exchange(service, await codeOf(service, { resource: mcp }), { resource })),
      [400, 'invalid_target'],
      resource,
    );
  // The scope of an exchange is that of the code (RFC 6749, section 4.1.3).
  const { body } = await exchange(service, await codeOf(service), { scope: 'profile:read contact:write' });
  assert.equal(body.scope, 'profile:read');
  for (const [changes, error] of [
    [{ resource: service.baseUrl }, 'invalid_target'],
    [{ resource: 'https://evil.example' }, 'invalid_target'],
    [{ scope: 'profile:read contact:write' }, 'invalid_scope'],
    [{ scope: 'contact:write' }, 'invalid_scope'],
  ] as const) {
    const { clientId, refresh: token } = await tokensOf(service, { resource: mcp });
    assert.deepEqual(errorOf(await refresh(service, clientId, token, changes)), [400, error], JSON.stringify(changes));
  }
  const wider = await tokensOf(service, { scope: 'profile:read contact:write' });
  const { body: narrowed } = await refresh(service, wider.clientId, wider.refresh, { scope: 'profile:read' });
  assert.equal(narrowed.scope, 'profile:read');
  // Asking for less once doesn't give up the rest (RFC 6749, section 6).
  const { body: again } = await refresh(service, wider.clientId, narrowed.refresh_token!);
  assert.equal(again.scope, 'profile:read contact:write');
});

test('words in a scope that mean nothing here get nothing, and the scope of /auth/token is not for clients', async (t) => {
  const service = await openOauthService(t);
  for (const scope of ['profile', 'openid email offline_access', 'desk', '*', 'profile:read profile', 'PROFILE:READ']) {
    const { access } = await tokensOf(service, { scope });
    assert.equal(decode(access.split('.')[1]!).scope, 'profile:read', scope);
  }
});

test('a token of a client that is altered or signed by anybody else is refused', async (t) => {
  const service = await openOauthService(t);
  const { access } = await tokensOf(service, { resource: `${service.baseUrl}/mcp` });
  const [head = '', body = '', signature = ''] = access.split('.');
  const [header, claims] = [decode(head), decode(body)];
  assert.deepEqual([header.alg, header.typ], ['EdDSA', 'at+jwt']);
  const { privateKey } = generateKeyPairSync('ed25519');
  const jwks = (await (await service.fetch(`${service.baseUrl}/.well-known/jwks.json`)).json()) as {
    keys: { x: string }[];
  };
  const bySecret = (text: string) =>
    createHmac('sha256', Buffer.from(jwks.keys[0]!.x, 'base64url')).update(text).digest('base64url');
  const byAnother = (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64url');
  const forge = (changes: object, wishes: object, signed: (text: string) => string) => {
    const text = `${encode({ ...header, ...changes })}.${encode({ ...claims, ...wishes })}`;
    return `${text}.${signed(text)}`;
  };
  for (const forged of [
    forge({ alg: 'none' }, {}, () => ''),
    forge({ alg: 'HS256' }, {}, bySecret),
    forge({}, {}, byAnother),
    forge({ kid: 'another' }, {}, byAnother),
    forge({ typ: 'JWT' }, {}, () => signature),
    forge({ typ: 'at+jwt', jku: 'https://evil.example/jwks.json' }, {}, () => signature),
    forge({}, { aud: service.baseUrl }, () => signature),
    forge({}, { scope: 'profile' }, () => signature),
    forge({}, { scope: 'profile:read contact:write' }, () => signature),
    forge({}, { sub: 'owner@example.org' }, () => signature),
    forge({}, { exp: 4_102_444_800 }, () => signature),
  ])
    assert.deepEqual(await statusesOf(service, forged), [401, 401], forged);
  assert.deepEqual(await statusesOf(service, access), [401, 200]);
});

test('neither a code, a refresh token nor a client id is a bearer token', async (t) => {
  const service = await openOauthService(t);
  const { clientId, refresh: token } = await tokensOf(service);
  const { code } = await codeOf(service);
  for (const text of [clientId, token, code]) assert.deepEqual(await statusesOf(service, text), [401, 401]);
});

test('a token of /auth/token does all that it did before there were clients', async (t) => {
  const service = await openOauthService(t, { MCP_MUTATIONS: 'true' });
  const answer = await service.fetch(`${service.baseUrl}/auth/token`, postJson({ email: 'ada@example.org' }));
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const { scope, aud } = decode(token.split('.')[1]!);
  assert.deepEqual([scope, aud], ['profile', service.baseUrl]);
  assert.deepEqual(await statusesOf(service, token), [200, 200]);
  const posted = await service.fetch(
    `${service.baseUrl}/contact`,
    postJson(message, { authorization: `Bearer ${token}` }),
  );
  assert.equal(posted.status, 201);
  assert.match(await (await service.callTool(token, 'create_contact', message)).text(), /received/);
});

test('a client that may not write is told by 403 which scopes to ask for: over REST, and over MCP in both revisions', async (t) => {
  const service = await openOauthService(t, { MCP_MUTATIONS: 'true' });
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
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), options));
    await assert.rejects(client.callTool({ name: 'create_contact', arguments: message }), era);
    const { isError } = await client.callTool({ name: 'get_candidate', arguments: {} });
    assert.ok(!isError, era);
    await client.close();
    assert.deepEqual(challenges, [challenge('/mcp')], era);
  }
  assert.deepEqual(service.rows('select id from contacts'), []);
});

test('a batch does not get past the scope of a token', async (t) => {
  const service = await openOauthService(t, { MCP_MUTATIONS: 'true' });
  const { access } = await tokensOf(service);
  const call = (id: number, name: string, args: object) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const headers = {
    authorization: `Bearer ${access}`,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-03-26',
  };
  const batch = [call(1, 'get_candidate', {}), call(2, 'create_contact', message)];
  const response = await service.fetch(`${service.baseUrl}/mcp`, postJson(batch, headers));
  assert.doesNotMatch(await response.text(), /received/);
  assert.deepEqual(service.rows('select id from contacts'), []);
});

test('a client that is allowed to write alone reads nothing', async (t) => {
  const service = await openOauthService(t);
  const { access } = await tokensOf(service, { scope: 'contact:write' });
  assert.deepEqual(await statusesOf(service, access), [403, 403]);
  const headers = { authorization: `Bearer ${access}`, accept: 'application/json, text/event-stream' };
  const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'profile://candidate' } };
  assert.equal((await service.fetch(`${service.baseUrl}/mcp`, postJson(read, headers))).status, 403);
});

for (const [MCP_MUTATIONS, overMcp, promise] of [
  ['true', 'profile:read contact:write', /asks to read this profile, and to write to/],
  ['false', 'profile:read', /asks to read this profile<\/h1>[\s\S]*It cannot write to/],
] as const)
  test(`with MCP_MUTATIONS=${MCP_MUTATIONS} clients of MCP are offered, asked for, promised and granted ${overMcp}; those of REST may write`, async (t) => {
    const service = await openOauthService(t, { MCP_MUTATIONS });
    const offered = async (path: string) => {
      const metadata = (await (await service.fetch(`${service.baseUrl}/.well-known/${path}`)).json()) as {
        scopes_supported: string[];
      };
      return metadata.scopes_supported.join(' ');
    };
    assert.equal(await offered('oauth-protected-resource/mcp'), overMcp);
    assert.equal(await offered('oauth-protected-resource'), 'profile:read contact:write');
    for (const path of ['oauth-authorization-server', 'openid-configuration/mcp'])
      assert.equal(await offered(path), overMcp, path);

    const resource = `${service.baseUrl}/mcp`;
    const scope = 'profile:read contact:write';
    const { body } = await service.register();
    const browser = browserOf(service.fetch, service.baseUrl);
    const page = await browser.open(authorizationUrl(service, String(body.client_id), { resource, scope }));
    const consent = await browser.send(page, { email: 'ada@example.org', step: 'address' });
    assert.match(consent.text, promise);
    const mcp = await tokensOf(service, { resource, scope });
    assert.equal(mcp.scope, overMcp);
    const { body: renewed } = await refresh(service, mcp.clientId, mcp.refresh, { resource, scope });
    assert.equal(renewed.scope, overMcp);
    assert.equal((await tokensOf(service, { scope })).scope, scope);
  });

test('what a client was granted over MCP is less, from its next refresh on, when mutations are turned off', async (t) => {
  const folder = newFolder(t);
  const DATA_DIR = folder;
  const settings = await databaseSettings(folder);
  const before = await openOauthService(t, { ...settings, DATA_DIR, MCP_MUTATIONS: 'true' });
  const scope = 'profile:read contact:write';
  const { clientId, refresh: token } = await tokensOf(before, { scope, resource: `${before.baseUrl}/mcp` });
  const after = await openOauthService(t, { ...settings, DATA_DIR, MCP_MUTATIONS: 'false' });
  const { status, body } = await refresh(after, clientId, token);
  assert.deepEqual([status, body.scope], [200, 'profile:read']);
});

test('a wider consent takes the place of the narrower one: what that got has ended', async (t) => {
  const service = await openOauthService(t);
  const { body } = await service.register();
  const clientId = String(body.client_id);
  const browser = browserOf(service.fetch, service.baseUrl);
  const allowed = async (changes: Record<string, string>) => {
    const back = await allow(browser, authorizationUrl(service, clientId, changes));
    return (await exchange(service, { clientId, code: back.searchParams.get('code')! })).body;
  };
  const narrow = await allowed({});
  assert.equal(narrow.scope, 'profile:read');
  const wide = await allowed({ scope: 'profile:read contact:write' });
  assert.equal(wide.scope, 'profile:read contact:write');
  assert.deepEqual(errorOf(await refresh(service, clientId, narrow.refresh_token!)), [400, 'invalid_grant']);
  const { body: renewed } = await refresh(service, clientId, wide.refresh_token!);
  assert.equal(renewed.scope, 'profile:read contact:write');
});
