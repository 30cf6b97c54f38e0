import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { byAddress } from '../../src/model/visitor.ts';
import { invokerFor } from '../../src/operations/owner/operation.ts';
import { eraseVisitor } from '../../src/operations/owner/visitors.ts';
import { openInbox } from '../support/inbox.ts';
import { browserOf, redirectUri } from '../support/oauth.ts';
import { openOauthService } from '../support/oauth-service.ts';
import { textOf } from '../support/pages.ts';
import { eventually } from '../support/process.ts';

const verifier = 'a-verifier-that-is-long-enough-for-the-standard-00';

async function openVerifyingService(t: TestContext, env: Record<string, string> = {}) {
  const inbox = await openInbox(t);
  const service = await openOauthService(t, {
    VERIFY_EMAIL: 'on',
    SMTP_URL: inbox.url,
    MAIL_FROM: 'site@example.net',
    OWNER_EMAIL: 'owner@example.net',
    ...env,
  });
  return {
    ...service,
    inbox,
    /** Returns the mails to an address, once there are as many. */
    mailsTo: (address: string, count: number) =>
      eventually(() => {
        const mails = inbox.received.filter(({ to }) => to[0] === address);
        return mails.length >= count ? mails : false;
      }),
  };
}

type Service = Awaited<ReturnType<typeof openVerifyingService>>;

const codeIn = ({ email }: Service['inbox']['received'][number]): string =>
  /^\d{6}$/m.exec(email.text ?? '')?.[0] ?? assert.fail(email.text);

/** A code that is not the one given. */
const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');

/** Opens a request of a client that has just registered. */
async function openRequest(service: Service, name = 'Reader') {
  const { body } = await service.register({ client_name: name, redirect_uris: [redirectUri] });
  const clientId = String(body.client_id);
  const browser = browserOf(service.fetch, service.baseUrl);
  const url = new URL('/oauth/authorize', service.baseUrl);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: 'I6VJnq_ZE6Iew5Be1Pyh2Sfjknj0ULteaeVXZI-T6B8',
    code_challenge_method: 'S256',
  }).toString();
  const first = await browser.open(url);
  return {
    clientId,
    browser,
    first,
    /** Sends a form of a page of the request; of the first one unless given. */
    send: (fields: Record<string, string>, page = first) => browser.send(page, fields),
    look: () => browser.open(first.url),
  };
}

const headingOf = ({ text }: { text: string }) => textOf(/<h1[^>]*>.*?<\/h1>/s.exec(text)?.[0] ?? assert.fail(text));

test('a visitor proves by a code that the address is theirs, also after a restart; the token and the owner’s notice say so', async (t) => {
  const service = await openVerifyingService(t);
  const { clientId, send } = await openRequest(service);
  const asked = await send({ email: 'ada@example.org', step: 'address' });
  assert.equal(headingOf(asked), 'Enter the code');
  assert.match(textOf(asked.text), /An e-mail with six digits was sent to ada@example\.org\./);
  const [mail] = await service.mailsTo('ada@example.org', 1);
  assert.equal(mail!.from, 'site@example.net');
  await service.restart();
  const consent = await send({ code: codeIn(mail!), step: 'code' });
  assert.equal(headingOf(consent), 'Reader asks to read this profile');
  assert.match(textOf(consent.text), /ada@example\.org Confirmed by the code that was sent to it\./);
  const { url: back } = await send({ step: 'allow' }, consent);
  const { status, body } = await service.token({
    grant_type: 'authorization_code',
    client_id: clientId,
    code: back.searchParams.get('code')!,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  assert.equal(status, 200);
  const claims = JSON.parse(Buffer.from(body.access_token!.split('.')[1]!, 'base64url').toString());
  assert.deepEqual([claims.sub, claims.email_verified], ['ada@example.org', true]);
  assert.equal(await service.get('/candidate', body.access_token!), 200);
  assert.deepEqual(
    service.rows('select is_verified from oauth_grants').map(({ is_verified }) => is_verified),
    [1],
  );
  const [notice] = await service.mailsTo('owner@example.net', 1);
  assert.match(notice!.email.text!, /The visitor has proven that the address is theirs/);
});

test('the mail says who asks and that it can be ignored, and no part of it is a link, whatever the client calls itself', async (t) => {
  const service = await openVerifyingService(t);
  const { send } = await openRequest(service, 'https://evil.example/login?x=1, or mail@evil.example');
  await send({ email: 'ada@example.org', step: 'address' });
  const [{ email } = assert.fail()] = await service.mailsTo('ada@example.org', 1);
  assert.equal(email.subject, 'Your code for the profile of Tess Example');
  assert.match(email.text!, /^The program calls itself: https evil example login x 1 or mail evil example\.$/m);
  assert.match(email.text!, /^If you have not asked for it, ignore this e-mail: without the code, nothing happens\.$/m);
  // Neither an address with a scheme, nor a name with a dot, nor an address with an @.
  assert.doesNotMatch(email.text!, /:\/\/|\w\.\w|@/);
  assert.equal(email.html, undefined);
});

test('without the code nothing is allowed, neither by a form nor by what a program that checks mail opens', async (t) => {
  const service = await openVerifyingService(t);
  const { send, look } = await openRequest(service);
  const early = await send({ step: 'allow' });
  assert.equal(headingOf(early), 'Connect Reader');
  const asked = await send({ email: 'ada@example.org', step: 'address' });
  const [mail] = await service.mailsTo('ada@example.org', 1);
  assert.ok(!asked.text.includes(codeIn(mail!)));
  assert.equal(headingOf(await send({ step: 'allow' })), 'Enter the code');
  // As programs that check mail do.
  assert.equal(headingOf(await look()), 'Enter the code');
  const url = `${service.baseUrl}${asked.url.pathname}?code=${codeIn(mail!)}&step=code`;
  for (const method of ['GET', 'HEAD']) await service.fetch(url, { method });
  assert.equal(headingOf(await look()), 'Enter the code');
  assert.deepEqual(service.rows('select id from oauth_grants'), []);
  assert.equal(service.rows("select id from outbox where kind = 'auth_request'").length, 0);
});

test('a wrong code says how many tries are left; after five, a new code is needed, and works', async (t) => {
  const service = await openVerifyingService(t);
  const { send } = await openRequest(service);
  await send({ email: 'ada@example.org', step: 'address' });
  const wrong = otherThan(codeIn((await service.mailsTo('ada@example.org', 1))[0]!));
  for (const left of ['4 tries are', '3 tries are', '2 tries are', 'One try is']) {
    const { response, text } = await send({ code: wrong, step: 'code' });
    assert.equal(response.status, 400);
    assert.match(text, /<title>Error: Enter the code<\/title>/);
    assert.ok(textOf(text).includes(`This is not the code that was sent last. ${left} left.`), text);
  }
  const last = await send({ code: wrong, step: 'code' });
  assert.match(
    textOf(last.text),
    /The code was entered wrongly 5 times, and does not work any more\. Send a new one\./,
  );
  const renewed = await send({ step: 'new_code' }, last);
  assert.match(textOf(renewed.text), /A new code was sent\. The ones before it do not work any more\./);
  const [, second] = await service.mailsTo('ada@example.org', 2);
  const consent = await send({ code: codeIn(second!), step: 'code' }, renewed);
  assert.equal(headingOf(consent), 'Reader asks to read this profile');
});

test('a code that has expired says so', async (t) => {
  const service = await openVerifyingService(t);
  const { send } = await openRequest(service);
  await send({ email: 'ada@example.org', step: 'address' });
  const [mail] = await service.mailsTo('ada@example.org', 1);
  service.rows("update verification_codes set expires_at = '2026-01-01T00:00:00.000Z'");
  const { response, text } = await send({ code: codeIn(mail!), step: 'code' });
  assert.equal(response.status, 400);
  assert.match(textOf(text), /This code does not work any more: it works once, for 10 minutes\. Send a new one\./);
});

test('what is not six digits is not counted, and digits are read as people type them', async (t) => {
  const service = await openVerifyingService(t);
  const { send } = await openRequest(service);
  await send({ email: 'ada@example.org', step: 'address' });
  const code = codeIn((await service.mailsTo('ada@example.org', 1))[0]!);
  for (const typed of ['', code.slice(1), `${code}0`, 'abcdef', '1e5000']) {
    const { response, text } = await send({ code: typed, step: 'code' });
    assert.equal(response.status, 400);
    assert.match(textOf(text), /Enter the six digits from the e-mail\./);
  }
  assert.deepEqual(
    service.rows('select tries from verification_codes').map(({ tries }) => tries),
    [0],
  );
  const arabic = code.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]!);
  const consent = await send({ code: ` ${arabic.slice(0, 3)} ${arabic.slice(3)} `, step: 'code' });
  assert.equal(headingOf(consent), 'Reader asks to read this profile');
});

test('another address needs a code of its own, and the code of one request does not work for another', async (t) => {
  const service = await openVerifyingService(t);
  const { send } = await openRequest(service);
  const asked = await send({ email: 'ada@example.org', step: 'address' });
  const [mail] = await service.mailsTo('ada@example.org', 1);
  const again = await send({ step: 'back' }, asked);
  assert.equal(headingOf(again), 'Connect Reader');
  await send({ email: 'grace@example.org', step: 'address' }, again);
  const refused = await send({ code: codeIn(mail!), step: 'code' });
  assert.match(textOf(refused.text), /4 tries are left/);

  const second = await openRequest(service, 'Other');
  await second.send({ email: 'ada@example.org', step: 'address' });
  assert.match(textOf((await second.send({ code: codeIn(mail!), step: 'code' })).text), /4 tries are left/);
  assert.deepEqual(service.rows('select id from oauth_grants'), []);
});

test('after a code the address cannot be changed to one that was not verified', async (t) => {
  const service = await openVerifyingService(t);
  const { send } = await openRequest(service);
  await send({ email: 'ada@example.org', step: 'address' });
  const [mail] = await service.mailsTo('ada@example.org', 1);
  const consent = await send({ code: codeIn(mail!), step: 'code' });
  const changed = await send({ email: 'grace@example.org', step: 'address' }, consent);
  assert.equal(headingOf(changed), 'Enter the code');
  assert.equal(headingOf(await send({ step: 'allow' }, changed)), 'Enter the code');
});

test('the form with the address, sent twice, sends one code, which works', async (t) => {
  const service = await openVerifyingService(t);
  const { send } = await openRequest(service);
  await send({ email: 'ada@example.org', step: 'address' });
  const [mail] = await service.mailsTo('ada@example.org', 1);
  assert.equal(headingOf(await send({ email: 'ada@example.org', step: 'address' })), 'Enter the code');
  const consent = await send({ code: codeIn(mail!), step: 'code' });
  assert.equal(headingOf(consent), 'Reader asks to read this profile');
});

test('a fourth code within the hour is refused, with when to come back, for a new code and for another request', async (t) => {
  const service = await openVerifyingService(t, { LIMITS: '1' });
  const { send } = await openRequest(service);
  const asked = await send({ email: 'ada@example.org', step: 'address' });
  for (let more = 0; more < 2; more += 1) await send({ step: 'new_code' }, asked);
  const refused = await send({ step: 'new_code' }, asked);
  assert.equal(refused.response.status, 429);
  assert.ok(Number(refused.response.headers.get('retry-after')) > 3_000);
  assert.equal(headingOf(refused), 'Enter the code');
  assert.match(
    textOf(refused.text),
    /No new code was sent\. There were too many within the hour\. Try again in \d+ minutes\./,
  );
  const other = await openRequest(service, 'Other');
  const { response, text } = await other.send({ email: 'ADA@example.org', step: 'address' });
  assert.equal(response.status, 429);
  assert.match(textOf(text), /Nothing was sent\. There were too many requests\./);
  assert.match(text, /name="email"[^>]* value="ADA@example\.org"/);
});

test('a request that a visitor is in the middle of is exported with its code, without what could continue it; erasing ends it', async (t) => {
  const service = await openVerifyingService(t);
  const { send } = await openRequest(service);
  await send({ email: 'ada@example.org', step: 'address' });
  const [mail] = await service.mailsTo('ada@example.org', 1);
  const { oauth_records, verification_codes } = await service
    .opened()
    .store.visitors.traces(byAddress('ADA@example.org'));
  const [{ client_id, expires_at, ...request }, ...others] = oauth_records as unknown as [Record<string, unknown>];
  const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
  assert.deepEqual(others, []);
  assert.match(String(client_id), /^[\w-]{43}$/);
  assert.match(String(expires_at), instant);
  assert.deepEqual(request, {
    kind: 'Interaction',
    grant_id: null,
    redirect_uri: redirectUri,
    scope: 'profile:read',
    consumed_at: null,
  });
  const [{ expires_at: codeExpiresAt, ...code }] = verification_codes as unknown as [Record<string, unknown>];
  assert.match(String(codeExpiresAt), instant);
  assert.deepEqual(code, { tries: 0 });
  await invokerFor(service.opened().owner)(eraseVisitor, { visitor: byAddress('ada@example.org') });
  const { response, text } = await send({ code: codeIn(mail!), step: 'code' });
  assert.equal(response.status, 404);
  assert.match(text, /<h1>This request has ended<\/h1>/);
  for (const table of ['verification_codes', 'oauth_records', 'outbox'])
    assert.deepEqual(service.rows(`select * from ${table}`), [], table);
});

test('a token of POST /auth/token needs no code', async (t) => {
  const service = await openVerifyingService(t);
  const response = await service.fetch(`${service.baseUrl}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.org' }),
  });
  assert.equal(response.status, 200);
  assert.deepEqual(service.rows('select * from verification_codes'), []);
});

test('a code goes to the address that the page shows, also if its local part is in quotation marks [TRUST-74]', async (t) => {
  const service = await openVerifyingService(t);
  for (const email of [
    '"<a@evil.co>"@victim.co',
    '"x,<a@evil.co>"@victim.co',
    '"a<b"@victim.co',
    '"a>b"@victim.co',
    String.raw`"a\b"@victim.co`,
    String.raw`"a\"@evil.co"@victim.co`,
  ]) {
    const { send } = await openRequest(service);
    const page = await send({ email, step: 'address' });
    assert.match(page.text, /Enter one e-mail address, such as ada@example\.com\./, email);
  }
  for (const email of ['"(a)"@victim.co', '"a,b;c"@victim.co']) {
    const { send } = await openRequest(service);
    const page = await send({ email, step: 'address' });
    assert.ok(textOf(page.text).includes(`An e-mail with six digits was sent to ${email}.`), email);
    await service.mailsTo(email, 1);
  }
  assert.deepEqual(
    service.inbox.received.map(({ to }) => to),
    [['"(a)"@victim.co'], ['"a,b;c"@victim.co']],
  );
});
