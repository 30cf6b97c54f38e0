import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { byAddress } from '../../../src/model/visitor.ts';
import { invokerFor } from '../../../src/operations/owner/operation.ts';
import { eraseVisitor } from '../../../src/operations/owner/visitors.ts';
import { openInbox } from '../../support/inbox.ts';
import { browserOf, redirectUri } from '../../support/oauth.ts';
import { authorizationUrl, claimsOf, exchange } from '../../support/oauth-flow.ts';
import { openOauthService } from '../../support/oauth-service.ts';
import { textOf } from '../../support/pages.ts';
import { eventually } from '../../support/process.ts';

const ada = 'ada@example.org';

async function openVerifyingService(t: TestContext, env: Record<string, string> = {}) {
  const inbox = await openInbox(t);
  const mail = { SMTP_URL: inbox.url, MAIL_FROM: 'site@example.net', OWNER_EMAIL: 'owner@example.net' };
  const service = await openOauthService(t, { VERIFY_EMAIL: 'on', ...mail, ...env });
  /** Returns the last of so many mails to an address, once there are as many. */
  const mailTo = (address: string, count = 1) =>
    eventually(() => inbox.received.filter(({ to }) => to[0] === address)[count - 1] ?? false);
  return {
    ...service,
    ...{ inbox, mailTo },
    /** Returns the code in that mail. */
    codeTo: async (address: string, count = 1): Promise<string> =>
      /^\d{6}$/m.exec((await mailTo(address, count)).email.text ?? '')?.[0] ?? assert.fail(),
    /** Opens a request of a client that has just registered. */
    async openRequest(name = 'Reader') {
      const { body } = await service.register({ client_name: name, redirect_uris: [redirectUri] });
      const clientId = String(body.client_id);
      const browser = browserOf(service.fetch, service.baseUrl);
      const first = await browser.open(authorizationUrl(service, clientId));
      return {
        clientId,
        /** Sends a form of a page of the request; of the first one unless given. */
        send: (fields: Record<string, string>, page = first) => browser.send(page, fields),
        look: () => browser.open(first.url),
      };
    },
  };
}

/** A code that is not the one given. */
const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');

const headingOf = ({ text }: { text: string }) => textOf(/<h1[^>]*>.*?<\/h1>/s.exec(text)?.[0] ?? assert.fail(text));
const consentHeading = 'Reader asks to read this profile';

test('a visitor proves by a code that the address is theirs, also after a restart; token and notice say so', async (t) => {
  const service = await openVerifyingService(t);
  const { clientId, send } = await service.openRequest();
  const asked = await send({ email: ada, step: 'address' });
  assert.equal(headingOf(asked), 'Enter the code');
  assert.match(textOf(asked.text), /An e-mail with six digits was sent to ada@example\.org\./);
  // The form with the address, sent twice, sends one code.
  assert.equal(headingOf(await send({ email: ada, step: 'address' })), 'Enter the code');
  assert.equal((await service.mailTo(ada)).from, 'site@example.net');
  await service.restart();
  const consent = await send({ code: await service.codeTo(ada), step: 'code' });
  assert.equal(headingOf(consent), consentHeading);
  assert.match(textOf(consent.text), /ada@example\.org Confirmed by the code that was sent to it\./);
  const { url: back } = await send({ step: 'allow' }, consent);
  const { body } = await exchange(service, { clientId, code: back.searchParams.get('code')! });
  const { sub, email_verified } = claimsOf(body.access_token!);
  assert.deepEqual([sub, email_verified], [ada, true]);
  assert.equal(await service.get('/candidate', body.access_token!), 200);
  const notice = await service.mailTo('owner@example.net');
  assert.match(notice.email.text!, /The visitor has proven that the address is theirs/);
  assert.equal(service.inbox.received.filter(({ to }) => to[0] === ada).length, 1);
});

test('no part of the mail is a link, whatever name a program has; it says that it can be ignored', async (t) => {
  const service = await openVerifyingService(t);
  const { send } = await service.openRequest('https://evil.example/login?x=1, or mail@evil.example');
  await send({ email: ada, step: 'address' });
  const { email } = await service.mailTo(ada);
  assert.match(email.text!, /^The program calls itself: https evil example login x 1 or mail evil example\.$/m);
  assert.match(email.text!, /ignore this e-mail: without the code, nothing happens\.$/m);
  // Neither an address with a scheme, nor a name with a dot, nor an address with an @.
  assert.doesNotMatch(email.text! + (email.html ?? ''), /:\/\/|\w\.\w|@/);
});

test('without the code nothing is allowed, neither by a form nor by what a program that checks mail opens', async (t) => {
  const service = await openVerifyingService(t);
  const { send, look } = await service.openRequest();
  assert.equal(headingOf(await send({ step: 'allow' })), 'Connect Reader');
  const asked = await send({ email: ada, step: 'address' });
  const code = await service.codeTo(ada);
  assert.ok(!asked.text.includes(code));
  assert.equal(headingOf(await send({ step: 'allow' })), 'Enter the code');
  const url = `${service.baseUrl}${asked.url.pathname}?code=${code}&step=code`;
  for (const method of ['GET', 'HEAD']) await service.fetch(url, { method });
  assert.equal(headingOf(await look()), 'Enter the code');
  // Neither of another address nor of another request.
  await send({ step: 'back' }, asked);
  await send({ email: 'grace@example.org', step: 'address' });
  assert.match(textOf((await send({ code, step: 'code' })).text), /4 tries are left/);
  const second = await service.openRequest('Other');
  await second.send({ email: ada, step: 'address' });
  assert.match(textOf((await second.send({ code, step: 'code' })).text), /4 tries are left/);
  const consent = await second.send({ code: await service.codeTo(ada, 2), step: 'code' });
  const changed = await second.send({ email: 'grace@example.org', step: 'address' }, consent);
  assert.equal(headingOf(await second.send({ step: 'allow' }, changed)), 'Enter the code');
  assert.deepEqual(service.rows('select id from oauth_grants'), []);
  assert.deepEqual(service.rows("select id from outbox where kind = 'auth_request'"), []);
});

test('a wrong code says how many tries are left; after five, a new code is needed, and works', async (t) => {
  const service = await openVerifyingService(t);
  const { send } = await service.openRequest();
  await send({ email: ada, step: 'address' });
  const code = await service.codeTo(ada);
  for (const typed of ['', code.slice(1), `${code}0`, 'abcdef', '1e5000']) {
    const { response, text } = await send({ code: typed, step: 'code' });
    assert.equal(response.status, 400);
    assert.match(textOf(text), /Enter the six digits from the e-mail\./);
  }
  const wrong = otherThan(code);
  for (const left of ['4 tries are', '3 tries are', '2 tries are', 'One try is']) {
    const { response, text } = await send({ code: wrong, step: 'code' });
    assert.equal(response.status, 400);
    assert.match(text, /<title>Error: Enter the code<\/title>/);
    assert.ok(textOf(text).includes(`This is not the code that was sent last. ${left} left.`), text);
  }
  const last = await send({ code: wrong, step: 'code' });
  assert.match(textOf(last.text), /was entered wrongly 5 times, and does not work any more\. Send a new one\./);
  const renewed = await send({ step: 'new_code' }, last);
  assert.match(textOf(renewed.text), /A new code was sent\. The ones before it do not work any more\./);
  const second = await service.codeTo(ada, 2);
  service.rows("update verification_codes set expires_at = '2026-01-01T00:00:00.000Z'");
  const { text } = await send({ code: second, step: 'code' });
  assert.match(textOf(text), /This code does not work any more: it works once, for 10 minutes\. Send a new one\./);
  await send({ step: 'new_code' }, renewed);
  // As people type it.
  const arabic = (await service.codeTo(ada, 3)).replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]!);
  const consent = await send({ code: ` ${arabic.slice(0, 3)} ${arabic.slice(3)} `, step: 'code' });
  assert.equal(headingOf(consent), consentHeading);
});

test('a fourth code within the hour is refused, with when to come back, for another request, too', async (t) => {
  const service = await openVerifyingService(t, { LIMITS: '1' });
  const { send } = await service.openRequest();
  const asked = await send({ email: ada, step: 'address' });
  for (let more = 0; more < 2; more += 1) await send({ step: 'new_code' }, asked);
  const refused = await send({ step: 'new_code' }, asked);
  assert.equal(refused.response.status, 429);
  assert.ok(Number(refused.response.headers.get('retry-after')) > 3_000);
  const words = /No new code was sent\. There were too many within the hour\. Try again in \d+ minutes\./;
  assert.match(textOf(refused.text), words);
  const other = await service.openRequest('Other');
  const { response, text } = await other.send({ email: 'ADA@example.org', step: 'address' });
  assert.equal(response.status, 429);
  assert.match(textOf(text), /Nothing was sent\. There were too many requests\./);
  assert.match(text, /name="email"[^>]* value="ADA@example\.org"/);
});

test('a request that a visitor is in the middle of is exported with its code, and erasing ends it', async (t) => {
  const service = await openVerifyingService(t);
  const { clientId, send } = await service.openRequest();
  await send({ email: ada, step: 'address' });
  const code = await service.codeTo(ada);
  const traces = await service.opened().store.visitors.traces(byAddress('ADA@example.org'));
  const [{ expires_at: _, ...request }] = traces.oauth_records as unknown as [Record<string, unknown>];
  const [{ expires_at: __, ...sent }] = traces.verification_codes as unknown as [Record<string, unknown>];
  // Without what could continue it.
  const target = { client_id: clientId, redirect_uri: redirectUri, scope: 'profile:read' };
  assert.deepEqual(request, { kind: 'Interaction', ...target, grant_id: null, consumed_at: null });
  assert.deepEqual(sent, { tries: 0 });
  await invokerFor(service.opened().owner)(eraseVisitor, { visitor: byAddress(ada) });
  const { response, text } = await send({ code, step: 'code' });
  assert.equal(response.status, 404);
  assert.match(text, /<h1>This request has ended<\/h1>/);
  for (const table of ['verification_codes', 'oauth_records', 'outbox'])
    assert.deepEqual(service.rows(`select * from ${table}`), [], table);
});

test('a code goes to the address that the page shows, also if its local part is in quotation marks [TRUST-74]', async (t) => {
  const service = await openVerifyingService(t);
  for (const email of [
    '"<a@evil.co>"@victim.co',
    '"x,<a@evil.co>"@victim.co',
    '"a<b"@victim.co',
    String.raw`"a\"@evil.co"@victim.co`,
  ]) {
    const { send } = await service.openRequest();
    const page = await send({ email, step: 'address' });
    assert.match(page.text, /Enter one e-mail address, such as ada@example\.com\./, email);
  }
  const quoted = ['"(a)"@victim.co', '"a,b;c"@victim.co'];
  for (const email of quoted) {
    const { send } = await service.openRequest();
    const page = await send({ email, step: 'address' });
    assert.ok(textOf(page.text).includes(`An e-mail with six digits was sent to ${email}.`), email);
    await service.mailTo(email);
  }
  assert.deepEqual(
    service.inbox.received.map(({ to: [to] }) => to),
    quoted,
  );
});
