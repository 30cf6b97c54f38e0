import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { dial, head } from '../../support/dial.ts';
import { allow, browserOf, redirectUri } from '../../support/oauth.ts';
import { authorizationUrl, callsOf, claimsOf, codeOf, errorOf, exchange, exchangeOf, refresh, verifier } from '../../support/oauth-flow.ts'; // biome-ignore format: one line
import { openOauthService } from '../../support/oauth-service.ts';
import { postJson } from '../../support/post-json.ts';
import { startService } from '../../support/process.ts';

const baseUrl = 'https://profile.example';
const started = await startService({ after }, { ALLOW_SAMPLE: 'true', LOG_LEVEL: 'trace', BASE_URL: baseUrl });
const { url } = started;
/** The service at its public address, as behind a proxy. */
const service = callsOf(baseUrl, (address, init) => fetch(String(address).replace(baseUrl, url), init));
const metadataPaths = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
];
const registered = async () => String((await service.register()).body.client_id);

test('the metadata offer the code flow with S256 to public clients, and nothing else, where clients look', async () => {
  const read = async (path: string) => {
    const response = await service.fetch(baseUrl + path);
    assert.equal(response.headers.get('access-control-allow-origin'), '*', path);
    return (await response.json()) as Record<string, unknown>;
  };
  const expected = {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    scopes_supported: ['profile:read'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
  for (const name of ['oauth-authorization-server', 'openid-configuration'])
    for (const path of [`/.well-known/${name}`, `/.well-known/${name}/mcp`, `/mcp/.well-known/${name}`]) {
      const metadata = await read(path);
      const offered = Object.keys(expected).map((key) => [key, metadata[key]]);
      assert.deepEqual(Object.fromEntries(offered), expected, path);
    }
  const resource = {
    authorization_servers: [baseUrl],
    jwks_uri: `${baseUrl}/.well-known/jwks.json`,
    bearer_methods_supported: ['header'],
    resource_documentation: `${baseUrl}/docs`,
  };
  const [ofService, ofMcp] = [baseUrl, `${baseUrl}/mcp`];
  const [first, second] = metadataPaths;
  assert.deepEqual(await read(second!), { ...resource, resource: ofMcp, scopes_supported: ['profile:read'] });
  const scopes = ['profile:read', 'contact:write'];
  assert.deepEqual(await read(first!), { ...resource, resource: ofService, scopes_supported: scopes });
});

test('Host, forwarding headers and an absolute target change no metadata, redirect, challenge or token', async (t) => {
  const { pathname, search } = authorizationUrl(service, await registered());
  for (const poison of [
    ['Host: evil.example'],
    ['Host: profile.example:8443'],
    ['Host: profile.example', 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: http'],
    ['Host: profile.example', 'Forwarded: host=evil.example;proto=http', 'X-Forwarded-Port: 1'],
    ['Host: profile.example', 'X-Original-Host: evil.example', 'X-Forwarded-Prefix: /evil', 'X-Rewrite-URL: /evil'],
  ])
    for (const target of [...metadataPaths, pathname + search, '/mcp', '/candidate'])
      for (const prefix of ['', 'http://evil.example']) {
        const client = await dial(t, url);
        client.send(head(`GET ${prefix}${target} HTTP/1.1`, ...poison, 'Accept: */*', 'Connection: close'));
        const [response] = await client.responses();
        // It is random, and may have 8443 in it.
        response!.headers.delete('x-request-id');
        const seen = `${response!.body}\n${[...response!.headers].join('\n')}`;
        assert.doesNotMatch(seen, /evil|8443|http:\/\/profile/, `${target} ${poison}`);
      }
  const local = await openOauthService(t);
  const response = await local.fetch('http://evil.example/oauth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-host': 'evil.example' },
    body: new URLSearchParams(exchangeOf(await codeOf(local))).toString(),
  });
  const { iss, aud } = claimsOf(((await response.json()) as { access_token: string }).access_token);
  assert.deepEqual([iss, aud], [local.baseUrl, local.baseUrl]);
});

test('what such servers often have, and this one has not, is an unknown path, by every method', async () => {
  const unknown = `
    /oauth /oauth/ /oauth/jwks /oauth/me /oauth/userinfo /oauth/introspect /oauth/token/introspection /oauth/device
    /oauth/par /oauth/request /oauth/ciba /oauth/logout /oauth/session/end /oauth/register/client-id /oauth/consent
    /oauth/authorize/a/b /oauth/authorize/a%2Fb /oauth/authorize/..%2Ftoken /oauth/authorize/x%3Fy=z
    /oauth/authorize/%00 /oauth/consent/a%2Fb /oauth/TOKEN /oauth//token /interaction/x /token /reg /jwks
    /.well-known/oauth-authorization-server/x /.well-known/openid-credential-issuer`;
  for (const path of unknown.trim().split(/\s+/))
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])
      assert.equal((await fetch(url + path, { method, redirect: 'manual' })).status, 404, `${method} ${path}`);
});

test('a method that means nothing at an address is refused there', async () => {
  for (const [path, allowed] of [
    ...['token', 'register', 'revoke'].map((name) => [`/oauth/${name}`, 'POST, OPTIONS'] as const),
    ...metadataPaths.map((path) => [path, 'GET, HEAD, OPTIONS'] as const),
  ])
    for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD', 'GET', 'POST'].filter((one) => !allowed.includes(one))) {
      const response = await fetch(url + path, { method, headers: { 'x-http-method-override': 'POST' } });
      assert.deepEqual([response.status, response.headers.get('allow')], [405, allowed], `${method} ${path}`);
    }
  for (const [method, status] of Object.entries({ POST: 404, PUT: 404, DELETE: 404, PATCH: 404, HEAD: 400 }))
    assert.equal((await fetch(`${url}/oauth/authorize`, { method })).status, status, method);
});

test('a request for tokens of another type, size or coding, or with strange parameters, is refused', async () => {
  const post = async (body: string, headers: Record<string, string> = {}) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
    const response = await fetch(`${url}/oauth/token`, { method: 'POST', headers: form, body });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const { status, body } = await post('x', { 'content-type': 'application/json' });
  const message = 'Request body must be application/x-www-form-urlencoded without content encoding';
  assert.deepEqual([status, (body.error as unknown as { message: string }).message], [415, message]);
  assert.equal((await post('x'.repeat(16_385))).status, 413);
  const client = `client_id=${await registered()}`;
  const wish = 'grant_type=refresh_token&refresh_token=x';
  for (const [text, expected] of [
    ['', [400, 'invalid_request']],
    [`${client}&${client}&${wish}`, [400, 'invalid_request']],
    [`${client}&grant_type=refresh_token`, [400, 'invalid_request']],
    [`${client}&grant_type=`, [400, 'invalid_request']],
    [`${client}&grant_type=refresh_token&refresh_token=%00`, [400, 'invalid_grant']],
    [`${client}&${wish}&client_secret=y`, [400, 'invalid_grant']],
    [`client_id=%00&${wish}`, [401, 'invalid_client']],
    [`__proto__=x&constructor=y&${'a=b&'.repeat(3_000)}`, [400, 'invalid_request']],
  ] as const)
    assert.deepEqual(errorOf(await post(text)), expected, text.slice(0, 80));
});

test('what a client sent is repeated in no error', async () => {
  const marker = 'evil-marker';
  const clientId = await registered();
  for (const [status, changes] of [
    [400, { client_id: marker }],
    [400, { redirect_uri: `https://${marker}.example` }],
    [400, { client_id: `https://${marker}.invalid/client.json` }],
    [303, { response_type: marker }],
    [303, { resource: `https://${marker}.example` }],
    [303, { code_challenge: marker }],
    [303, { scope: marker, prompt: 'none' }],
  ] as const) {
    const init = { headers: { accept: 'text/html' }, redirect: 'manual' } as const;
    const response = await service.fetch(authorizationUrl(service, clientId, changes), init);
    assert.equal(response.status, status, JSON.stringify(changes));
    assert.doesNotMatch(`${response.headers.get('location')}${await response.text()}`, new RegExp(marker));
  }
  for (const fields of [
    { grant_type: marker },
    { grant_type: 'refresh_token', refresh_token: marker },
    { grant_type: 'authorization_code', code: marker, redirect_uri: marker, code_verifier: marker.repeat(5) },
    { client_id: marker },
    { [marker]: marker },
  ]) {
    const { status, body } = await service.token({ client_id: clientId, ...fields });
    assert.ok(status >= 400);
    assert.doesNotMatch(JSON.stringify(body), new RegExp(marker), JSON.stringify(fields));
  }
});

test('every answer has the headers of all others, secrets are not cached, and cookies are for https alone', async () => {
  const clientId = await registered();
  const answers = {
    request: await service.fetch(authorizationUrl(service, clientId), { redirect: 'manual' }),
    refused: await service.fetch(authorizationUrl(service, 'unknown'), { redirect: 'manual' }),
    token: await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams({ client_id: clientId }) }),
    client: await fetch(`${url}/oauth/register`, postJson({ redirect_uris: [redirectUri] })),
    ended: await fetch(`${url}/oauth/consent/x`),
  };
  for (const [name, { headers }] of Object.entries(answers)) {
    assert.equal(headers.get('x-content-type-options'), 'nosniff', name);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/, name);
    assert.deepEqual([headers.get('cache-control'), headers.get('x-powered-by')], ['no-store', null], name);
  }
  assert.match(answers.request.headers.get('location')!, /^\/oauth\/consent\/[\w-]+$/);
  const cookies = answers.request.headers.getSetCookie();
  assert.equal(cookies.length, 4);
  for (const cookie of cookies) assert.match(cookie, /^__Secure-oauth_.*; samesite=lax; secure; httponly/);
});

test('each redirect of a request is a 303, which names no address, and which no other site can read', async () => {
  const responses: Response[] = [];
  const asOtherSite = async (address: string | URL, init?: RequestInit) => {
    const headers = { ...(init?.headers as Record<string, string>) };
    // The guard refuses a form with another origin.
    if (init?.method !== 'POST') headers.origin = 'https://evil.example';
    const response = await service.fetch(address, { ...init, headers });
    responses.push(response);
    return response;
  };
  await allow(browserOf(asOtherSite, baseUrl), authorizationUrl(service, await registered()));
  const redirects = responses.filter(({ headers }) => headers.has('location'));
  assert.ok(redirects.length >= 3, String(redirects.length));
  for (const { status, headers } of redirects) {
    assert.equal(status, 303);
    assert.doesNotMatch(headers.get('location')!, /ada/);
  }
  for (const { headers } of responses) assert.equal(headers.get('access-control-allow-origin'), null);
});

test('neither the log nor the audit has a code, a verifier, a token, an address or what a client is called', async () => {
  const granted = await codeOf(service, {}, 'ottilie@example.org');
  const { body } = await exchange(service, granted);
  const { body: renewed } = await refresh(service, granted.clientId, body.refresh_token!);
  await exchange(service, granted);
  await refresh(service, granted.clientId, body.refresh_token!);
  await service.get('/candidate', renewed.access_token!);
  const browser = browserOf(service.fetch, baseUrl);
  const { body: named } = await service.register({ client_name: 'Marked name', redirect_uris: [redirectUri] });
  const page = await browser.open(authorizationUrl(service, String(named.client_id), { state: 'marked-state' }));
  await browser.send(page, { email: 'ottilie@example.org', step: 'address' });
  // No resolver knows this domain (RFC 6761).
  for (const path of ['marked', 'second'])
    await browser.open(authorizationUrl(service, `https://client.invalid/${path}.json`));
  started.stop();
  await started.exited();
  const audit = globSync(join(started.folder, 'data/audit/*')).map((file) => readFileSync(file, 'utf8'));
  assert.match(audit.join(), /"client_registered".*"access_granted"/s);
  const log = [...started.lines, ...audit].join('\n');
  const tokens = [body.access_token!, body.refresh_token!, renewed.access_token!, renewed.refresh_token!];
  const marks = ['ottilie', 'marked', 'Marked name', 'code_verifier', 'refresh_token=', 'code='];
  for (const secret of [granted.code, verifier, ...tokens, ...marks]) assert.ok(!log.includes(secret), secret);
  // Once, by the host of the first document that could not be fetched.
  const warnings = started.lines.filter((line) => line.includes('OAUTH_CLIENT_DOCUMENTS=off'));
  assert.equal(warnings.length, 1);
  assert.match(JSON.parse(warnings[0]!).host, /\.invalid$/);
});

test('with OAUTH=off its paths are unknown, and a 401 does not name it', async (t) => {
  const off = await openOauthService(t, { OAUTH: 'off' });
  for (const path of [
    ...metadataPaths,
    '/mcp/.well-known/oauth-authorization-server',
    ...['authorize', 'authorize/x', 'consent/x', 'token', 'register', 'revoke'].map((name) => `/oauth/${name}`),
  ])
    for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS'])
      assert.equal((await off.fetch(off.baseUrl + path, { method })).status, 404, `${method} ${path}`);
  for (const [path, method] of Object.entries({ '/mcp': 'POST', '/candidate': 'GET' })) {
    const { headers } = await off.fetch(off.baseUrl + path, { method });
    assert.equal(headers.get('www-authenticate'), 'Bearer realm="candidate-profile"');
  }
});
