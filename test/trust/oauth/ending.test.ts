import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byAddress } from '../../../src/model/visitor.ts';
import { invokerFor } from '../../../src/operations/owner/operation.ts';
import { eraseVisitor } from '../../../src/operations/owner/visitors.ts';
import { clientId as documentId, documentOf, openNetwork } from '../../support/client-document.ts';
import { allow, browserOf } from '../../support/oauth.ts';
import { authorizationUrl, codeOf, errorOf, exchange, refresh, type Service, tokensOf } from '../../support/oauth-flow.ts'; // biome-ignore format: one line
import { openOauthService } from '../../support/oauth-service.ts';
import { postJson } from '../../support/post-json.ts';

const service = await openOauthService({ after });
const invalid = [400, 'invalid_grant'];
const ada = 'ada@example.org';

/** Asks to revoke a token as a client does. */
async function revoke({ fetch, baseUrl }: Service, fields: Record<string, string>) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://client.example' };
  const body = new URLSearchParams(fields).toString();
  const response = await fetch(`${baseUrl}/oauth/revoke`, { method: 'POST', headers, body });
  const text = await response.text();
  return { response, status: response.status, body: text === '' ? null : (JSON.parse(text) as Record<string, string>) };
}

/** Lets a visitor allow a client, and gets its tokens. */
async function connect(one: Service, clientId: string, email: string) {
  const back = await allow(browserOf(one.fetch, one.baseUrl), authorizationUrl(one, clientId), email);
  const { body } = await exchange(one, { clientId, code: back.searchParams.get('code')! });
  return { access: body.access_token!, refresh: body.refresh_token! };
}

test('a page of any origin may revoke, where the metadata say so', async () => {
  const metadata = await service.fetch(`${service.baseUrl}/.well-known/oauth-authorization-server`);
  const server = (await metadata.json()) as Record<string, unknown>;
  assert.equal(server.revocation_endpoint, `${service.baseUrl}/oauth/revoke`);
  assert.deepEqual(server.revocation_endpoint_auth_methods_supported, ['none']);
  const { response } = await revoke(service, { client_id: 'client', token: 'unknown' });
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
});

test('a client that revokes a refresh token, the latest or an earlier one, ends all that it was allowed', async () => {
  for (const which of ['latest', 'earlier'] as const) {
    const { clientId, refresh: first } = await tokensOf(service);
    const { body } = await refresh(service, clientId, first);
    const token = which === 'latest' ? body.refresh_token! : first;
    const answer = await revoke(service, { client_id: clientId, token, token_type_hint: 'refresh_token' });
    assert.deepEqual([answer.status, answer.body], [200, null]);
    assert.equal(await service.get('/candidate', body.access_token!), 401);
    for (const each of [first, body.refresh_token!])
      assert.deepEqual(errorOf(await refresh(service, clientId, each)), invalid);
  }
});

test('an access token that its client revokes ends alone, whatever its audience: the client can renew it', async () => {
  for (const resource of [`${service.baseUrl}/mcp`, service.baseUrl]) {
    const { clientId, access, refresh: token } = await tokensOf(service, { resource });
    const answer = await revoke(service, { client_id: clientId, token: access, token_type_hint: 'refresh_token' });
    assert.equal(answer.status, 200);
    assert.equal((await service.callTool(access, 'get_candidate')).status, 401);
    const { body } = await refresh(service, clientId, token);
    assert.equal((await service.callTool(body.access_token!, 'get_candidate')).status, 200);
  }
});

test('a token that is unknown or has ended is answered 200; one of another client is refused, and stays', async () => {
  const other = String((await service.register()).body.client_id);
  const { clientId, access, refresh: token } = await tokensOf(service);
  for (const text of ['unknown', 'a.b.c', `${access}x`, `${token}x`])
    assert.equal((await revoke(service, { client_id: clientId, token: text })).status, 200, text);
  const issued = await service.fetch(`${service.baseUrl}/auth/token`, postJson({ email: ada }));
  const { access_token: own } = (await issued.json()) as { access_token: string };
  for (const [client_id, text] of [
    [other, access],
    [other, token],
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
  for (const each of [own, access]) assert.equal(await service.get('/candidate', each), 200);
  assert.equal((await refresh(service, clientId, token)).status, 200);
  for (let times = 0; times < 2; times += 1)
    assert.equal((await revoke(service, { client_id: clientId, token })).status, 200);
});

test('over its limit a client is told when to try again, as OAuth says, at each address; others are not', async (t) => {
  const limited = await openOauthService(t, { LIMITS: '0.1' });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const [path, init] of [
    ['token', { method: 'POST', headers, body: 'grant_type=refresh_token&refresh_token=x&client_id=y' }],
    ['revoke', { method: 'POST', headers, body: 'token=x&client_id=y' }],
    ['register', postJson({ redirect_uris: ['http://127.0.0.1/callback'] })],
  ] as const) {
    const call = (one: Pick<Service, 'fetch'>) => one.fetch(`${limited.baseUrl}/oauth/${path}`, init);
    let response = await call(limited);
    for (let count = 0; count < 7 && response.status !== 429; count += 1) response = await call(limited);
    assert.equal(response.status, 429, path);
    const { error, error_description } = (await response.json()) as Record<string, string>;
    assert.equal(error, 'too_many_requests', path);
    assert.match(String(error_description), /^Too many requests/, path);
    assert.match(response.headers.get('retry-after')!, /^\d+$/, path);
    assert.equal(response.headers.get('access-control-allow-origin'), '*', path);
    assert.notEqual((await call(limited.from('198.51.100.8'))).status, 429, path);
  }
});

test('a visitor who allows a client again has one grant: the tokens of the one before end, no others', async () => {
  const [clientId, otherId] = [(await service.register()).body, (await service.register()).body].map(({ client_id }) =>
    String(client_id),
  );
  const first = await connect(service, clientId!, ada);
  const others = [await connect(service, otherId!, ada), await connect(service, clientId!, 'grace@example.org')];
  const second = await connect(service, clientId!, 'Ada@Example.ORG');
  await service.opened().tokens.refresh();
  assert.equal(await service.get('/candidate', first.access), 401);
  assert.deepEqual(errorOf(await refresh(service, clientId!, first.refresh)), invalid);
  for (const { access } of [second, ...others]) assert.equal(await service.get('/candidate', access), 200);
});

test('a stranger who types the address of a visitor does not end what a client with a document was allowed', async (t) => {
  const { network } = await openNetwork(t, ['93.184.215.14'], () => ({ body: documentOf() }));
  const own = await openOauthService(t, {}, network);
  const first = await connect(own, documentId, ada);
  // All clients with this document have the same id.
  await connect(own, documentId, ada);
  await own.opened().tokens.refresh();
  assert.equal(await own.get('/candidate', first.access), 200);
});

type Ended = Awaited<ReturnType<typeof openOauthService>>;

/** How what a visitor allowed comes to an end. */
const ends: Record<string, (one: Ended) => Promise<unknown>> = {
  'revoking the address': ({ opened }) =>
    opened().tokens.revoke({ kind: 'subject', subject: byAddress('ADA@Example.ORG') }),
  'revoking all tokens': ({ opened }) => opened().tokens.revoke({ kind: 'all' }),
  'erasing the visitor': ({ opened }) => invokerFor(opened().owner)(eraseVisitor, { visitor: byAddress(ada) }),
};

for (const [title, end] of Object.entries(ends)) {
  test(`${title} ends codes, requests under way, access and refresh tokens, in one transaction`, async (t) => {
    const own = await openOauthService(t);
    const granted = await codeOf(own, {}, ada);
    const tokens = await tokensOf(own, {}, ada);
    const browser = browserOf(own.fetch, own.baseUrl);
    const page = await browser.open(authorizationUrl(own, String((await own.register()).body.client_id)));
    const consent = await browser.send(page, { email: ada, step: 'address' });
    await end(own);
    const left = title === 'erasing the visitor' ? ['oauth_grants', 'issued_tokens', 'outbox'] : [];
    for (const table of ['oauth_records', ...left]) assert.deepEqual(own.rows(`select * from ${table}`), [], table);
    assert.equal(await own.get('/candidate', tokens.access), 401);
    assert.deepEqual(errorOf(await exchange(own, granted)), invalid);
    assert.deepEqual(errorOf(await refresh(own, tokens.clientId, tokens.refresh)), invalid);
    assert.equal((await browser.send(consent, { step: 'allow' })).response.status, 404);
    const again = await tokensOf(own, {}, ada);
    assert.equal(await own.get('/candidate', again.access), 200);
  });

  test(`${title} while codes are exchanged and tokens renewed leaves none that works`, async (t) => {
    const own = await openOauthService(t);
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(own, {}, ada)));
    const tokens = await Promise.all([1, 2, 3].map(() => tokensOf(own, {}, ada)));
    const [answers] = await Promise.all([
      Promise.all([
        ...codes.map((granted) => exchange(own, granted)),
        ...tokens.map(({ clientId, refresh: token }) => refresh(own, clientId, token)),
      ]),
      end(own),
    ]);
    await own.opened().tokens.refresh();
    const clients = [...codes, ...tokens].map(({ clientId }) => clientId);
    for (const [index, { status, body }] of answers.entries()) {
      assert.ok(status === 200 || body.error === 'invalid_grant', JSON.stringify(body));
      if (status !== 200) continue;
      assert.equal(await own.get('/candidate', body.access_token!), 401);
      assert.deepEqual(errorOf(await refresh(own, clients[index]!, body.refresh_token!)), invalid);
    }
    assert.deepEqual(own.rows('select id from oauth_records where grant_id is not null'), []);
  });
}
