import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byAddress } from '../../../src/model/visitor.ts';
import { scaled } from '../../support/figures.ts';
import { browserOf, redirectUri } from '../../support/oauth.ts';
import { authorizationUrl } from '../../support/oauth-flow.ts';
import { openOauthService } from '../../support/oauth-service.ts';
import { postJson } from '../../support/post-json.ts';

const service = await openOauthService({ after });
const clients = () => service.rows('select id from oauth_clients').length;

const day = 24 * 60 * 60 * 1_000;

/** Erases what has expired at an instant, as the service does each hour. */
const eraseAt = ({ opened }: typeof service, at: number) =>
  opened().store.expiry.erase(new Date(at), { contacts: null, mail: new Date(0), reads: new Date(0) });

test('of thousands of registrations, 20 a network and 500 in all are stored in an hour [TRUST-57]', async (t) => {
  const limited = await openOauthService(t, { LIMITS: '1' });
  const [networks, each] = scaled([250, 25], [27, 21]);
  let stored = 0;
  for (let network = 0; network < networks!; network += 1) {
    const statuses = [];
    // Of an IPv6 network each address is the same one.
    const from = (n: number) => limited.from(network === 0 ? `2001:db8::${n + 1}` : `198.51.100.${network}`);
    for (let count = 0; count < each!; count += 1) statuses.push((await from(count).register()).status);
    const allowed = Math.min(20, 500 - stored);
    assert.deepEqual(
      statuses,
      [...Array(allowed).fill(201), ...Array(each! - allowed).fill(429)],
      `network ${network}`,
    );
    stored += allowed;
  }
  assert.deepEqual(limited.rows('select count(*) as count from oauth_clients'), [{ count: 500 }]);
  // An hour later, as the store has it.
  limited.rows('delete from quota_windows');
  assert.equal((await limited.register()).status, 201);
  await eraseAt(limited, Date.now() + day + 60_000);
  assert.deepEqual(limited.rows('select count(*) as count from oauth_clients'), [{ count: 0 }]);
});

test('a registration that is refused says which fields are wrong, repeats nothing, and stores nothing', async () => {
  const before = clients();
  const marker = 'evil-marker';
  for (const metadata of [
    { redirect_uris: [redirectUri], client_name: `${marker}\u0000` },
    { redirect_uris: [redirectUri], client_name: `${marker}\nBcc: x@example.org` },
    { redirect_uris: [redirectUri], client_name: `${marker}\ud800` },
    { redirect_uris: [redirectUri], client_name: 'a'.repeat(201) },
    { redirect_uris: [redirectUri], client_name: '\u200b\u2060' },
    { redirect_uris: [redirectUri], client_name: { toString: marker } },
    { redirect_uris: [] },
    { redirect_uris: Array.from({ length: 11 }, (_, index) => `https://reader.example/${index}`) },
    { redirect_uris: [`https://reader.example/${'a'.repeat(2_000)}`] },
    { redirect_uris: { 0: redirectUri } },
    { redirect_uris: [`${marker}:`] },
    { [marker]: true },
    [marker],
    marker,
    null,
  ]) {
    const { status, body } = await service.register(metadata);
    assert.equal(status, 400, JSON.stringify(metadata).slice(0, 80));
    assert.doesNotMatch(JSON.stringify(body), new RegExp(marker));
  }
  assert.equal(clients(), before);
});

test('a registration body that is not JSON, too deep, too large, or of another type is refused', async () => {
  const statusOf = async (body: string, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
    return (await service.fetch(`${service.baseUrl}/oauth/register`, init)).status;
  };
  const valid = JSON.stringify({ redirect_uris: [redirectUri] });
  assert.equal(await statusOf(''), 400);
  assert.equal(await statusOf('['.repeat(16_000)), 400);
  assert.equal(await statusOf(`{"redirect_uris":${'['.repeat(8_000)}${']'.repeat(8_000)}}`), 400);
  assert.equal(await statusOf(JSON.stringify({ redirect_uris: [redirectUri], padding: 'a'.repeat(17_000) })), 413);
  assert.equal(await statusOf(valid, { 'content-type': 'text/plain' }), 415);
  assert.equal(await statusOf(valid, { 'content-encoding': 'gzip' }), 415);
  // What JavaScript would take for more than a field is one.
  assert.equal(await statusOf(`{"__proto__":{"client_name":"x"},"redirect_uris":["${redirectUri}"]}`), 201);
});

test('a client is public; of it are stored its name, its addresses and whether it renews tokens', async () => {
  const ignored = {
    ...{ client_id: 'https://claude.ai/client.json', client_secret: 'secret', scope: 'openid everything' },
    ...{ token_endpoint_auth_method: 'client_secret_basic', id_token_signed_response_alg: 'none' },
    ...{ logo_uri: 'http://169.254.169.254/logo.png', policy_uri: 'javascript:alert(1)', jwks: { keys: [] } },
    ...{ jwks_uri: 'http://127.0.0.1/', sector_identifier_uri: 'http://127.0.0.1/', contacts: ['ada@example.org'] },
    ...{ require_pushed_authorization_requests: true, application_type: 'web', response_types: ['token', 'code'] },
  };
  const grant_types = ['authorization_code', 'refresh_token', 'client_credentials', 'implicit'];
  const shown = { client_name: 'Reader', redirect_uris: [redirectUri] };
  const { status, body } = await service.register({ ...ignored, ...shown, grant_types });
  assert.equal(status, 201);
  const { client_id, client_id_issued_at, ...rest } = body;
  assert.match(String(client_id), /^[\w-]{43}$/);
  const expected = {
    ...shown,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    id_token_signed_response_alg: 'EdDSA',
    require_auth_time: false,
    subject_type: 'public',
  };
  assert.deepEqual(rest, expected);
  const [row] = service.rows(`select metadata from oauth_clients where id = '${client_id}'`);
  assert.deepEqual(JSON.parse(String(row!.metadata)), { client_id, client_id_issued_at, ...expected });
});

test('a client whose header has a token that has ended cannot register, and is told why', async () => {
  const issued = await service.fetch(`${service.baseUrl}/auth/token`, postJson({ email: 'ended@example.org' }));
  const { access_token: token } = (await issued.json()) as { access_token: string };
  const posted = postJson({ redirect_uris: [redirectUri] }, { authorization: `Bearer ${token}` });
  const register = () => service.fetch(`${service.baseUrl}/oauth/register`, posted);
  assert.equal((await register()).status, 201);
  await service.opened().tokens.revoke({ kind: 'subject', subject: byAddress('ended@example.org') });
  const refused = await register();
  assert.equal(refused.status, 401);
  assert.match(refused.headers.get('www-authenticate')!, /^Bearer realm="candidate-profile", error="invalid_token"/);
  assert.deepEqual(await refused.json(), {
    error: 'invalid_token',
    error_description:
      'The token in the Authorization header has expired or was revoked. Put a new one in its place, or remove the header to sign in.',
  });
});

test('a network that begins requests without end is refused more for a minute; others are not [TRUST-68]', async (t) => {
  const limited = await openOauthService(t, { LIMITS: '0.1' });
  const url = authorizationUrl(limited, String((await limited.register()).body.client_id));
  const statuses = [];
  for (let n = 0; n < 8; n += 1) statuses.push((await limited.from('198.51.100.7').fetch(url)).status);
  assert.deepEqual(statuses, [...Array(6).fill(303), 429, 429]);
  const browser = browserOf(limited.from('198.51.100.8').fetch, limited.baseUrl);
  // The return from the page does not count as a new request.
  const { url: back } = await browser.send(await browser.open(url), { step: 'deny' });
  assert.equal(back.searchParams.get('error'), 'access_denied');
  assert.deepEqual(limited.rows('select count(*) as count from oauth_records'), [{ count: 6 }]);
});

test('a state of more than 2 KB is refused on a page that says so, and nothing of it is stored [TRUST-68]', async () => {
  const clientId = String((await service.register()).body.client_id);
  const browser = browserOf(service.fetch, service.baseUrl);
  const open = (state: string) => browser.open(authorizationUrl(service, clientId, { state }));
  const stored = () => service.rows('select id from oauth_records').length;
  const before = stored();
  for (const state of ['s'.repeat(2_049), 'ä'.repeat(1_025), 's'.repeat(14_500)]) {
    const { response, text } = await open(state);
    assert.equal(response.status, 400);
    assert.match(text, /For its developers: invalid_request: state is longer than 2048 bytes/);
    assert.ok(text.length < 10_000);
  }
  assert.equal(stored(), before);
  const longest = 's'.repeat(2_048);
  const { url } = await browser.send(await open(longest), { step: 'deny' });
  assert.equal(url.searchParams.get('state'), longest);
});

test('a return from a request that nobody has answered begins no other, however many come at once [TRUST-68]', async (t) => {
  const own = await openOauthService(t);
  const page = await own.fetch(authorizationUrl(own, String((await own.register()).body.client_id)));
  const cookie = page.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  const id = page.headers.get('location')!.split('/').at(-1);
  const returned = Array.from({ length: 20 }, () =>
    own.fetch(`${own.baseUrl}/oauth/authorize/${id}`, { headers: { cookie: cookie.join('; ') } }),
  );
  const locations = (await Promise.all(returned)).flatMap(({ headers }) => headers.get('location') ?? []);
  assert.ok(locations.length > 0);
  for (const location of locations) assert.equal(new URL(location).searchParams.get('error'), 'access_denied');
  assert.deepEqual(own.rows('select id from oauth_records'), []);
});
