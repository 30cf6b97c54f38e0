import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scaled } from '../../support/figures.ts';
import { browserOf, redirectUri } from '../../support/oauth.ts';
import { authorizationUrl } from '../../support/oauth-flow.ts';
import { openOauthService } from '../../support/oauth-service.ts';

const day = 24 * 60 * 60 * 1_000;

/** Erases what has expired at an instant, as the service does each hour. */
const eraseAt = ({ opened }: Awaited<ReturnType<typeof openOauthService>>, at: number) => {
  const long = new Date(0);
  return opened().store.expiry.erase(new Date(at), { contacts: null, mail: long, reads: long });
};

test('of thousands of registrations, 20 a network and 500 in all are stored in an hour; an honest client registers afterwards [TRUST-57]', async (t) => {
  const service = await openOauthService(t, { LIMITS: '1' });
  const [networks, each] = scaled([250, 25], [27, 21]);
  let stored = 0;
  for (let network = 0; network < networks!; network += 1) {
    const { register } = service.from(`198.51.100.${network}`);
    const statuses = [];
    for (let count = 0; count < each!; count += 1) statuses.push((await register()).status);
    const allowed = Math.min(20, 500 - stored);
    assert.deepEqual(
      statuses,
      [...Array(allowed).fill(201), ...Array(each! - allowed).fill(429)],
      `network ${network}`,
    );
    stored += allowed;
  }
  assert.deepEqual(service.rows('select count(*) as count from oauth_clients'), [{ count: 500 }]);
  // An hour later, as the store has it.
  service.rows('delete from quota_windows');
  assert.equal((await service.register()).status, 201);
  await eraseAt(service, Date.now() + day + 60_000);
  assert.deepEqual(service.rows('select count(*) as count from oauth_clients'), [{ count: 0 }]);
});

test('a registration that is refused says which fields to look at, and repeats nothing of it', async (t) => {
  const service = await openOauthService(t);
  const marker = 'evil-marker';
  for (const metadata of [
    { redirect_uris: [redirectUri], client_name: `${marker}\u0000` },
    { redirect_uris: [redirectUri], client_name: `${marker}\nBcc: x@example.org` },
    { redirect_uris: [redirectUri], client_name: `${marker}\u2028` },
    { redirect_uris: [redirectUri], client_name: `${marker}\ud800` },
    { redirect_uris: [redirectUri], client_name: marker.repeat(1_000) },
    { redirect_uris: [redirectUri], client_name: '   ' },
    { redirect_uris: [redirectUri], client_name: '\u200b\u2060' },
    { redirect_uris: [redirectUri], client_name: '' },
    { redirect_uris: [redirectUri], client_name: { toString: marker } },
    { redirect_uris: { 0: redirectUri } },
    { redirect_uris: [`${marker}:`] },
    { redirect_uris: [`http://${marker}.example/`] },
    { [marker]: true },
    [marker],
    marker,
    null,
  ]) {
    const { status, body } = await service.register(metadata);
    assert.equal(status, 400, JSON.stringify(metadata).slice(0, 80));
    assert.doesNotMatch(JSON.stringify(body), new RegExp(marker));
  }
  assert.deepEqual(service.rows('select id from oauth_clients'), []);
});

test('a registration body that is not JSON, too deep, too large, or of another type is refused and stores nothing', async (t) => {
  const service = await openOauthService(t);
  const statusOf = async (body: string, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
    return (await service.fetch(`${service.baseUrl}/oauth/register`, init)).status;
  };
  const valid = JSON.stringify({ redirect_uris: [redirectUri] });
  assert.equal(await statusOf(''), 400);
  assert.equal(await statusOf('{'), 400);
  assert.equal(await statusOf('['.repeat(16_000)), 400);
  assert.equal(await statusOf(`{"redirect_uris":${'['.repeat(8_000)}${']'.repeat(8_000)}}`), 400);
  assert.equal(await statusOf(JSON.stringify({ redirect_uris: [redirectUri], padding: 'a'.repeat(17_000) })), 413);
  assert.equal(await statusOf(valid, { 'content-type': 'text/plain' }), 415);
  assert.equal(await statusOf(valid, { 'content-type': 'application/x-www-form-urlencoded' }), 415);
  assert.equal(await statusOf(valid, { 'content-encoding': 'gzip' }), 415);
  assert.deepEqual(service.rows('select id from oauth_clients'), []);
  // What JavaScript would take for more than a field is one.
  assert.equal(await statusOf(`{"__proto__":{"client_name":"x"},"redirect_uris":["${redirectUri}"]}`), 201);
});

test('nothing of what a client says is stored but its name, its addresses and whether it renews tokens', async (t) => {
  const service = await openOauthService(t);
  const { status, body } = await service.register({
    client_id: 'https://claude.ai/client.json',
    client_secret: 'secret',
    token_endpoint_auth_method: 'client_secret_basic',
    client_name: 'Reader',
    'client_name#de': 'Leser',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 'implicit'],
    response_types: ['token', 'code'],
    client_uri: 'https://evil.example/',
    logo_uri: 'http://169.254.169.254/logo.png',
    policy_uri: 'javascript:alert(1)',
    tos_uri: 'https://evil.example/tos',
    jwks_uri: 'http://127.0.0.1/',
    jwks: { keys: [] },
    sector_identifier_uri: 'http://127.0.0.1/',
    software_statement: 'eyJhbGciOiJub25lIn0.e30.',
    contacts: ['ada@example.org'],
    initiate_login_uri: 'https://evil.example/',
    default_max_age: 1,
    require_pushed_authorization_requests: true,
    id_token_signed_response_alg: 'none',
    application_type: 'web',
  });
  assert.equal(status, 201);
  const { client_id, client_id_issued_at, ...rest } = body;
  assert.match(String(client_id), /^[\w-]{43}$/);
  const expected = {
    client_name: 'Reader',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    id_token_signed_response_alg: 'EdDSA',
    require_auth_time: false,
    subject_type: 'public',
  };
  assert.deepEqual(rest, expected);
  const [row] = service.rows('select metadata from oauth_clients');
  assert.deepEqual(JSON.parse(String(row!.metadata)), { client_id, client_id_issued_at, ...expected });
});

test('a client that forgets to be used is forgotten after a day: its next request is one of a client that is not known', async (t) => {
  const service = await openOauthService(t);
  const { body } = await service.register();
  const url = authorizationUrl(service, String(body.client_id));
  const statusOf = async () => (await browserOf(service.fetch, service.baseUrl).open(url)).response.status;
  await eraseAt(service, Date.now() + day - 60_000);
  assert.equal(await statusOf(), 200);
  await eraseAt(service, Date.now() + day + 60_000);
  assert.equal(await statusOf(), 400);
});

test('an IPv6 network is one however many of its addresses register', async (t) => {
  const service = await openOauthService(t, { LIMITS: '1' });
  const statuses = [];
  for (let host = 1; host <= 21; host += 1) statuses.push((await service.from(`2001:db8::${host}`).register()).status);
  assert.deepEqual(statuses, [...Array(20).fill(201), 429]);
});
