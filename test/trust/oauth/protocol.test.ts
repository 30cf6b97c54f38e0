import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allow, browserOf } from '../../support/oauth.ts';
import { authorizationUrl } from '../../support/oauth-flow.ts';
import { openOauthService } from '../../support/oauth-service.ts';

test('each redirect of a request is a 303, which repeats no form, names no address, and cannot be read by another site', async (t) => {
  const service = await openOauthService(t);
  const { body } = await service.register();
  const responses: Response[] = [];
  const asOtherSite = async (url: string | URL, init?: RequestInit) => {
    const headers = { ...(init?.headers as Record<string, string>) };
    // The guard refuses a form with another origin.
    if (init?.method !== 'POST') headers.origin = 'https://evil.example';
    const response = await service.fetch(url, { ...init, headers });
    responses.push(response);
    return response;
  };
  await allow(browserOf(asOtherSite, service.baseUrl), authorizationUrl(service, String(body.client_id)));
  const redirects = responses.filter(({ headers }) => headers.has('location'));
  assert.deepEqual(
    redirects.map(({ status }) => status),
    Array(redirects.length).fill(303),
  );
  assert.ok(redirects.length >= 3, String(redirects.length));
  for (const { headers } of redirects) assert.doesNotMatch(headers.get('location')!, /ada/);
  for (const { headers } of responses) assert.equal(headers.get('access-control-allow-origin'), null);
});

test('a state of more than 2 KB is refused on a page that says so, and nothing of it is stored [TRUST-68]', async (t) => {
  const service = await openOauthService(t);
  const { body } = await service.register();
  const browser = browserOf(service.fetch, service.baseUrl);
  const open = (state: string) => browser.open(authorizationUrl(service, String(body.client_id), { state }));
  for (const state of ['s'.repeat(2_049), 'ä'.repeat(1_025), 's'.repeat(14_500)]) {
    const { response, text } = await open(state);
    assert.equal(response.status, 400);
    assert.match(text, /For its developers: invalid_request: state is longer than 2048 bytes/);
    assert.ok(text.length < 10_000);
  }
  assert.deepEqual(service.rows('select id from oauth_records'), []);
  const longest = 's'.repeat(2_048);
  const { url } = await browser.send(await open(longest), { step: 'deny' });
  assert.equal(url.searchParams.get('state'), longest);
});

test('one line of IPv6 cannot begin so many requests that those of others end [TRUST-68]', async (t) => {
  const service = await openOauthService(t, { LIMITS: '1' });
  const { body } = await service.register();
  const url = authorizationUrl(service, String(body.client_id));
  const begin = async (address: string) => (await service.from(address).fetch(url)).status;
  async function begun(addressOf: (n: number) => string, times: number) {
    let count = 0;
    for (let n = 0; n < times; n += 1) if ((await begin(addressOf(n))) === 303) count += 1;
    return count;
  }
  assert.equal(await begun((n) => `2001:db8:7:${(n % 4).toString(16)}::1`, 130), 120);
  for (const address of ['192.0.2.1', '2001:db8:8::1']) assert.equal(await begin(address), 303);
  // 30 minutes long, and less than the 10,000 that are kept.
  assert.deepEqual(service.rows('select count(*) as count from oauth_records'), [{ count: 122 }]);
});

test('a return from a request that nobody has answered begins no other, however many come at once [TRUST-68]', async (t) => {
  const service = await openOauthService(t);
  const { body } = await service.register();
  const page = await service.fetch(authorizationUrl(service, String(body.client_id)));
  const cookie = page.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  const id = page.headers.get('location')!.split('/').at(-1);
  const returned = Array.from({ length: 20 }, () =>
    service.fetch(`${service.baseUrl}/oauth/authorize/${id}`, { headers: { cookie: cookie.join('; ') } }),
  );
  const [first] = await Promise.all(returned);
  assert.equal(new URL(first!.headers.get('location')!).searchParams.get('error'), 'access_denied');
  assert.deepEqual(service.rows('select id from oauth_records'), []);
});

test('the metadata offer the code flow with S256 to public clients, and nothing else', async (t) => {
  const service = await openOauthService(t, { MCP_MUTATIONS: 'true' });
  const read = async (path: string) => (await service.fetch(service.baseUrl + path)).json() as Promise<unknown>;
  const server = (await read('/.well-known/oauth-authorization-server')) as Record<string, unknown>;
  for (const [name, value] of Object.entries({
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    scopes_supported: ['profile:read', 'contact:write'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }))
    assert.deepEqual(server[name], value, name);
  assert.deepEqual(await read('/.well-known/oauth-protected-resource/mcp'), {
    resource: 'http://127.0.0.1:3000/mcp',
    authorization_servers: ['http://127.0.0.1:3000'],
    jwks_uri: 'http://127.0.0.1:3000/.well-known/jwks.json',
    scopes_supported: ['profile:read', 'contact:write'],
    bearer_methods_supported: ['header'],
    resource_documentation: 'http://127.0.0.1:3000/docs',
  });
});

test('the page of consent warns of other programs if it leads to one on this computer, by name or number, and not if to a site', async (t) => {
  const service = await openOauthService(t);
  for (const [address, shown, isWarned] of [
    ['http://127.0.0.1:33418/callback', 'a program on this computer (127.0.0.1:33418)', true],
    ['http://localhost:33418/callback', 'a program on this computer (localhost:33418)', true],
    ['http://[::1]:33418/callback', 'a program on this computer ([::1]:33418)', true],
    ['https://client.example.org/callback', 'client.example.org', false],
  ] as const) {
    const { body } = await service.register({ redirect_uris: [address] });
    const browser = browserOf(service.fetch, service.baseUrl);
    const first = await browser.open(authorizationUrl(service, String(body.client_id), { redirect_uri: address }));
    const { text } = await browser.send(first, { email: 'ada@example.org', step: 'address' });
    assert.ok(text.includes(`<dt>You go back to</dt><dd><strong>${shown}</strong>`), address);
    const isHere = text.includes('Only allow this if you have just connected a program on this computer yourself');
    assert.equal(isHere, isWarned, address);
  }
});
