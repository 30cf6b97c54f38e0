import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientId as documentId, documentOf, openNetwork } from '../../support/client-document.ts';
import { allow, browserOf } from '../../support/oauth.ts';
import { authorizationUrl, errorOf, exchange, refresh, type Service, tokensOf } from '../../support/oauth-flow.ts';
import { openOauthService } from '../../support/oauth-service.ts';
import { postJson } from '../../support/post-json.ts';
import { keyOf } from '../../support/store.ts';

const invalid = [400, 'invalid_grant'];

/** Asks to revoke a token as a client does. */
async function revoke({ fetch, baseUrl }: Service, fields: Record<string, string>) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://client.example' };
  const body = new URLSearchParams(fields).toString();
  const response = await fetch(`${baseUrl}/oauth/revoke`, { method: 'POST', headers, body });
  const text = await response.text();
  return { response, status: response.status, body: text === '' ? null : (JSON.parse(text) as Record<string, string>) };
}

test('the metadata name where clients end what they were allowed, and a page of any origin may', async (t) => {
  const service = await openOauthService(t);
  const metadata = await service.fetch(`${service.baseUrl}/.well-known/oauth-authorization-server`);
  const { revocation_endpoint, revocation_endpoint_auth_methods_supported } = (await metadata.json()) as Record<
    string,
    unknown
  >;
  assert.equal(revocation_endpoint, 'http://127.0.0.1:3000/oauth/revoke');
  assert.deepEqual(revocation_endpoint_auth_methods_supported, ['none']);
  const preflight = await service.fetch(String(revocation_endpoint), { method: 'OPTIONS' });
  assert.equal(preflight.headers.get('access-control-allow-methods'), 'POST, OPTIONS');
  const { response } = await revoke(service, { client_id: 'client', token: 'unknown' });
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
  assert.equal(response.headers.get('cache-control'), 'no-store');
});

test('a client that signs out with its refresh token, the latest or an earlier one, ends what it was allowed, with its access tokens', async (t) => {
  const service = await openOauthService(t);
  for (const which of ['latest', 'earlier'] as const) {
    const { clientId, refresh: first } = await tokensOf(service);
    const { body } = await refresh(service, clientId, first);
    const token = which === 'latest' ? body.refresh_token! : first;
    const answer = await revoke(service, { client_id: clientId, token, token_type_hint: 'refresh_token' });
    assert.deepEqual([answer.status, answer.body], [200, null]);
    assert.equal(await service.get('/candidate', body.access_token!), 401);
    for (const each of [first, body.refresh_token!])
      assert.deepEqual(errorOf(await refresh(service, clientId, each)), invalid);
    assert.deepEqual(await service.opened().store.oauth.grants.listUnexpired(new Date()), []);
  }
});

test('an access token that its client revokes ends alone, whatever its audience: the client can renew it', async (t) => {
  const service = await openOauthService(t);
  for (const resource of [`${service.baseUrl}/mcp`, service.baseUrl]) {
    const { clientId, access, refresh: token } = await tokensOf(service, { resource });
    const answer = await revoke(service, { client_id: clientId, token: access, token_type_hint: 'refresh_token' });
    assert.equal(answer.status, 200);
    assert.equal((await service.callTool(access, 'get_candidate')).status, 401);
    const { status, body } = await refresh(service, clientId, token);
    assert.equal(status, 200);
    assert.equal((await service.callTool(body.access_token!, 'get_candidate')).status, 200);
  }
});

test('a token that is unknown or has ended is answered 200; one of another client is refused, and stays', async (t) => {
  const service = await openOauthService(t);
  const { body: other } = await service.register();
  const { clientId, access, refresh: token } = await tokensOf(service);
  for (const text of ['unknown', 'a.b.c', `${access}x`, `${token}x`])
    assert.deepEqual((await revoke(service, { client_id: clientId, token: text })).status, 200, text);
  const { access_token: own } = (await (
    await service.fetch(`${service.baseUrl}/auth/token`, postJson({ email: 'ada@example.org' }))
  ).json()) as { access_token: string };
  for (const [client_id, text] of [
    [String(other.client_id), access],
    [String(other.client_id), token],
    [clientId, own],
    ['auth-token', own],
  ] as const) {
    const { status, body } = await revoke(service, { client_id, token: text });
    assert.deepEqual([status, body?.error], invalid);
  }
  for (const fields of [{ client_id: clientId }, { token }, { client_id: '', token }] as Record<string, string>[]) {
    const { status, body } = await revoke(service, fields);
    assert.deepEqual([status, body?.error], [400, 'invalid_request'], JSON.stringify(fields));
  }
  assert.equal(await service.get('/candidate', own), 200);
  assert.equal(await service.get('/candidate', access), 200);
  assert.equal((await refresh(service, clientId, token)).status, 200);
  await revoke(service, { client_id: clientId, token });
  assert.equal((await revoke(service, { client_id: clientId, token })).status, 200);
});

test('over its limit a client gets an error of OAuth with when to try again: for tokens, registration and revocation', async (t) => {
  const service = await openOauthService(t, { LIMITS: '1' });
  const calls: Record<string, () => Promise<Response>> = {
    token: () =>
      service.fetch(`${service.baseUrl}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=refresh_token&refresh_token=x&client_id=y',
      }),
    revoke: async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = 'token=x&client_id=y';
      return service.fetch(`${service.baseUrl}/oauth/revoke`, { method: 'POST', headers, body });
    },
    register: () =>
      service.fetch(`${service.baseUrl}/oauth/register`, postJson({ redirect_uris: ['http://127.0.0.1/callback'] })),
  };
  for (const [name, call] of Object.entries(calls)) {
    let response = await call();
    for (let count = 0; count < 60 && response.status !== 429; count += 1) response = await call();
    assert.equal(response.status, 429, name);
    const { error, error_description } = (await response.json()) as Record<string, string>;
    assert.equal(error, 'too_many_requests', name);
    assert.match(String(error_description), /^Too many requests/, name);
    assert.match(response.headers.get('retry-after')!, /^\d+$/, name);
    assert.equal(response.headers.get('access-control-allow-origin'), '*', name);
  }
});

/** Lets a visitor allow a client, and gets its tokens. */
async function connect(service: Service, clientId: string, email: string) {
  const back = await allow(browserOf(service.fetch, service.baseUrl), authorizationUrl(service, clientId), email);
  const { body } = await exchange(service, { clientId, code: back.searchParams.get('code')! });
  return { access: body.access_token!, refresh: body.refresh_token! };
}

test('a visitor who allows a client again has one grant: the tokens of the one before end, those of others stay', async (t) => {
  const service = await openOauthService(t);
  const [clientId, otherId] = [(await service.register()).body, (await service.register()).body].map(({ client_id }) =>
    String(client_id),
  );
  const first = await connect(service, clientId!, 'ada@example.org');
  const others = [
    await connect(service, otherId!, 'ada@example.org'),
    await connect(service, clientId!, 'grace@example.org'),
  ];
  const second = await connect(service, clientId!, 'Ada@Example.ORG');
  const unexpired = await service
    .opened()
    .store.oauth.grants.listUnexpired(new Date(), { canonical_subject: keyOf('ada@example.org') });
  assert.deepEqual(unexpired.map((grant) => grant.clientId).sort(), [clientId, otherId].sort());
  await service.opened().tokens.refresh();
  assert.equal(await service.get('/candidate', first.access), 401);
  assert.deepEqual(errorOf(await refresh(service, clientId!, first.refresh)), invalid);
  for (const { access } of [second, ...others]) assert.equal(await service.get('/candidate', access), 200);
});

test('a stranger who types the address of a visitor does not end what a client with a document was allowed: all have the same id', async (t) => {
  const { network } = await openNetwork(t, ['93.184.215.14'], () => ({ body: documentOf() }));
  const service = await openOauthService(t, {}, network);
  const first = await connect(service, documentId, 'ada@example.org');
  await connect(service, documentId, 'ada@example.org');
  await service.opened().tokens.refresh();
  assert.equal(await service.get('/candidate', first.access), 200);
});
