import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { dial, head } from '../../support/dial.ts';
import { browserOf, redirectUri } from '../../support/oauth.ts';
import { authorizationUrl, callsOf, codeOf, errorOf, exchange, refresh } from '../../support/oauth-flow.ts';
import { openOauthService } from '../../support/oauth-service.ts';
import { startProcess } from '../../support/process.ts';

const started = await startProcess(
  { after },
  { ALLOW_SAMPLE: 'true', LOG_LEVEL: 'trace', BASE_URL: 'https://profile.example' },
);
const { url, lines } = started;
const direct = callsOf(url, (address, init) => fetch(address, init));
const metadataPaths = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
];

test('Host, forwarding headers and an absolute target change nothing of the metadata, the redirects and the challenges', async (t) => {
  const { body } = await direct.register();
  const { pathname, search } = authorizationUrl(direct, String(body.client_id));
  const poisons = [
    ['Host: evil.example'],
    ['Host: profile.example:8443'],
    ['Host: profile.example', 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: http'],
    ['Host: profile.example', 'Forwarded: host=evil.example;proto=http', 'X-Forwarded-Port: 1'],
    ['Host: profile.example', 'X-Original-Host: evil.example', 'X-Forwarded-Prefix: /evil', 'X-Rewrite-URL: /evil'],
  ];
  for (const poison of poisons)
    for (const target of [...metadataPaths, pathname + search, '/mcp', '/candidate']) {
      for (const prefix of ['', 'http://evil.example']) {
        const client = await dial(t, url);
        client.send(head(`GET ${prefix}${target} HTTP/1.1`, ...poison, 'Accept: */*', 'Connection: close'));
        const [response] = await client.responses();
        // It is random, and may have 8443 in it.
        response!.headers.delete('x-request-id');
        const seen = `${response!.body}\n${[...response!.headers].join('\n')}`;
        assert.doesNotMatch(seen, /evil|8443|http:\/\/profile/, `${target} ${poison}`);
      }
    }
  const document = await (await fetch(`${url}${metadataPaths[2]}`)).json();
  assert.equal(
    (document as { authorization_endpoint: string }).authorization_endpoint,
    'https://profile.example/oauth/authorize',
  );
});

test('a token request with another Host gets a token of this issuer, for this service', async (t) => {
  const service = await openOauthService(t);
  const granted = await codeOf(service);
  const fields = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: granted.clientId,
    code: granted.code,
    redirect_uri: redirectUri,
    code_verifier: 'a-verifier-that-is-long-enough-for-the-standard-00',
  });
  const response = await service.fetch('http://evil.example/oauth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-host': 'evil.example' },
    body: fields.toString(),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  const { iss, aud } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
  assert.deepEqual([iss, aud], [service.baseUrl, service.baseUrl]);
});

test('what such servers often have, and this one has not, is an unknown path, by every method', async () => {
  for (const path of [
    '/oauth',
    '/oauth/',
    '/oauth/jwks',
    '/oauth/me',
    '/oauth/userinfo',
    '/oauth/introspect',
    '/oauth/introspection',
    '/oauth/token/introspection',
    '/oauth/token/revocation',
    '/oauth/device',
    '/oauth/device/auth',
    '/oauth/device_authorization',
    '/oauth/par',
    '/oauth/request',
    '/oauth/backchannel',
    '/oauth/ciba',
    '/oauth/challenge',
    '/oauth/logout',
    '/oauth/end_session',
    '/oauth/session/end',
    '/oauth/session/end/confirm',
    '/oauth/register/client-id',
    '/oauth/reg/client-id',
    '/oauth/consent',
    '/oauth/authorize/a/b',
    '/oauth/authorize/a%2Fb',
    '/oauth/authorize/..%2Ftoken',
    '/oauth/authorize/x%3Fy=z',
    '/oauth/authorize/%00',
    '/oauth/consent/a%2Fb',
    '/oauth/TOKEN',
    '/oauth//token',
    '/interaction/x',
    '/auth',
    '/token',
    '/reg',
    '/jwks',
    '/request',
    '/device',
    '/session/end',
    '/.well-known/oauth-authorization-server/x',
    '/.well-known/webfinger',
    '/.well-known/openid-credential-issuer',
  ])
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) {
      const response = await fetch(url + path, { method, redirect: 'manual' });
      assert.equal(response.status, 404, `${method} ${path}`);
    }
});

test('a method that means nothing at an address is refused there', async () => {
  for (const [path, allowed] of [
    ['/oauth/token', 'POST, OPTIONS'],
    ['/oauth/register', 'POST, OPTIONS'],
    ['/oauth/revoke', 'POST, OPTIONS'],
    ['/.well-known/oauth-authorization-server', 'GET, HEAD, OPTIONS'],
    ['/.well-known/oauth-protected-resource/mcp', 'GET, HEAD, OPTIONS'],
  ] as const)
    for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD', 'GET', 'POST'].filter((one) => !allowed.includes(one))) {
      const response = await fetch(url + path, { method, headers: { 'x-http-method-override': 'POST' } });
      assert.deepEqual([response.status, response.headers.get('allow')], [405, allowed], `${method} ${path}`);
    }
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
    assert.equal((await fetch(`${url}/oauth/authorize`, { method })).status, 404, method);
  const { status, body } = await fetch(`${url}/oauth/authorize`, { method: 'HEAD' });
  assert.deepEqual([status, body], [400, null]);
});

test('a body of another type, size or coding is refused at the token endpoint, and the answer names the right ones', async () => {
  const post = async (body: string, headers: Record<string, string>) => {
    const response = await fetch(`${url}/oauth/token`, { method: 'POST', headers, body });
    return [response.status, ((await response.json()) as { error: { message: string } }).error.message];
  };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const type = [415, 'Request body must be application/x-www-form-urlencoded without content encoding'];
  assert.deepEqual(await post('{}', { 'content-type': 'application/json' }), type);
  assert.deepEqual(await post('x', { 'content-type': 'multipart/form-data; boundary=x' }), type);
  assert.deepEqual(await post('x', { ...form, 'content-encoding': 'gzip' }), type);
  assert.deepEqual(await post('x'.repeat(16_385), form), [413, 'Request body must be at most 16384 bytes']);
});

test('a token request with a parameter twice, many or strange ones, or none is an error of the client', async () => {
  const { body } = await direct.register();
  const client = `client_id=${body.client_id}`;
  for (const [text, expected] of [
    ['', [400, 'invalid_request']],
    ['grant_type=refresh_token', [400, 'invalid_request']],
    [`${client}&${client}&grant_type=refresh_token&refresh_token=x`, [400, 'invalid_request']],
    [`${client}&grant_type=refresh_token&grant_type=refresh_token&refresh_token=x`, [400, 'invalid_request']],
    [`${client}&grant_type=refresh_token&refresh_token=x&refresh_token=y`, [400, 'invalid_request']],
    [`${client}&grant_type=refresh_token`, [400, 'invalid_request']],
    [`${client}&grant_type=`, [400, 'invalid_request']],
    [`${client}&grant_type=refresh_token&refresh_token=%00`, [400, 'invalid_grant']],
    [`${client}&grant_type=refresh_token&refresh_token=x&client_secret=y`, [400, 'invalid_grant']],
    ['client_id=%00&grant_type=refresh_token&refresh_token=x', [401, 'invalid_client']],
    ['client_id=%ff&grant_type=refresh_token&refresh_token=x', [401, 'invalid_client']],
    [`client_id[]=x&grant_type=refresh_token&refresh_token=x`, [400, 'invalid_request']],
    [`__proto__=x&constructor=y&${'a=b&'.repeat(3_000)}`, [400, 'invalid_request']],
  ] as const) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(`${url}/oauth/token`, { method: 'POST', headers, body: text });
    const answer = (await response.json()) as Record<string, string>;
    assert.deepEqual(errorOf({ status: response.status, body: answer }), expected, text.slice(0, 80));
  }
});

test('what a client sent is repeated in no error', async () => {
  const { body } = await direct.register();
  const marker = 'evil-marker';
  const clientId = String(body.client_id);
  const html = { headers: { accept: 'text/html' }, redirect: 'manual' } as const;
  for (const changes of [
    { client_id: marker },
    { redirect_uri: `https://${marker}.example` },
    { response_type: marker, redirect_uri: 'https://reader.example' },
    { client_id: `https://${marker}.invalid/client.json` },
  ]) {
    const response = await fetch(authorizationUrl(direct, clientId, changes), html);
    assert.equal(response.status, 400);
    assert.doesNotMatch(await response.text(), new RegExp(marker), JSON.stringify(changes));
  }
  for (const changes of [
    { response_type: marker },
    { resource: `https://${marker}.example` },
    { code_challenge: marker },
    { code_challenge_method: marker },
    { scope: marker, prompt: 'none' },
  ]) {
    const response = await fetch(authorizationUrl(direct, clientId, changes), html);
    assert.equal(response.status, 303);
    assert.doesNotMatch(response.headers.get('location')!, new RegExp(marker), JSON.stringify(changes));
  }
  for (const fields of [
    { grant_type: marker },
    { grant_type: 'refresh_token', refresh_token: marker },
    { grant_type: 'authorization_code', code: marker, redirect_uri: marker, code_verifier: marker.repeat(5) },
    { client_id: marker },
    { [marker]: marker },
  ]) {
    const answer = await direct.token({ client_id: clientId, ...fields });
    assert.ok(answer.status >= 400);
    assert.doesNotMatch(JSON.stringify(answer.body), new RegExp(marker), JSON.stringify(fields));
  }
});

test('every answer has the headers of all others, and those with secrets are stored nowhere', async () => {
  const { body } = await direct.register();
  const clientId = String(body.client_id);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const json = { 'content-type': 'application/json' };
  const answers = {
    request: await fetch(authorizationUrl(direct, clientId), { redirect: 'manual' }),
    refused: await fetch(authorizationUrl(direct, 'unknown'), { redirect: 'manual' }),
    token: await fetch(`${url}/oauth/token`, { method: 'POST', headers: form, body: `client_id=${clientId}` }),
    client: await fetch(`${url}/oauth/register`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ redirect_uris: [redirectUri] }),
    }),
    ended: await fetch(`${url}/oauth/consent/x`),
  };
  for (const [name, { headers }] of Object.entries(answers)) {
    assert.equal(headers.get('x-content-type-options'), 'nosniff', name);
    assert.equal(headers.get('strict-transport-security')?.startsWith('max-age='), true, name);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/, name);
    assert.equal(headers.get('cache-control'), 'no-store', name);
    assert.equal(headers.get('x-powered-by'), null, name);
  }
  for (const cookie of answers.request.headers.getSetCookie())
    assert.match(cookie, /; secure.*; httponly|; httponly.*; secure/i);
});

test('neither the log nor the audit has a code, a verifier, a token, an address or what a client is called', async (t) => {
  const process = await startProcess(t, { LOG_LEVEL: 'trace' });
  const service = callsOf(process.baseUrl, (address, init) => fetch(address, init));
  const granted = await codeOf(service, { state: 's' }, 'ottilie@example.org');
  const { body } = await exchange(service, granted);
  const { body: renewed } = await refresh(service, granted.clientId, body.refresh_token!);
  await exchange(service, granted);
  await refresh(service, granted.clientId, body.refresh_token!);
  await service.get('/candidate', renewed.access_token!);
  const browser = browserOf(service.fetch, service.baseUrl);
  const { body: named } = await service.register({ client_name: 'Marked name', redirect_uris: [redirectUri] });
  const page = await browser.open(authorizationUrl(service, String(named.client_id), { state: 'marked-state' }));
  await browser.send(page, { email: 'ottilie@example.org', step: 'address' });
  await browser.open(authorizationUrl(service, 'https://marked.invalid/client.json'));
  process.kill('SIGTERM');
  await process.exited();
  const audit = globSync(join(process.folder, 'data/audit/*')).map((file) => readFileSync(file, 'utf8'));
  assert.match(audit.join(), /"client_registered".*"access_granted"/s);
  const log = [...process.lines, ...audit].join('\n');
  for (const secret of [
    granted.code,
    body.access_token!,
    body.refresh_token!,
    renewed.access_token!,
    renewed.refresh_token!,
    'a-verifier-that-is-long-enough',
    'ottilie',
    'marked-state',
    'Marked name',
  ])
    assert.ok(!log.includes(secret), secret);
  assert.ok(lines.every((line) => !/code_verifier|refresh_token=|code=/.test(line)));
});

test('with OAUTH=off all of it is unknown paths, and a 401 is as it was without it', async (t) => {
  const { url: off } = await startProcess(t, { OAUTH: 'off' });
  for (const path of [
    ...metadataPaths,
    '/mcp/.well-known/oauth-authorization-server',
    '/oauth/authorize',
    '/oauth/authorize/x',
    '/oauth/consent/x',
    '/oauth/token',
    '/oauth/register',
    '/oauth/revoke',
  ])
    for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS']) {
      const response = await fetch(off + path, { method });
      assert.equal(response.status, 404, `${method} ${path}`);
      if (method !== 'GET') continue;
      assert.deepEqual(await response.json(), {
        error: { code: 'NOT_FOUND', message: 'The requested resource could not be found.' },
      });
    }
  for (const path of ['/mcp', '/candidate']) {
    const { headers } = await fetch(off + path, { method: path === '/mcp' ? 'POST' : 'GET' });
    assert.equal(headers.get('www-authenticate'), 'Bearer realm="candidate-profile"');
  }
});
