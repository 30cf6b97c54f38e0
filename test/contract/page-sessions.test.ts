import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { callTool } from '../../bench/mcp-messages.ts';
import { hash } from '../../src/adapters/node-crypto.ts';
import { backUp } from '../../src/adapters/store/sqlite/backup.ts';
import { keyFileIn, replaceKeyFile } from '../../src/adapters/tokens/keys.ts';
import { readKeySet, rotate } from '../../src/adapters/tokens/private-jwks.ts';
import type { StoredToken } from '../../src/model/token.ts';
import { byAddress } from '../../src/model/visitor.ts';
import { rowsOf, testOnSqlite } from '../support/database.ts';
import { newFolder } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { hiddenField, openPage, openVisitor, snippetOf } from '../support/pages.ts';
import { postJson } from '../support/post-json.ts';
import { eventually } from '../support/process.ts';
import { keyOf } from '../support/store.ts';

let service: Awaited<ReturnType<typeof openTestService>>;
before(async () => {
  service = await openTestService();
});
after(() => service.close());

let visitors = 0;
/** An address that nobody else has, so that tests can count what it causes. */
const newAddress = () => `visitor${visitors++}@example.org`;

const message = { name: 'Ada King', email: 'ada@example.com', company: 'Engines', message: 'Would you talk to us?' };

const tokensOf = (email: string) => service.opened.store.tokens.listOf([keyOf(email)]);
const rows = (query: string) => rowsOf(join(service.folder, 'candidate-profile.db'), query);

/** How many notices tell the owner of tokens of an address. */
function noticesOf(email: string): number {
  const ids = `select jti from issued_tokens where canonical_subject = '${email}'`;
  return Number(rows(`select count(*) as n from outbox where about in (${ids})`)[0]!.n);
}

/** Returns which page it is: the profile, or the page before access. */
async function stateOf(response: Response): Promise<string> {
  const page = await response.text();
  if (page.includes('id="write"')) return 'profile';
  return page.includes('id="email"') ? 'landing' : page;
}

/** Returns the form token of a page that somebody without a session sees. */
const strangersToken = async (one = service) => hiddenField(await (await openPage(one, '/')).text(), 'form_token');

/** Sends a form, and follows no redirect. */
const sendForm = (
  { send }: Pick<ReturnType<typeof openVisitor>, 'send'>,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) => send(path, { method: 'POST', body: new URLSearchParams(fields), headers });

/** Opens the profile in a browser of its own. */
async function openVisit(one = service) {
  const visitor = openVisitor(one);
  const email = newAddress();
  const page = await (await visitor.getAccess(email)).text();
  return { visitor, email, page, form_token: hiddenField(page, 'form_token') };
}

/** Returns the record of the latest token of an address, once it has as many events as expected. */
async function recordOf(email: string, count: number) {
  const [{ jti }] = (await tokensOf(email)) as [StoredToken];
  return eventually(async () => {
    const { reads } = await service.opened.store.reads.recordOf(jti, 100);
    return reads.length >= count && reads.map(({ operation, item }) => [operation, item]).reverse();
  });
}

describe('a visit', () => {
  test('lasts over reloads, other pages and the PDF, with one token; the page and the PDF are recorded', async () => {
    const email = newAddress();
    const visitor = openVisitor(service);
    assert.equal(await stateOf(await visitor.getAccess(email)), 'profile');
    assert.equal(await stateOf(await visitor.get('/')), 'profile');
    for (const path of ['/privacy', '/docs']) assert.equal((await visitor.get(path)).status, 200);
    assert.equal((await visitor.send('/profile/pdf')).status, 303);
    assert.equal((await tokensOf(email)).length, 1);
    assert.equal(noticesOf(email), 1);
    assert.deepEqual(await recordOf(email, 3), [
      ['page', null],
      ['page', null],
      ['pdf', 'pdf'],
    ]);
  });

  test('is recorded when somebody sees the page: not by HEAD, a prefetch, or a form that comes back', async () => {
    const { visitor, email, form_token } = await openVisit();
    await visitor.send('/', { method: 'HEAD' });
    await visitor.send('/', { headers: { 'sec-purpose': 'prefetch' } });
    await visitor.send('/profile/pdf', { headers: { 'sec-purpose': 'prefetch;prerender' } });
    assert.equal(await (await visitor.send('/', { method: 'HEAD' })).text(), '');
    await visitor.get('/');
    const send = (fields: Record<string, string>) => sendForm(visitor, '/profile/write', { form_token, ...fields });
    assert.equal((await send({ ...message, company: '' })).headers.get('location'), '/profile/write');
    assert.match(await (await visitor.get('/profile/write')).text(), /Company is required/);
    assert.equal((await send(message)).headers.get('location'), '/');
    assert.match(await (await visitor.get('/')).text(), /Your message was sent\./);
    await visitor.send('/profile/pdf');
    assert.deepEqual(await recordOf(email, 3), [
      ['page', null],
      ['page', null],
      ['pdf', 'pdf'],
    ]);
  });

  test('ends when the visitor leaves, with its token unless that was shown', async () => {
    const { visitor, email } = await openVisit();
    const left = await (await visitor.post('/profile/leave')).text();
    assert.match(left, /You have left, and your access has ended\./);
    assert.equal(visitor.cookies.size, 0);
    const [unseen] = await tokensOf(email);
    assert.equal(service.opened.tokens.isRevoked(unseen!), true);

    await visitor.getAccess(email);
    const authorization = `Bearer ${await visitor.showToken()}`;
    assert.match(await (await visitor.post('/profile/leave')).text(), /Your token still works for the programs/);
    assert.equal((await service.ask('/candidate', { headers: { authorization } })).status, 200);
    assert.equal(await stateOf(await visitor.get('/')), 'landing');
  });

  test('is recorded whole, however soon after a download the visitor leaves or enters another address', async () => {
    const { visitor, email } = await openVisit();
    const other = newAddress();
    await visitor.send('/profile/pdf');
    await sendForm(visitor, '/', { form_token: await strangersToken(), email: other });
    const leave = hiddenField(await (await visitor.get('/')).text(), 'form_token');
    await visitor.send('/profile/pdf');
    await sendForm(visitor, '/profile/leave', { form_token: leave });
    for (const one of [email, other]) {
      const [{ jti }] = (await tokensOf(one)) as [StoredToken];
      const { reads } = await service.opened.store.reads.recordOf(jti, 100);
      assert.deepEqual(reads.map(({ operation }) => operation).sort(), ['page', 'pdf']);
    }
  });

  test('is another one in another browser, with its own token, about which no second mail is sent that day', async () => {
    const email = newAddress();
    const [one, other] = [openVisitor(service), openVisitor(service)];
    await one.getAccess(email);
    await other.getAccess(email);
    const tokens = [await one.showToken(), await other.showToken()];
    assert.notEqual(tokens[0], tokens[1]);
    assert.deepEqual([(await tokensOf(email)).length, noticesOf(email)], [2, 1]);
    // Over REST each token is reported, as the specification says.
    await service.ask('/auth/token', postJson({ email }));
    assert.deepEqual([(await tokensOf(email)).length, noticesOf(email)], [3, 2]);
    await other.post('/profile/leave');
    assert.equal(await stateOf(await one.get('/')), 'profile');
    rows(`update issued_tokens set issued_at = '2026-01-01T00:00:00.000Z' where canonical_subject = '${email}'`);
    for (let count = 0; count < 2; count += 1) await openVisitor(service).getAccess(email.toUpperCase());
    assert.equal(noticesOf(email), 3);
  });

  test('goes on with its token if the same address is entered again, and is another one for another address', async () => {
    const [email, second] = [newAddress(), newAddress()];
    const visitor = openVisitor(service);
    // As in a tab that was opened before.
    const form_token = await strangersToken();
    const enter = (typed: string) => sendForm(visitor, '/', { form_token, email: typed });
    await enter(email);
    const [before] = visitor.cookies.values();
    await enter(email.toUpperCase());
    const [again] = visitor.cookies.values();
    assert.notEqual(again, before);
    assert.equal((await tokensOf(email)).length, 1);
    await enter(second);
    assert.match(await (await visitor.get('/')).text(), new RegExp(`You are here as <bdi>${second}</bdi>`));
    assert.equal(service.opened.tokens.isRevoked((await tokensOf(email))[0]!), true);
  });
});

describe('the token', () => {
  test('is in no page before the visitor asks for it, and then is the same each time', async () => {
    const { visitor, page } = await openVisit();
    const record = await (await visitor.get('/profile/record')).text();
    assert.doesNotMatch(page + record, /eyJ[\w-]+\.eyJ/);
    assert.match(page, /<button class="secondary">Show my token<\/button>/);
    const token = await visitor.showToken();
    assert.match(token, /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
    assert.equal(snippetOf(await (await visitor.get('/')).text(), 'token'), token);
  });

  test('is given to the reference only with a form token of the session, which other origins cannot read', async () => {
    const visitor = openVisitor(service);
    assert.equal((await visitor.send('/profile/session')).status, 204);
    await visitor.getAccess(newAddress());
    const given = await visitor.send('/profile/session');
    assert.deepEqual(
      ['cache-control', 'vary', 'access-control-allow-origin'].map((name) => given.headers.get(name)),
      ['no-store', 'Cookie', null],
    );
    const { form_token } = (await given.json()) as { form_token: string };
    const path = '/profile/session';
    assert.equal((await sendForm(visitor, path, { form_token: 'none' })).status, 403);
    assert.equal((await sendForm(visitor, path, { form_token }, { 'sec-fetch-site': 'cross-site' })).status, 403);
    const answer = await sendForm(visitor, path, { form_token });
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const { access_token, is_shown } = (await answer.json()) as Record<string, unknown>;
    assert.equal(is_shown, false);
    assert.equal(access_token, await visitor.showToken());
  });

  test('that a client got by OAuth opens no session: it may open less than the page shows', async () => {
    const { jti, subject, issuedAt, expiresAt } = (await service.opened.tokens.verify(service.token))!;
    const access = { clientId: 'c1', scopes: ['profile:read' as const], isForMcp: false, isVerified: false };
    const token = await service.opened.tokens.sign({ jti, subject, issuedAt, expiresAt, access });
    const visitor = openVisitor(service);
    const response = await visitor.post('/profile', { token });
    assert.match(await response.text(), /or is that of another program/);
    assert.deepEqual([...visitor.cookies.keys()], ['typed']);
  });
});

describe('a message that was not sent', () => {
  async function openWriter(one = service) {
    const { visitor } = await openVisit(one);
    return { ...visitor, write: (fields: object) => visitor.post('/profile/write', { ...message, ...fields }) };
  }
  const draftOf = async ({ get }: { get(path: string): Promise<Response> }) => {
    const page = await (await get('/profile/write')).text();
    return { text: />([^<]*)<\/textarea>/.exec(page)![1], hasFaults: page.includes('id="problem"'), page };
  };

  test('is shown by a page of its own, with its faults, until it is sent, and in no other session', async () => {
    const [visitor, other] = [await openWriter(), await openWriter()];
    assert.equal((await visitor.write({ name: '', message: 'Mine' })).status, 200);
    await other.write({ company: '', message: 'Of another' });
    for (let count = 0; count < 2; count += 1) {
      const { text, hasFaults, page } = await draftOf(visitor);
      assert.deepEqual([text, hasFaults], ['Mine', true]);
      assert.match(page, /id="write-name-fault"/);
      assert.doesNotMatch(page, /id="write-company-fault"/);
    }
    assert.doesNotMatch(await (await visitor.get('/')).text(), /Mine/);
    assert.match(await (await visitor.write({ message: 'Mine' })).text(), /Your message was sent\./);
    assert.equal((await visitor.send('/profile/write')).headers.get('location'), '/');
    assert.equal((await draftOf(other)).text, 'Of another');
  });

  test('keeps the key of its form, so that it is stored once', async () => {
    const visitor = await openWriter();
    const { page } = await visitor.write({ name: '', idempotency_key: 'a'.repeat(32) }).then(() => draftOf(visitor));
    assert.equal(hiddenField(page, 'idempotency_key'), 'a'.repeat(32));
  });

  test('is gone once the visitor has left, and opens for nobody without a session', async () => {
    const visitor = await openWriter();
    await visitor.write({ name: '', message: 'Left behind' });
    await visitor.post('/profile/leave');
    const shown = await visitor.get('/profile/write');
    assert.equal(await stateOf(shown), 'landing');
  });

  test('is exported with its session, and dropped when somebody whom it names is erased, who may be another', async () => {
    const { visitor, email } = await openVisit();
    await visitor.post('/profile/write', { ...message, name: '', email: 'eve@example.com' });
    const draft = async () => (await service.opened.store.visitors.traces(byAddress(email))).page_sessions[0]!.draft;
    assert.equal(((await draft()) as unknown as typeof message).message, 'Would you talk to us?');
    await service.opened.store.visitors.erase(byAddress('eve@example.com'));
    assert.equal(await draft(), null);
    assert.equal(await stateOf(await visitor.get('/')), 'profile');
  });

  test('is cut to what a page shows again, and still has the fault that it was too long', async () => {
    const visitor = await openWriter();
    const page = await (await visitor.write({ message: 'é'.repeat(20_000) })).text();
    assert.match(page, /id="write-message-fault">Message must be at most 10000 characters\./);
    assert.equal(page.match(/é/g)!.length, 10_000);
  });

  test('because there were too many says when to send it again, for as long as that is so', async (t) => {
    const limited = await openTestService({ LIMITS: '1' });
    t.after(() => limited.close());
    const visitor = await openWriter(limited);
    for (let count = 0; count < 5; count += 1) await visitor.write({ message: `${count}` });
    await visitor.write({ message: 'One too many' });
    const { text, hasFaults, page } = await draftOf(visitor);
    assert.deepEqual([text, hasFaults], ['One too many', false]);
    assert.match(page, /Nothing was sent\. There were too many requests\. Try again in (an hour|\d+ minutes)\./);
  });
});

describe('the cookie', () => {
  const enter = async (one: typeof service, fields: Record<string, string> = {}) => {
    const typed = { form_token: await strangersToken(one), email: newAddress(), ...fields };
    return (await sendForm(openVisitor(one), '/', typed)).headers.getSetCookie();
  };

  test('over http on this machine is HttpOnly and SameSite=Lax, and ends with the browser', async () => {
    const cookies = await enter(service);
    assert.equal(cookies.length, 1);
    assert.match(cookies[0]!, /^visitor=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('over https is for this host only', async (t) => {
    const secure = await openTestService({ BASE_URL: 'https://profile.example.org' });
    t.after(() => secure.close());
    const [cookie = ''] = await enter(secure);
    assert.match(cookie, /^__Host-visitor=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const value = cookie.split(';')[0]!.split('=')[1];
    const open = async (name: string) => stateOf(await openPage(secure, '/', { cookie: `${name}=${value}` }));
    assert.equal(await open('__Host-visitor'), 'profile');
    assert.equal(await open('visitor'), 'landing');
  });

  test('stays for 30 days if the visitor asks to be remembered, or as long as the token', async (t) => {
    // A token is issued at a whole second, so that a session may be one shorter.
    assert.match((await enter(service, { remember: 'on' }))[0]!, /; Max-Age=(2592000|2591999); /);
    const short = await openTestService({ TOKEN_TTL: '7d' });
    t.after(() => short.close());
    assert.match((await enter(short, { remember: 'on' }))[0]!, /; Max-Age=(604800|604799); /);
    assert.match(await (await openPage(short, '/')).text(), /name="remember"> Remember me on this device for 7 days/);
  });

  test('is set by the forms that open the profile and by nothing else', async () => {
    const { visitor, form_token } = await openVisit();
    for (const path of ['/', '/profile/record', '/profile/pdf', '/profile/session', '/privacy', '/docs'])
      assert.deepEqual((await visitor.send(path)).headers.getSetCookie(), [], path);
    const answered = await sendForm(visitor, '/profile/token', { form_token });
    assert.deepEqual([answered.status, answered.headers.getSetCookie()], [303, []]);
  });

  test('what was typed in place of an address is kept in another for ten minutes, or until the profile opens', async () => {
    const visitor = openVisitor(service);
    const form_token = hiddenField(await (await visitor.get('/')).text(), 'form_token');
    const send = (fields: Record<string, string>) => sendForm(visitor, '/', { form_token, ...fields });
    const refused = await send({ email: 'ada@', remember: 'on' });
    assert.deepEqual([refused.status, refused.headers.get('location')], [303, '/?wrong=address']);
    const kept = ['typed=email%3Dada%2540%26remember%3Don; Max-Age=600; Path=/; HttpOnly; SameSite=Lax'];
    assert.deepEqual(refused.headers.getSetCookie(), kept);
    const page = await (await visitor.get('/?wrong=address')).text();
    assert.match(page, /value="ada@" aria-invalid="true".*name="remember" checked/s);
    assert.doesNotMatch(await (await visitor.get('/')).text(), /ada@"/);
    await send({ email: newAddress() });
    assert.equal(await stateOf(await visitor.get('/profile/opened')), 'profile');
    assert.deepEqual([...visitor.cookies.keys()], ['visitor']);
  });

  test('a visitor whose browser keeps none is told so, and not asked for the address again and again', async () => {
    const typed = { form_token: await strangersToken(), email: newAddress() };
    const opened = await sendForm(openVisitor(service), '/', typed);
    const page = await (await openPage(service, opened.headers.get('location')!)).text();
    assert.match(page, /Your browser has not kept the cookie by which the profile is opened\. Allow cookies/);
  });

  test('is ignored by REST and MCP [TRUST-75]', async () => {
    const { visitor } = await openVisit();
    for (const path of ['/candidate', '/experience', '/resume?format=pdf', '/me'])
      assert.equal((await visitor.send(path, { headers: { accept: 'application/json' } })).status, 401, path);
    const contact = postJson({ ...message }, { accept: 'application/json' });
    assert.equal((await visitor.send('/contact', contact)).status, 401);
    const { body, headers } = callTool('2026-07-28', 'get_candidate');
    assert.equal((await visitor.send('/mcp', { method: 'POST', body: body!, headers: { ...headers } })).status, 401);
    const index = await visitor.send('/', { headers: { accept: 'application/json' } });
    assert.match(index.headers.get('content-type')!, /^application\/json/);
  });
});

describe('nobody else can use a session', () => {
  test('a cookie that was set beforehand is not taken over: each entry has a new secret, the old one ends [TRUST-75]', async () => {
    const planted = 'x'.repeat(43);
    const visitor = openVisitor(service);
    visitor.cookies.set('visitor', planted);
    await visitor.getAccess(newAddress());
    const [first] = visitor.cookies.values();
    assert.notEqual(first, planted);
    assert.equal(await stateOf(await openPage(service, '/', { cookie: `visitor=${planted}` })), 'landing');

    // One that an attacker has opened, and set in the browser of somebody else.
    const { visitor: attacker } = await openVisit();
    const [stolen] = attacker.cookies.values();
    const victim = openVisitor(service);
    victim.cookies.set('visitor', stolen!);
    const email = newAddress();
    await sendForm(victim, '/', { form_token: await strangersToken(), email });
    assert.match(await (await victim.get('/')).text(), new RegExp(`You are here as <bdi>${email}</bdi>`));
    assert.equal(await stateOf(await openPage(service, '/', { cookie: `visitor=${stolen}` })), 'landing');
  });

  test('a token opens sessions as often as it reads, and the page keeps it to try again [TRUST-75]', async (t) => {
    const limited = await openTestService({ LIMITS: '0.1' });
    t.after(() => limited.close());
    const { token } = limited;
    const form_token = await strangersToken(limited);
    const enter = () => sendForm(openVisitor(limited), '/profile', { form_token, token });
    for (let count = 0; count < 12; count += 1) assert.equal((await enter()).status, 303);
    const refused = await enter();
    assert.deepEqual([refused.status, refused.headers.has('retry-after')], [429, true]);
    assert.match(await refused.text(), new RegExp(`value="${token}"`));
  });

  const forms = ['/profile/write', '/profile/token', '/profile/leave', '/profile/record/erase', '/profile/session'];
  test('a form of another origin does nothing, nor does one with the form token of another session [TRUST-75]', async () => {
    const [{ visitor, email, form_token }, { form_token: foreign }] = [await openVisit(), await openVisit()];
    const post = async (path: string, token: string, headers: Record<string, string> = {}) =>
      (await sendForm(visitor, path, { form_token: token, ...message }, headers)).status;
    const without = await strangersToken();
    for (const path of forms) {
      assert.equal(await post(path, form_token, { 'sec-fetch-site': 'cross-site' }), 403, path);
      assert.equal(await post(path, form_token, { 'sec-fetch-site': 'same-site' }), 403, path);
      for (const token of [foreign, without, '1.x']) assert.equal(await post(path, token), 403, path);
    }
    const [token] = await tokensOf(email);
    assert.equal(service.opened.tokens.isRevoked(token!), false);
    assert.match(await (await visitor.get('/')).text(), /Show my token/);
    assert.equal((await service.opened.store.contacts.list(byAddress(email))).length, 0);
  });

  test('a page for a session is kept by no cache, and nothing of it is compressed', async () => {
    const visitor = openVisitor(service, { 'accept-encoding': 'gzip' });
    await visitor.getAccess(newAddress());
    for (const path of ['/', '/profile/record']) {
      const { headers } = await visitor.send(path);
      assert.deepEqual(
        [headers.get('cache-control'), headers.get('vary'), headers.get('content-encoding')],
        ['no-store', 'Accept, Cookie', null],
        path,
      );
    }
  });
});

describe('a session is over', () => {
  const isOver = async ({ visitor, form_token }: Awaited<ReturnType<typeof openVisit>>) => {
    const page = await (await visitor.get('/')).text();
    assert.match(page, /Your access from this browser has ended: it has expired, or was revoked\./);
    assert.equal((await sendForm(visitor, '/profile/token', { form_token })).status, 401);
    assert.equal((await visitor.send('/profile/session')).status, 204);
    assert.equal((await visitor.send('/profile/pdf')).headers.get('location'), '/');
  };

  test('once its token is revoked, or all tokens of its address [TRUST-75]', async () => {
    const [one, other] = [await openVisit(), await openVisit()];
    const [token] = await tokensOf(one.email);
    await service.opened.tokens.revoke({ kind: 'jti', jti: token!.jti });
    await isOver(one);
    await service.opened.tokens.revoke({ kind: 'subject', subject: byAddress(other.email) });
    await isOver(other);
  });

  test('30 days after it was opened, or with its token if that is sooner; then its row is erased [TRUST-75]', async (t) => {
    for (const TOKEN_TTL of ['90d', '7d']) {
      const one = await openTestService({ TOKEN_TTL });
      t.after(() => one.close());
      const path = join(one.folder, 'candidate-profile.db');
      const visit = await openVisit(one);
      const [row] = rowsOf(path, 'select created_at, expires_at from page_sessions');
      const [token] = await one.opened.store.tokens.listOf([keyOf(visit.email)]);
      const inThirtyDays = new Date(Date.parse(String(row!.created_at)) + 30 * 86_400_000);
      const end = TOKEN_TTL === '90d' ? inThirtyDays : token!.expiresAt;
      assert.equal(row!.expires_at, end.toISOString());
      rowsOf(path, `update page_sessions set expires_at = '2026-01-01T00:00:00.000Z'`);
      await isOver(visit);
      await one.opened.store.expiry.erase(new Date(), { contacts: null, mail: new Date(0), reads: new Date(0) });
      assert.deepEqual(rowsOf(path, 'select * from page_sessions'), []);
    }
  });

  test('when its token has opened 20 others; no session of another token ends [TRUST-75]', async () => {
    const other = await openVisit();
    const visitors = Array.from({ length: 21 }, () => openVisitor(service));
    for (const visitor of visitors) await visitor.post('/profile', { token: service.token });
    const states = await Promise.all([...visitors, other.visitor].map(async ({ get }) => stateOf(await get('/'))));
    assert.deepEqual(states, ['landing', ...Array(21).fill('profile')]);
  });

  testOnSqlite(
    'and its secret, or a plain hash of it, is neither in the database nor in a backup [TRUST-75]',
    async (t) => {
      const { visitor } = await openVisit();
      const [secret] = visitor.cookies.values();
      const path = join(service.folder, 'candidate-profile.db');
      const backup = join(newFolder(t), 'backup.db');
      await backUp(path, backup);
      for (const file of [path, `${path}-wal`, backup]) {
        const bytes = readFileSync(file);
        for (const hidden of [secret!, hash(secret!)]) assert.equal(bytes.includes(hidden), false, file);
      }
      assert.notEqual(rowsOf(backup, 'select hash from page_sessions').length, 0);
    },
  );

  test('once its visitor is erased [TRUST-75]', async () => {
    const visit = await openVisit();
    await service.opened.store.visitors.erase(byAddress(visit.email));
    await isOver(visit);
  });

  // On PostgreSQL the keys are in SIGNING_KEY.
  testOnSqlite(
    'once the signing key that it was opened under is dropped, but not when another one begins to sign [TRUST-75]',
    async (t) => {
      const one = await openTestService();
      t.after(() => one.close());
      const { visitor } = await openVisit(one);
      const inAnHour = new Date(Date.now() + 3_600_000);
      const replaceKeys = async (isDropping: boolean) => {
        await replaceKeyFile(keyFileIn(one.folder), async (text) =>
          JSON.stringify({ keys: await rotate(isDropping ? [] : readKeySet(text).signing, inAnHour, new Date()) }),
        );
        await one.opened.keys.refresh();
      };
      await replaceKeys(false);
      assert.equal(await stateOf(await visitor.get('/')), 'profile');
      await replaceKeys(true);
      assert.equal(await stateOf(await visitor.get('/')), 'landing');
      assert.equal((await visitor.send('/profile/session')).status, 204);
    },
  );
});
