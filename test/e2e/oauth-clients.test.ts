import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byAddress } from '../../src/model/visitor.ts';
import { type Answer, clientId, documentOf, openNetwork } from '../support/client-document.ts';
import { type ClientMemory, redirectUri } from '../support/oauth.ts';
import { openOauthService } from '../support/oauth-service.ts';
import { postJson } from '../support/post-json.ts';

test('a client that has a document at its own address connects without registering', async (t) => {
  const { network, connections } = await openNetwork(t, ['93.184.215.14'], () => ({ body: documentOf() }));
  const service = await openOauthService(t, {}, network);
  const memory: ClientMemory = {};
  const client = await service.connect(memory, { metadataUrl: clientId });
  await client.close();
  assert.equal((memory.client as { client_id: string }).client_id, clientId);
  assert.deepEqual(service.rows('select client_id, client_name from oauth_grants'), [
    { client_id: clientId, client_name: 'Reader' },
  ]);
  assert.deepEqual(service.rows('select id from oauth_clients'), []);
  assert.deepEqual(connections, ['93.184.215.14:443']);
});

test('the document of a client is asked for at its host, without a port in the name', async (t) => {
  const hosts: unknown[] = [];
  const { network } = await openNetwork(t, ['93.184.215.14'], (_path, host) => {
    hosts.push(host);
    return { body: documentOf() };
  });
  const service = await openOauthService(t, {}, network);
  assert.equal((await authorize(service, clientId)).status, 303);
  assert.deepEqual(hosts, ['localhost']);
});

const authorize = (service: Awaited<ReturnType<typeof openOauthService>>, id: string) =>
  service.fetch(
    `${service.baseUrl}/oauth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: id,
      redirect_uri: redirectUri,
      code_challenge: 'I6VJnq_ZE6Iew5Be1Pyh2Sfjknj0ULteaeVXZI-T6B8',
      code_challenge_method: 'S256',
    })}`,
    { headers: { accept: 'text/html' } },
  );

test('a document that is on this machine, in its network or at its provider is never asked for', async (t) => {
  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
  ]) {
    // One of several is enough: which one is connected to must not depend on luck.
    const { network, connections } = await openNetwork(t, ['93.184.215.14', address], () => ({ body: documentOf() }));
    const service = await openOauthService(t, {}, network);
    assert.equal((await authorize(service, clientId)).status, 400, address);
    assert.deepEqual(connections, [], address);
  }
});

test('an address of a document is not one by number, port, scheme or user name of somewhere else', async (t) => {
  const { network, connections } = await openNetwork(t, ['93.184.215.14'], () => ({ body: documentOf() }));
  const service = await openOauthService(t, {}, network);
  for (const id of [
    'https://127.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://2130706433/client.json',
    'https://localhost:8443/client.json',
    'http://localhost/client.json',
    'https://user@localhost/client.json',
    'https://localhost/a/../client.json',
    `https://localhost/${'a'.repeat(500)}`,
  ])
    assert.equal((await authorize(service, id)).status, 400, id);
  assert.deepEqual(connections, []);
});

test('a document that redirects, is too large, is of another client, or is none is refused', async (t) => {
  let answer: Answer = {};
  const { network } = await openNetwork(t, ['93.184.215.14'], () => answer);
  for (const wrong of [
    { status: 302, headers: { location: 'https://localhost/other.json' } },
    { body: documentOf({ padding: 'a'.repeat(40_000) }) },
    { body: documentOf({ client_id: 'https://localhost/other.json' }) },
    { body: documentOf({ redirect_uris: ['https://evil.example/callback'] }) },
    { body: documentOf({ redirect_uris: ['javascript:alert(1)'] }) },
    { body: documentOf({ client_name: 7 }) },
    { body: 'not JSON' },
  ]) {
    answer = wrong;
    const service = await openOauthService(t, {}, network);
    assert.equal((await authorize(service, clientId)).status, 400, JSON.stringify(wrong).slice(0, 100));
  }
  answer = { body: documentOf() };
  const service = await openOauthService(t, {}, network);
  assert.equal((await authorize(service, clientId)).status, 303);
});

test('a client that registers itself is public, and gets only what is offered', async (t) => {
  const service = await openOauthService(t);
  const { status, body } = await service.register({
    client_name: 'Reader',
    redirect_uris: ['https://reader.example/callback', 'com.example.reader:/callback', 'http://localhost:7/callback'],
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['authorization_code', 'implicit', 'password'],
    response_types: ['token'],
    scope: 'openid everything',
    application_type: 'web',
    jwks_uri: 'http://169.254.169.254/',
  });
  const { client_id, client_id_issued_at, ...rest } = body;
  assert.equal(status, 201);
  assert.deepEqual(rest, {
    client_name: 'Reader',
    redirect_uris: ['https://reader.example/callback', 'com.example.reader:/callback', 'http://localhost:7/callback'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    application_type: 'native',
    id_token_signed_response_alg: 'EdDSA',
    require_auth_time: false,
    subject_type: 'public',
  });
});

test('a registration that could send a visitor astray, or is too long, is refused', async (t) => {
  const service = await openOauthService(t);
  for (const metadata of [
    {},
    { redirect_uris: [] },
    { redirect_uris: ['http://evil.example/callback'] },
    { redirect_uris: ['javascript:alert(1)'] },
    { redirect_uris: ['data:text/html,x'] },
    { redirect_uris: ['https://reader.example/callback#fragment'] },
    { redirect_uris: Array.from({ length: 11 }, (_, index) => `https://reader.example/${index}`) },
    { redirect_uris: [`https://reader.example/${'a'.repeat(2_000)}`] },
    { redirect_uris: [redirectUri], client_name: 'a'.repeat(201) },
    [],
    'text',
  ])
    assert.equal((await service.register(metadata)).status, 400, JSON.stringify(metadata).slice(0, 100));
  const large = await service.register({ redirect_uris: [redirectUri], padding: 'a'.repeat(20_000) });
  assert.equal(large.status, 413);
  assert.deepEqual(service.rows('select id from oauth_clients'), []);
});

test('a client with a token in its header that has ended cannot register, as it would go on sending the header: it is told what to do', async (t) => {
  const service = await openOauthService(t);
  const issued = await service.fetch(`${service.baseUrl}/auth/token`, postJson({ email: 'ada@example.org' }));
  const { access_token: token } = (await issued.json()) as { access_token: string };
  const posted = postJson({ redirect_uris: [redirectUri] }, { authorization: `Bearer ${token}` });
  const register = () => service.fetch(`${service.baseUrl}/oauth/register`, posted);
  assert.equal((await register()).status, 201);
  await service.opened().tokens.revoke({ kind: 'subject', subject: byAddress('ada@example.org') });
  const refused = await register();
  assert.equal(refused.status, 401);
  assert.match(refused.headers.get('www-authenticate')!, /^Bearer realm="candidate-profile", error="invalid_token"/);
  assert.deepEqual(await refused.json(), {
    error: 'invalid_token',
    error_description:
      'The token in the Authorization header has expired or was revoked. Put a new one in its place, or remove the header to sign in.',
  });
  assert.deepEqual(service.rows('select count(*) as count from oauth_clients'), [{ count: 1 }]);
});

test('a network that registers many clients is refused more for an hour', async (t) => {
  const service = await openOauthService(t, { LIMITS: '1' });
  const statuses = [];
  for (let count = 0; count < 22; count += 1) statuses.push((await service.register()).status);
  assert.deepEqual(statuses, [...Array.from({ length: 20 }, () => 201), 429, 429]);
});

test('clients that nobody uses are forgotten after a day, used ones are not', async (t) => {
  const service = await openOauthService(t);
  await service.register();
  await (await service.connect({})).close();
  service.rows("update oauth_clients set registered_at = '2026-01-01T00:00:00.000Z'");
  const long = new Date(0);
  await service.opened().store.expiry.erase(new Date(), { contacts: null, mail: long, reads: long });
  const clients = service.rows(
    'select client.id = one.client_id as is_used from oauth_clients client, oauth_grants one',
  );
  assert.deepEqual(
    clients.map(({ is_used }) => Boolean(is_used)),
    [true],
  );
});
