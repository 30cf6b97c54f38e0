import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { browserOf, redirectUri } from '../../support/oauth.ts';
import { authorizationUrl } from '../../support/oauth-flow.ts';
import { openOauthService } from '../../support/oauth-service.ts';

const service = await openOauthService({ after });
const web = 'https://reader.example/callback';
const wordsOf = (text: string) => text.trim().split(/\s+/);

const knownSchemes =
  'antigravity, claude, cursor, kiro, raycast, systemprompt, trae, vscode, vscode-insiders, vscodium, warp, windsurf, workbuddy';

/** Registers a client that comes back at an address, and returns its id. */
async function idOf(address: string): Promise<string> {
  const { status, body } = await service.register({ client_name: 'Reader', redirect_uris: [address] });
  assert.equal(status, 201, address);
  return String(body.client_id);
}

/** Sends a request without following it. */
const ask = (url: URL) => service.fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' });

test('an address that a client has not registered is never gone to: the visitor sees why on a page [TRUST-53]', async () => {
  const clientId = await idOf(web);
  const others = `
    https://evil.example/callback https://reader.example.evil.example/callback https://www.reader.example/callback
    https://reader.example/callback/evil https://reader.example/callback/ https://reader.example/other/../callback
    https://READER.example/callback https://reader.example:8443/callback https://reader.example/callback#fragment
    https://reader.example/callback?next=https://evil.example https://reader.example/callback\\@evil.example
    https://user@reader.example/callback https://reader.example@evil.example/callback http://reader.example/callback
    //reader.example/callback javascript:alert(1)//https://reader.example/callback`;
  for (const address of [...wordsOf(others), `${web}%0d%0aLocation: https://evil.example`]) {
    const response = await ask(authorizationUrl(service, clientId, { redirect_uri: address }));
    assert.deepEqual([response.status, response.headers.get('location')], [400, null], address);
    const text = await response.text();
    assert.match(text, /<h1>This request to connect is not valid<\/h1>/, address);
    assert.doesNotMatch(text, /evil|alert/, address);
  }
});

test('a program on this computer may come back on any port, and on nothing else that differs', async () => {
  const clientId = await idOf('http://127.0.0.1:7777/callback');
  const statusOf = async (address: string) =>
    (await ask(authorizationUrl(service, clientId, { redirect_uri: address }))).status;
  for (const address of ['http://127.0.0.1:1/callback', 'http://127.0.0.1/callback', 'http://127.0.0.1:65535/callback'])
    assert.equal(await statusOf(address), 303, address);
  const others = `
    http://localhost:7777/callback http://127.0.0.2:7777/callback http://127.0.0.1.evil.example:7777/callback
    http://127.0.0.1:7777@evil.example/callback http://127.0.0.1:7777/other https://127.0.0.1:7777/callback`;
  for (const address of wordsOf(others)) assert.equal(await statusOf(address), 400, address);
});

test('no client can register an address that runs something, or is not one program or one site [TRUST-74]', async () => {
  const description = `redirect_uris: each must be an https address, an http address of this machine (127.0.0.1, [::1] or localhost), a scheme of the program with a dot (com.example.app:/callback), or a known one (${knownSchemes}), without a password, * or #`;
  const before = service.rows('select id from oauth_clients').length;
  const wrong = `
    http://reader.example/callback http://127.0.0.1.evil.example/callback http://127.0.0.2/callback
    https://user:password@reader.example/callback https://claude.ai@evil.example/callback https://*.example/callback
    https://reader.example/callback#fragment JavaScript:alert(1) javascript://vscode/%0aalert(1) javascript.:alert(1)
    com..app:/callback com.example+app:/callback X-Apple.SystemPreferences://host data:text/html,x vbscript:x
    file:///etc/passwd blob:https://reader.example/1 about:blank smb://reader.example/share intent://reader.example
    mailto:ada@example.org view-source://reader.example/callback ms-msdt://id search-ms:query=x steam://run/1
    cursor:callback vscode:/callback reader: //reader.example/callback`;
  for (const address of [...wordsOf(wrong), 'java\nscript:alert(1)', ' javascript:alert(1)', '']) {
    const { status, body } = await service.register({ redirect_uris: [redirectUri, address] });
    const refused = { error: 'invalid_redirect_uri', error_description: description };
    assert.deepEqual({ status, body }, { status: 400, body: refused }, address);
  }
  assert.equal((await service.register({ redirect_uris: ['https://localhost/callback'] })).status, 400);
  assert.equal(service.rows('select id from oauth_clients').length, before);
});

test('the addresses that known programs come back at can be registered, as docs/oauth.md lists them', async () => {
  for (const address of [
    'http://[::1]:7777/oauth/callback',
    'https://claude.ai/api/mcp/auth_callback',
    'com.example.app:/callback',
    'com.raycast:/oauth?package_name=Extension',
  ])
    await idOf(address);
  const document = readFileSync(new URL('../../../docs/oauth.md', import.meta.url), 'utf8');
  const listed = [...document.matchAll(/`([a-z-]+):\/\/`/g)].map(([, scheme]) => scheme!).sort();
  assert.equal(listed.join(', '), knownSchemes);
  for (const scheme of listed) await idOf(`${scheme}://host/callback`);
});

/** Requests that are refused before a visitor is asked, of a client that is known, with the error for each. */
const refused: Record<string, readonly [error: string, changes: Record<string, string | null>]> = {
  'without PKCE': ['invalid_request', { code_challenge: null, code_challenge_method: null }],
  'with plain PKCE': ['invalid_request', { code_challenge_method: 'plain' }],
  'with a challenge and no method': ['invalid_request', { code_challenge_method: null }],
  'with a challenge that is too short': ['invalid_request', { code_challenge: 'short' }],
  'for another kind of response': ['unsupported_response_type', { response_type: 'token' }],
  'for no response': ['invalid_request', { response_type: null }],
  'for another service': ['invalid_target', { resource: 'https://evil.example/' }],
  'that must not ask': ['login_required', { prompt: 'none' }],
};

test('a link to this site never sends a visitor on to somebody else by itself, however it is refused [TRUST-53]', async () => {
  for (const address of ['https://evil.example/callback', 'com.evil:/callback']) {
    const clientId = await idOf(address);
    for (const [title, [, changes]] of Object.entries(refused)) {
      const response = await ask(authorizationUrl(service, clientId, { redirect_uri: address, ...changes }));
      assert.deepEqual([response.status, response.headers.get('location')], [400, null], title);
      const text = await response.text();
      // The visitor may follow the link, by which the client learns of it.
      assert.match(text, new RegExp(`<a href="${address}[?#]error=\\w+&amp;`), title);
      assert.match(text, /Nothing was allowed\./, title);
    }
  }
});

test('a program on this computer is told at once why its request is refused, by the issuer', async () => {
  const clientId = await idOf(redirectUri);
  for (const [title, [error, changes]] of Object.entries(refused)) {
    const response = await ask(authorizationUrl(service, clientId, changes));
    const back = new URL(response.headers.get('location')!);
    const answer = back.hash === '' ? back.searchParams : new URLSearchParams(back.hash.slice(1));
    assert.deepEqual(
      [back.origin + back.pathname, answer.get('iss'), answer.get('state'), answer.get('error')],
      [redirectUri, service.baseUrl, 's', error],
      title,
    );
  }
});

test('a code is sent in the query whatever a client asks for; a parameter that is given twice is refused', async () => {
  const clientId = await idOf(redirectUri);
  for (const mode of ['form_post', 'fragment', 'web_message', 'jwt']) {
    const url = authorizationUrl(service, clientId, { response_mode: mode, prompt: 'none' });
    const { url: back } = await browserOf(service.fetch, service.baseUrl).open(url);
    assert.equal(back.searchParams.get('error'), 'login_required', mode);
  }
  for (const name of ['client_id', 'redirect_uri', 'state', 'response_type', 'code_challenge']) {
    const url = authorizationUrl(service, clientId);
    url.searchParams.append(name, url.searchParams.get(name)!);
    const { response, url: back } = await browserOf(service.fetch, service.baseUrl).open(url);
    assert.ok(response.status === 400 || back.searchParams.get('error') === 'invalid_request', name);
  }
});
