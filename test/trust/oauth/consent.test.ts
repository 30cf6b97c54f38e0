import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allow, browserOf, redirectUri } from '../../support/oauth.ts';
import { authorizationUrl, exchange, type Service } from '../../support/oauth-flow.ts';
import { openOauthService } from '../../support/oauth-service.ts';

const newBrowser = (service: Service) => browserOf(service.fetch, service.baseUrl);

/** Registers a client, and returns the address that it sends a visitor to. */
async function urlOf(service: Service, metadata: object = {}, changes: Record<string, string | null> = {}) {
  const { status, body } = await service.register({ redirect_uris: [redirectUri], ...metadata });
  assert.equal(status, 201);
  return authorizationUrl(service, String(body.client_id), changes);
}

/** Opens a request and types an address; returns the page of consent. */
async function consentTo(service: Service, url: URL, browser = newBrowser(service)) {
  const consent = await browser.send(await browser.open(url), { email: 'ada@example.org', step: 'address' });
  assert.match(consent.text, /asks to read this profile<\/h1>/);
  return { browser, consent };
}

const grants = ({ rows }: { rows: (query: string) => unknown[] }) => rows('select id from oauth_grants').length;

test('a name of a client that turns or hides text is shown with what it does, on each page and in the mail', async (t) => {
  const service = await openOauthService(t);
  const names = {
    '\u202eedualC': '\\u{202e}edualC',
    'Cla\u200bude': 'Cla\\u{200b}ude',
    'Claude\u2066\u2069': 'Claude\\u{2066}\\u{2069}',
    '\u{e0041}Claude': '\\u{e0041}Claude',
    '<script>alert(1)</script>': '&lt;script&gt;alert(1)&lt;/script&gt;',
    '"><img src=x onerror=alert(1)>': '&quot;&gt;&lt;img src=x onerror=alert(1)&gt;',
  };
  for (const [name, shown] of Object.entries(names)) {
    const browser = newBrowser(service);
    const first = await browser.open(await urlOf(service, { client_name: name }));
    const consent = await browser.send(first, { email: 'ada@example.org', step: 'address' });
    for (const { text } of [first, consent]) {
      assert.ok(text.includes(shown), name);
      assert.ok(!text.includes(name), name);
    }
    await browser.send(consent, { step: 'allow' });
  }
  const mails = JSON.stringify(service.rows('select subject, text, line from outbox'));
  assert.doesNotMatch(mails, /[\u200b\u202e\u2066\u2069]|\u{e0041}/u);
});

test('allowing from a page that shows another address than the one typed last shows the page again, with that one', async (t) => {
  const service = await openOauthService(t);
  const browser = newBrowser(service);
  const first = await browser.open(await urlOf(service));
  const ofAda = await browser.send(first, { email: 'ada@example.org', step: 'address' });
  const ofBob = await browser.send(first, { email: 'bob@example.org', step: 'address' });
  const again = await browser.send(ofAda, { step: 'allow' });
  assert.match(again.text, /<dt>You are<\/dt><dd><bdi>bob@example\.org<\/bdi>/);
  assert.equal(grants(service), 0);
  await browser.send(ofBob, { step: 'allow' });
  assert.deepEqual(service.rows('select subject from oauth_grants'), [{ subject: 'bob@example.org' }]);
});

test('a client that takes the name of another is shown with where it really leads to [TRUST-55]', async (t) => {
  const service = await openOauthService(t);
  const address = 'https://claude.ai.evil.example/callback';
  const url = await urlOf(service, { client_name: 'Claude', redirect_uris: [address] }, { redirect_uri: address });
  const { consent } = await consentTo(service, url);
  assert.match(consent.text, /The program chose its name itself\. This address is what is known of it\./);
  assert.match(consent.text, /<dt>You go back to<\/dt><dd><strong>claude\.ai\.evil\.example<\/strong>/);
  const similar = 'https://clаude.ai/callback';
  const punycode = await urlOf(service, { client_name: 'Claude', redirect_uris: [similar] }, { redirect_uri: similar });
  assert.match((await consentTo(service, punycode)).consent.text, /<strong>xn--clude-\w+\.ai<\/strong>/);
});

test('the page of a request loads and links nothing that a client names, and cannot be framed', async (t) => {
  const service = await openOauthService(t);
  const url = await urlOf(service, {
    client_name: 'Reader',
    client_uri: 'https://evil.example/home',
    logo_uri: 'https://evil.example/logo.png',
    policy_uri: 'https://evil.example/policy',
    tos_uri: 'https://evil.example/tos',
  });
  const browser = newBrowser(service);
  const first = await browser.open(url);
  const consent = await browser.send(first, { email: 'ada@example.org', step: 'address' });
  const policies = [first, consent].map(({ response }) => response.headers.get('content-security-policy'));
  const policy = (target: string) =>
    `default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'${target}; base-uri 'none'; frame-ancestors 'none'`;
  assert.deepEqual(policies, [policy(''), policy(' http://127.0.0.1:33418')]);
  for (const { response, text } of [first, consent]) {
    assert.doesNotMatch(text, /evil/);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  }
});

test('a form from another site, without its token, or with a forged one allows nothing [TRUST-55]', async (t) => {
  const service = await openOauthService(t);
  const { browser, consent } = await consentTo(service, await urlOf(service));
  const token = /name="form_token" value="([^"]+)"/.exec(consent.text)![1]!;
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const send = async (fields: Record<string, string>, headers: Record<string, string>) => {
    const body = new URLSearchParams({ step: 'allow', ...fields }).toString();
    return (await browser.open(consent.url, { method: 'POST', headers: { ...type, ...headers }, body })).response
      .status;
  };
  const own = { 'sec-fetch-site': 'same-origin' };
  for (const [fields, headers, status] of [
    [{ form_token: token }, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
    [{ form_token: token }, { 'sec-fetch-site': 'same-site' }, 403],
    [{ form_token: token }, { 'sec-fetch-site': 'none' }, 403],
    [{ form_token: token }, { origin: 'https://evil.example' }, 403],
    [{ form_token: token }, { origin: 'null' }, 403],
    [{ form_token: token }, {}, 403],
    [{}, own, 403],
    [{ form_token: '' }, own, 403],
    [{ form_token: `${token}x` }, own, 403],
    [{ form_token: token.slice(1) }, own, 403],
    [{ form_token: 'A'.repeat(token.length) }, own, 403],
    [{ form_token: token }, { ...own, 'content-type': 'text/plain' }, 415],
    [{ form_token: token }, { ...own, 'content-type': 'application/json' }, 415],
  ] as const)
    assert.equal(await send(fields, headers), status, JSON.stringify([fields, headers]));
  assert.equal(grants(service), 0);
  await browser.send(consent, { step: 'allow' });
  assert.equal(grants(service), 1);
});

test('a form with a step that no button has shows the page again, and allows nothing', async (t) => {
  const service = await openOauthService(t);
  const { browser, consent } = await consentTo(service, await urlOf(service));
  for (const step of ['constructor', '__proto__', 'toString', 'approve', '']) {
    const { response, text } = await browser.send(consent, { step });
    assert.equal(response.status, 200, step);
    assert.match(text, /asks to read this profile<\/h1>/);
  }
  assert.equal(grants(service), 0);
});

test('opening the address of a page, as a mail scanner does, confirms nothing, whatever its query says', async (t) => {
  const service = await openOauthService(t);
  const { browser, consent } = await consentTo(service, await urlOf(service));
  for (const query of ['?step=allow', '?step=allow&form_token=x', '']) {
    const page = await browser.open(new URL(query, consent.url));
    assert.match(page.text, /asks to read this profile<\/h1>/);
    await browser.open(new URL(query, consent.url), { method: 'HEAD' });
    const stranger = await newBrowser(service).open(new URL(query, consent.url));
    assert.match(stranger.text, /<h1>This request has ended<\/h1>/);
  }
  await browser.open(String(consent.url).replace('/consent/', '/authorize/'));
  assert.equal(grants(service), 0);
});

test('the consent of one tab answers the request of that tab alone [TRUST-55]', async (t) => {
  const service = await openOauthService(t);
  const browser = newBrowser(service);
  const { consent: first } = await consentTo(service, await urlOf(service, { client_name: 'First' }), browser);
  const { consent: second } = await consentTo(service, await urlOf(service, { client_name: 'Second' }), browser);
  const back = await browser.send({ url: first.url, text: second.text }, { step: 'allow' });
  assert.ok(back.url.searchParams.has('code'));
  assert.deepEqual(service.rows('select client_name from oauth_grants'), [{ client_name: 'First' }]);
  assert.match((await browser.open(second.url)).text, /Allow Second\?/);
});

test('a request that was answered is over: its pages and forms allow nothing more', async (t) => {
  const service = await openOauthService(t);
  for (const step of ['allow', 'deny']) {
    const { browser, consent } = await consentTo(service, await urlOf(service));
    const before = grants(service);
    await browser.send(consent, { step });
    const resumed = String(consent.url).replace('/consent/', '/authorize/');
    for (const repeated of ['allow', 'deny', 'address', 'back']) {
      const { response, text } = await browser.send(consent, { step: repeated, email: 'eve@example.org' });
      assert.equal(response.status, 404, repeated);
      assert.match(text, /<h1>This request has ended<\/h1>/);
      assert.equal((await browser.open(resumed)).response.status, 404);
    }
    assert.equal(grants(service), before + (step === 'allow' ? 1 : 0));
  }
});

test('nothing that a visitor allowed is remembered: the same client asks again, another and a wider one too', async (t) => {
  const service = await openOauthService(t);
  const browser = newBrowser(service);
  const url = await urlOf(service, { client_name: 'Reader' });
  await allow(browser, url);
  const wider = new URL(url);
  wider.searchParams.set('scope', 'profile:read contact:write');
  for (const next of [url, wider, await urlOf(service, { client_name: 'Other' })]) {
    const page = await browser.open(next);
    assert.match(page.text, /<label for="email">Your e-mail address<\/label>/);
    const silent = new URL(next);
    silent.searchParams.set('prompt', 'none');
    const { url: back } = await browser.open(silent);
    assert.deepEqual([back.searchParams.get('error'), back.searchParams.has('code')], ['login_required', false]);
  }
  assert.equal(grants(service), 1);
});

test('the next person at a browser is asked for an address, and sees nothing of the one before', async (t) => {
  const service = await openOauthService(t);
  const browser = newBrowser(service);
  await allow(browser, await urlOf(service), 'ada@example.org');
  const page = await browser.open(await urlOf(service));
  assert.doesNotMatch(page.text, /ada@example\.org/);
  const back = await allow(browser, await urlOf(service), 'grace@example.org');
  assert.ok(back.searchParams.has('code'));
  assert.deepEqual(service.rows('select subject from oauth_grants order by subject'), [
    { subject: 'ada@example.org' },
    { subject: 'grace@example.org' },
  ]);
});

test('an address that is changed before the visitor allows is the one that is allowed', async (t) => {
  const service = await openOauthService(t);
  const { browser, consent } = await consentTo(service, await urlOf(service));
  const again = await browser.send(consent, { step: 'back' });
  assert.match(again.text, /<label for="email">Your e-mail address<\/label>/);
  // The page that is still open in another tab has lost its address, and allows nothing.
  await browser.send(consent, { step: 'allow' });
  assert.equal(grants(service), 0);
  const other = await browser.send(again, { email: 'grace@example.org', step: 'address' });
  await browser.send(other, { step: 'allow' });
  assert.deepEqual(service.rows('select subject from oauth_grants'), [{ subject: 'grace@example.org' }]);
});

test('a visitor who allows, goes back before the client is reached, and allows with another address is that one [TRUST-72]', async (t) => {
  const service = await openOauthService(t);
  let isCutOff = true;
  const fetchUnlessCutOff: Service['fetch'] = (url, init) =>
    isCutOff && String(url).includes('/oauth/authorize/')
      ? Promise.reject(new Error('cut off'))
      : service.fetch(url, init);
  const browser = browserOf(fetchUnlessCutOff, service.baseUrl);
  const url = await urlOf(service);
  const { consent } = await consentTo(service, url, browser);
  await assert.rejects(browser.send(consent, { step: 'allow' }), /cut off/);
  isCutOff = false;
  const again = await browser.send(consent, { step: 'back' });
  const other = await browser.send(again, { email: 'grace@example.org', step: 'address' });
  const { url: back } = await browser.send(other, { step: 'allow' });
  const code = back.searchParams.get('code')!;
  const clientId = url.searchParams.get('client_id')!;
  const { status, body } = await exchange(service, { clientId, code });
  assert.equal(status, 200);
  const { sub } = JSON.parse(Buffer.from(body.access_token!.split('.')[1]!, 'base64url').toString()) as { sub: string };
  assert.equal(sub, 'grace@example.org');
});

test('a page that asks for an address with a script in it shows it as text', async (t) => {
  const service = await openOauthService(t);
  const browser = newBrowser(service);
  const page = await browser.open(await urlOf(service));
  const { response, text } = await browser.send(page, { email: '"><script>alert(1)</script>', step: 'address' });
  assert.equal(response.status, 400);
  assert.match(text, /value="&quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;"/);
});

test('a cookie of a request that is forged, or another’s, opens no page', async (t) => {
  const service = await openOauthService(t);
  const { consent } = await consentTo(service, await urlOf(service));
  const uid = consent.url.pathname.split('/').at(-1)!;
  for (const cookie of [
    `oauth_request=${uid}`,
    `oauth_request=${uid}; oauth_request.sig=AAAAAAAAAAAAAAAAAAAAAAAAAAA`,
    `oauth_request=${uid}; oauth_request.sig=`,
    `oauth_session=${uid}; oauth_resume=${uid}`,
  ]) {
    const response = await service.fetch(consent.url, { headers: { accept: 'text/html', cookie } });
    assert.equal(response.status, 404, cookie);
  }
});

test('a form of consent that is cut off on its way is not shown as a mistake of the program of the visitor', async (t) => {
  const service = await openOauthService(t);
  const { consent } = await consentTo(service, await urlOf(service));
  const cutOff = new ReadableStream({ pull: (controller) => controller.error(new Error('aborted')) });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const response = await service.fetch(consent.url, {
    method: 'POST',
    headers,
    body: cutOff,
    duplex: 'half',
  } as RequestInit);
  assert.equal(response.status, 400);
  const text = await response.text();
  assert.match(text, /Go back, and try again/);
  assert.doesNotMatch(text, /made a mistake|add it anew/);
  assert.equal(grants(service), 0);
});
