import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { allow, browserOf, redirectUri } from '../../support/oauth.ts';
import { authorizationUrl, claimsOf, exchange, type Service } from '../../support/oauth-flow.ts';
import { openOauthService } from '../../support/oauth-service.ts';
import { postJson } from '../../support/post-json.ts';

const service = await openOauthService({ after });
const newBrowser = () => browserOf(service.fetch, service.baseUrl);

/** Registers a client, and returns the address that it sends a visitor to. */
async function urlOf(metadata: object = {}, changes: Record<string, string | null> = {}) {
  const { status, body } = await service.register({ redirect_uris: [redirectUri], ...metadata });
  assert.equal(status, 201);
  return authorizationUrl(service, String(body.client_id), changes);
}

/** Opens a request and types an address; returns the page of consent. */
async function consentTo(url: URL, browser = newBrowser()) {
  const first = await browser.open(url);
  const consent = await browser.send(first, { email: 'ada@example.org', step: 'address' });
  assert.match(consent.text, /asks to read this profile<\/h1>/);
  /** The addresses that the client was allowed to read for. */
  const allowed = () =>
    service
      .rows(`select subject from oauth_grants where client_id = '${url.searchParams.get('client_id')}'`)
      .map(({ subject }) => subject);
  return { browser, first, consent, allowed };
}

test('a name of a client that turns or hides text is shown with what it does, on each page and in the mail', async () => {
  const names = {
    '\u202eedualC': '\\u{202e}edualC',
    'Cla\u200bude': 'Cla\\u{200b}ude',
    '\u{e0041}Claude': '\\u{e0041}Claude',
    '"><img src=x onerror=alert(1)>': '&quot;&gt;&lt;img src=x onerror=alert(1)&gt;',
  };
  for (const [name, shown] of Object.entries(names)) {
    const { browser, first, consent } = await consentTo(await urlOf({ client_name: name }));
    for (const { text } of [first, consent]) {
      assert.ok(text.includes(shown), name);
      assert.ok(!text.includes(name), name);
    }
    await browser.send(consent, { step: 'allow' });
  }
  const mails = JSON.stringify(service.rows('select subject, text, line from outbox'));
  assert.doesNotMatch(mails, /[\u200b\u202e\u2066\u2069]|\u{e0041}/u);
});

test('a client that takes the name of another is shown with where it really leads to [TRUST-55]', async () => {
  const sides = {
    'https://claude.ai.evil.example/callback':
      /<dt>You go back to<\/dt><dd><strong>claude\.ai\.evil\.example<\/strong>/,
    'https://clаude.ai/callback': /<strong>xn--clude-\w+\.ai<\/strong>/,
    'http://localhost:33418/callback': /<strong>a program on this computer \(localhost:33418\)<\/strong>/,
    'http://[::1]:33418/callback': /<strong>a program on this computer \(\[::1\]:33418\)<\/strong>/,
  };
  for (const [address, shown] of Object.entries(sides)) {
    const url = await urlOf({ client_name: 'Claude', redirect_uris: [address] }, { redirect_uri: address });
    const { text } = (await consentTo(url)).consent;
    assert.match(text, /The program chose its name itself\./);
    assert.match(text, shown);
    const isWarned = text.includes('Only allow this if you have just connected a program on this computer yourself');
    assert.equal(isWarned, address.startsWith('http:'), address);
  }
});

test('the page of a request loads and links nothing that a client names, and cannot be framed', async () => {
  const { first, consent } = await consentTo(
    await urlOf({ client_uri: 'https://evil.example/home', logo_uri: 'https://evil.example/logo.png' }),
  );
  const policies = [first, consent].map(({ response }) => response.headers.get('content-security-policy'));
  const policy = (target: string) =>
    `default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'${target}; base-uri 'none'; frame-ancestors 'none'`;
  assert.deepEqual(policies, [policy(''), policy(' http://127.0.0.1:33418')]);
  for (const { response, text } of [first, consent]) {
    assert.doesNotMatch(text, /evil/);
    assert.equal(response.headers.get('cache-control'), 'no-store');
  }
});

test('a form from another site, without its token, or with a forged one allows nothing [TRUST-55]', async () => {
  const { browser, consent, allowed } = await consentTo(await urlOf());
  const token = /name="form_token" value="([^"]+)"/.exec(consent.text)![1]!;
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const own = { 'sec-fetch-site': 'same-origin' };
  for (const [fields, headers, status] of [
    [{ form_token: token }, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
    [{ form_token: token }, { 'sec-fetch-site': 'same-site' }, 403],
    [{ form_token: token }, { origin: 'null' }, 403],
    [{ form_token: token }, {}, 403],
    [{}, own, 403],
    [{ form_token: `${token}x` }, own, 403],
    [{ form_token: 'A'.repeat(token.length) }, own, 403],
    [{ form_token: token }, { ...own, 'content-type': 'text/plain' }, 415],
  ] as const) {
    const body = new URLSearchParams({ step: 'allow', ...fields }).toString();
    const { response } = await browser.open(consent.url, { method: 'POST', headers: { ...type, ...headers }, body });
    assert.equal(response.status, status, JSON.stringify([fields, headers]));
  }
  for (const step of ['constructor', '__proto__', 'approve', ''])
    assert.match((await browser.send(consent, { step })).text, /asks to read this profile<\/h1>/);
  assert.deepEqual(allowed(), []);
  await Promise.all([browser.send(consent, { step: 'allow' }), browser.send(consent, { step: 'allow' })]);
  assert.deepEqual(allowed(), ['ada@example.org']);
});

test('opening the address of a page, as a mail scanner or another browser does, allows nothing', async () => {
  const { browser, consent, allowed } = await consentTo(await urlOf());
  for (const query of ['?step=allow', '?step=allow&form_token=x', '']) {
    const page = await browser.open(new URL(query, consent.url));
    assert.match(page.text, /asks to read this profile<\/h1>/);
    await browser.open(new URL(query, consent.url), { method: 'HEAD' });
    const stranger = await newBrowser().open(new URL(query, consent.url));
    assert.match(stranger.text, /<h1>This request has ended<\/h1>/);
  }
  const uid = consent.url.pathname.split('/').at(-1)!;
  for (const cookie of [
    `oauth_request=${uid}`,
    `oauth_request=${uid}; oauth_request.sig=AAAAAAAAAAAAAAAAAAAAAAAAAAA`,
    `oauth_session=${uid}; oauth_resume=${uid}`,
  ]) {
    const response = await service.fetch(consent.url, { headers: { accept: 'text/html', cookie } });
    assert.equal(response.status, 404, cookie);
  }
  await browser.open(String(consent.url).replace('/consent/', '/authorize/'));
  assert.deepEqual(allowed(), []);
});

test('the consent of one tab answers the request of that tab alone [TRUST-55]', async () => {
  const browser = newBrowser();
  const first = await consentTo(await urlOf({ client_name: 'First' }), browser);
  const second = await consentTo(await urlOf({ client_name: 'Second' }), browser);
  const back = await browser.send({ url: first.consent.url, text: second.consent.text }, { step: 'allow' });
  assert.ok(back.url.searchParams.has('code'));
  assert.deepEqual([first.allowed(), second.allowed()], [['ada@example.org'], []]);
  assert.match((await browser.open(second.consent.url)).text, /Allow Second\?/);
});

test('a request that was answered is over: its forms allow nothing more, and the owner is told once', async () => {
  const mails = () => service.rows('select id from outbox').length;
  for (const step of ['allow', 'deny']) {
    const told = mails();
    const { browser, consent, allowed } = await consentTo(await urlOf());
    const { url: back } = await browser.send(consent, { step });
    assert.equal(back.searchParams.get('error'), step === 'deny' ? 'access_denied' : null);
    for (const repeated of ['allow', 'deny', 'address', 'back']) {
      const { response, text } = await browser.send(consent, { step: repeated, email: 'eve@example.org' });
      assert.equal(response.status, 404, repeated);
      assert.match(text, /<h1>This request has ended<\/h1>/);
    }
    assert.equal((await browser.open(String(consent.url).replace('/consent/', '/authorize/'))).response.status, 404);
    assert.deepEqual(allowed(), step === 'allow' ? ['ada@example.org'] : []);
    assert.equal(mails() - told, step === 'allow' ? 1 : 0);
  }
});

test('nothing that a visitor allowed is remembered: each client asks again, and shows nothing of them', async () => {
  const browser = newBrowser();
  const url = await urlOf({ client_name: 'Reader' });
  await allow(browser, url);
  const wider = new URL(url);
  wider.searchParams.set('scope', 'profile:read contact:write');
  for (const next of [url, wider, await urlOf({ client_name: 'Other' })]) {
    const page = await browser.open(next);
    assert.match(page.text, /<label for="email">Your e-mail address<\/label>/);
    assert.doesNotMatch(page.text, /ada@example\.org/);
    const silent = new URL(next);
    silent.searchParams.set('prompt', 'none');
    const { url: back } = await browser.open(silent);
    assert.deepEqual([back.searchParams.get('error'), back.searchParams.has('code')], ['login_required', false]);
  }
});

test('the address that was typed last is the one that is allowed; a page that shows another allows nothing', async () => {
  const { browser, first, consent, allowed } = await consentTo(await urlOf());
  const back = await browser.send(consent, { step: 'back' });
  assert.match(back.text, /<label for="email">Your e-mail address<\/label>/);
  await browser.send(consent, { step: 'allow' });
  const ofBob = await browser.send(first, { email: 'bob@example.org', step: 'address' });
  const again = await browser.send(consent, { step: 'allow' });
  assert.match(again.text, /<dt>You are<\/dt><dd><bdi>bob@example\.org<\/bdi>/);
  assert.deepEqual(allowed(), []);
  await browser.send(ofBob, { step: 'allow' });
  assert.deepEqual(allowed(), ['bob@example.org']);
});

test('a visitor who allows, is cut off, goes back and allows with another address is that one [TRUST-72]', async () => {
  let isCutOff = true;
  const fetchUnlessCutOff: Service['fetch'] = (url, init) =>
    isCutOff && String(url).includes('/oauth/authorize/')
      ? Promise.reject(new Error('cut off'))
      : service.fetch(url, init);
  const url = await urlOf();
  const { browser, consent } = await consentTo(url, browserOf(fetchUnlessCutOff, service.baseUrl));
  await assert.rejects(browser.send(consent, { step: 'allow' }), /cut off/);
  isCutOff = false;
  const again = await browser.send(consent, { step: 'back' });
  const other = await browser.send(again, { email: 'grace@example.org', step: 'address' });
  const { url: back } = await browser.send(other, { step: 'allow' });
  const granted = { clientId: url.searchParams.get('client_id')!, code: back.searchParams.get('code')! };
  const { body } = await exchange(service, granted);
  assert.equal(claimsOf(body.access_token!).sub, 'grace@example.org');
});

test('an address that is typed is charged as a request for a token', async (t) => {
  const limited = await openOauthService(t, { LIMITS: '1' });
  const browser = browserOf(limited.fetch, limited.baseUrl);
  const page = await browser.open(authorizationUrl(limited, String((await limited.register()).body.client_id)));
  const statuses = [];
  for (let count = 0; count < 11; count += 1)
    statuses.push((await browser.send(page, { email: 'nobody', step: 'address' })).response.status);
  assert.deepEqual(statuses, [...Array(10).fill(400), 429]);
  const asked = await limited.fetch(`${limited.baseUrl}/auth/token`, postJson({ email: 'ada@example.org' }));
  assert.equal(asked.status, 429);
});
