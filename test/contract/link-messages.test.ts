import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { decodeJwt } from 'jose';
import { grantIdOf } from '../../src/model/link.ts';
import { message, openLinks } from '../support/links.ts';
import { textOf } from '../support/pages.ts';
import { postJson } from '../support/post-json.ts';
import { eventually } from '../support/process.ts';

async function open(t: TestContext, env: Record<string, string> = {}) {
  const service = await openLinks(t, env);
  const { id, path } = await service.make();
  const openLink = async () => (await service.openLink(path)).visitor;
  /** Sends a message with a token, from a network address. */
  function send(token: string, text: string, { key = '', from = '192.0.2.1' } = {}) {
    const headers = { authorization: `Bearer ${token}`, ...(key && { 'idempotency-key': key }) };
    return service.from(from).ask('/contact', postJson({ ...message, message: text }, headers));
  }
  return { ...service, id, openLink, send };
}

test('the form asks for an address to be answered at, and the owner is told through which link it came', async (t) => {
  const { openLink, query, id } = await open(t);
  const visitor = await openLink();
  assert.match(
    await (await visitor.get('/')).text(),
    /<label for="write-email">Your e-mail address<\/label>\s*<input id="write-email" name="email" required type="email"[^>]* value="">/,
  );
  const sent = await visitor.post('/profile/write', { ...message, idempotency_key: 'k' });
  assert.match(textOf(await sent.text()), /Your message was sent\. The answer will come to ada@example\.com\./);
  assert.deepEqual(query('select email, subject, canonical_email, canonical_subject from contacts'), [
    {
      ...{ email: 'ada@example.com', canonical_email: 'ada@example.com' },
      ...{ subject: `link:${id}`, canonical_subject: `link:${id}` },
    },
  ]);
  const [mail] = query("select text, reply_to from outbox where kind = 'contact_request'");
  assert.match(String(mail?.text), /^Through: your link for Acme, staff engineer$/m);
  assert.doesNotMatch(String(mail?.text), /link:/);
  assert.equal(mail?.reply_to, 'ada@example.com');
});

test('a message without an address comes back, and keeps what was typed', async (t) => {
  const { openLink, query } = await open(t);
  const page = textOf(await (await (await openLink()).post('/profile/write', { ...message, email: '' })).text());
  assert.match(page, /Your e-mail address is required/);
  assert.deepEqual(query('select id from contacts'), []);
});

test('each opening may send five messages an hour, and all of a link together twenty', async (t) => {
  const { openLink, send } = await open(t, { LIMITS: '1' });
  const statuses: number[][] = [];
  for (let person = 0; person < 5; person += 1) {
    const token = await (await openLink()).showToken();
    const own: number[] = [];
    for (let n = 0; n < 6; n += 1)
      own.push((await send(token, `Message ${n} of ${person}`, { from: `198.51.${person}.7` })).status);
    statuses.push(own);
  }
  const five = [201, 201, 201, 201, 201, 429];
  assert.deepEqual(statuses, [five, five, five, five, [429, 429, 429, 429, 429, 429]]);
});

test('a client that renews its token sends no more than the opening that it was connected from', async (t) => {
  const { openLink, send, id, opened } = await open(t, { LIMITS: '1' });
  const token = await (await openLink()).showToken();
  const access = { clientId: 'c', scopes: ['contact:write' as const], isForMcp: false, isVerified: false };
  const renewed = async () => {
    const grantId = grantIdOf(decodeJwt(token).jti!, 'request');
    return opened.tokens.sign(await opened.tokens.prepare({ kind: 'link', id }, access, grantId));
  };
  const statuses: number[] = [];
  for (const each of [token, token, await renewed(), await renewed(), await renewed(), await renewed(), token])
    statuses.push((await send(each, `Message ${statuses.length}`)).status);
  assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429, 429]);
});

test('two openings may use the same key', async (t) => {
  const { openLink, send, query } = await open(t);
  const [one, other] = [await (await openLink()).showToken(), await (await openLink()).showToken()];
  const ids: string[] = [];
  for (const token of [one, one, other]) {
    const response = await send(token, 'The same text', { key: 'a-key' });
    assert.equal(response.status, 201);
    ids.push(((await response.json()) as { id: string }).id);
  }
  assert.equal(ids[0], ids[1]);
  assert.notEqual(ids[1], ids[2]);
  assert.deepEqual(query('select count(*) as n from contacts'), [{ n: 2 }]);
});

test('a visitor sees only what was read in the same opening', async (t) => {
  const { openLink, read } = await open(t);
  const [one, other] = [await (await openLink()).showToken(), await (await openLink()).showToken()];
  await read(one, '/candidate');
  const hasRead = async (token: string) => (await (await read(token, '/me')).text()).includes('"get_candidate"');
  // Recorded within a second.
  await eventually(() => hasRead(one));
  assert.equal(await hasRead(other), false);
});
