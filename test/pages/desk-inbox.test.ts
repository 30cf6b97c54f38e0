import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { rowsOf } from '../support/database.ts';
import { signIn } from '../support/desk.ts';
import { openTestService } from '../support/in-process.ts';
import { eventually } from '../support/process.ts';

const grace = {
  name: 'Grace Hopper',
  email: 'grace@example.org',
  company: 'Eckert–Mauchly',
  message: 'We are hiring.\nCall me?',
};

/** A service with messages, and its owner at the desk. */
async function openDesk(t: TestContext, messages: readonly object[]) {
  const service = await openTestService();
  t.after(service.close);
  const ids: string[] = [];
  for (const message of messages) {
    const sent = await service.post('/contact', { ...grace, ...message });
    assert.equal(sent.status, 201);
    ids.push(((await sent.json()) as { id: string }).id);
  }
  const owner = await signIn(service);
  const page = async (path: string) => {
    const response = await owner.get(path);
    assert.equal(response.status, 200, path);
    return response.text();
  };
  return { ...service, ...owner, ids, page };
}

const namesIn = (page: string) => [...page.matchAll(/class="name">([^<]*)</g)].map(([, name]) => name);
const unreadIn = (page: string) => Number(/Inbox<sup>(\d+)/.exec(page)?.[1] ?? 0);

/** Returns the contents of the files of a folder by their names. */
const contentsOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile())
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'latin1') }));

const filesWith = (folder: string, text: RegExp) =>
  contentsOf(folder).flatMap(({ name, text: content }) => {
    const [found] = text.exec(content) ?? [];
    return found === undefined ? [] : [`${name}: ${found}`];
  });

/** The files and the tables of a service that hold a text: on PostgreSQL, its folder has no database. */
const placesWith = (folder: string, text: RegExp) => [
  ...filesWith(folder, text),
  ...['contacts', 'issued_tokens', 'outbox'].filter((table) =>
    text.test(JSON.stringify(rowsOf(join(folder, 'candidate-profile.db'), `select * from ${table}`))),
  ),
];

/** The file of a mail that is being written is removed a moment later. */
const isGone = (folder: string, text: RegExp) => eventually(() => placesWith(folder, text).length === 0);

test('an empty inbox says what will be there, and offers nothing to export', async (t) => {
  const { page } = await openDesk(t, []);
  const empty = await page('/desk/inbox');
  assert.match(empty, /No messages\. When somebody writes to you/);
  assert.doesNotMatch(empty, /Export/);
  assert.match(await page('/desk/inbox?state=spam'), /No spam messages\./);
});

test('the list has sender, company, beginning and instant of each message, and marks new ones', async (t) => {
  const { page, ids } = await openDesk(t, [{}]);
  const list = await page('/desk/inbox');
  assert.match(list, new RegExp(`href="/desk/inbox/${ids[0]}"`));
  assert.match(list, /Grace Hopper<\/bdi>, <bdi>Eckert–Mauchly/);
  assert.match(list, /dir="auto">We are hiring\. Call me\?</);
  assert.match(list, /<time datetime="20[\d-]+T[\d:.]+Z" title="[^"]+">just now<\/time>/);
  assert.match(list, /<span class="unseen">Unread: <\/span>/);
  assert.equal(unreadIn(list), 1);
});

test('of 250 messages 200 are on a page, and the rest one link away', async (t) => {
  const { page } = await openDesk(
    t,
    Array.from({ length: 250 }, (_, number) => ({ name: `Sender ${number}`, message: `Message ${number}` })),
  );
  const first = await page('/desk/inbox');
  assert.match(first, /<a href="\/desk\/inbox\?page=2">Older<\/a>/);
  assert.doesNotMatch(first, />Newer</);
  const second = await page('/desk/inbox?page=2');
  assert.match(second, /<a href="\/desk\/inbox">Newer<\/a>/);
  assert.doesNotMatch(second, />Older</);
  assert.deepEqual([namesIn(first).length, namesIn(second).length], [200, 50]);
  assert.equal(new Set([...namesIn(first), ...namesIn(second)]).size, 250);
  const found = await page('/desk/inbox?q=sender+24&state=unread');
  assert.equal(namesIn(found).length, 11);
});

test('a message that is opened is read; one that HEAD or a prefetch asks for stays unread', async (t) => {
  const { page, ids, ask, cookie } = await openDesk(t, [{}]);
  const path = `/desk/inbox/${ids[0]}`;
  assert.equal((await ask(path, { method: 'HEAD', headers: { cookie } })).status, 200);
  for (const purpose of ['prefetch', 'prefetch;prerender'])
    assert.match(await (await ask(path, { headers: { cookie, 'sec-purpose': purpose } })).text(), /We are hiring/);
  assert.equal(unreadIn(await page('/desk')), 1);
  const opened = await page(path);
  assert.equal(unreadIn(opened), 0);
  assert.match(opened, /<p class="soft small">Read<\/p>/);
  assert.doesNotMatch(await page('/desk/inbox'), /Unread: /);
});

test('a message is marked, archived and put among spam, and found there', async (t) => {
  const { page, ids, post, opened } = await openDesk(t, [{}]);
  const stateOf = async () => (await opened.store.contacts.find(ids[0]!))?.state;
  const mark = async (state: string) => (await post(`/desk/inbox/${ids[0]}/state`, { state })).headers.get('location');
  assert.equal(await mark('replied'), `/desk/inbox/${ids[0]}`);
  assert.match(await page(`/desk/inbox/${ids[0]}`), /You replied/);
  assert.equal(await stateOf(), 'replied');
  assert.equal(await mark('unread'), '/desk/inbox?done=unread');
  assert.equal(await stateOf(), 'unread');
  for (const state of ['archived', 'spam']) {
    assert.equal(await mark(state), `/desk/inbox?done=${state}`);
    assert.deepEqual(namesIn(await page('/desk/inbox')), []);
    assert.deepEqual(namesIn(await page(`/desk/inbox?state=${state}`)), ['Grace Hopper']);
  }
  assert.deepEqual(namesIn(await page('/desk/inbox?state=all')), ['Grace Hopper']);
  const wrong = await post(`/desk/inbox/${ids[0]}/state`, { state: 'gone' });
  assert.equal(wrong.status, 400);
  assert.equal(await stateOf(), 'spam');
});

test('a message that does not exist has a page that says so', async (t) => {
  const { get, post } = await openDesk(t, []);
  const gone = await get('/desk/inbox/contact_0');
  assert.equal(gone.status, 404);
  assert.match(await gone.text(), /may have been removed.*<a href="\/desk">To your desk<\/a>/s);
  assert.equal((await post('/desk/inbox/contact_0/state', { state: 'read' })).status, 404);
  assert.equal((await post('/desk/inbox/contact_0/state', { state: 'gone' })).status, 404);
  assert.equal((await post('/desk/inbox/contact_0/erase', { what: 'message' })).status, 404);
});

const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u202egpj.exe\' javascript:alert(1)';

test('whatever a visitor writes is shown as text, with what hides or turns it written out', async (t) => {
  const { page, ids } = await openDesk(t, [
    { name: hostile, company: hostile, message: `${hostile}\n${'x'.repeat(9_000)}`, email: "o'b+&bcc=x@example.org" },
  ]);
  const search = encodeURIComponent(hostile);
  for (const path of ['/desk/inbox', `/desk/inbox/${ids[0]}`, `/desk/inbox?q=${search}`, `/desk/inbox?q=${search}x`]) {
    // The field keeps what was searched as it is.
    const text = (await page(path)).replace(/name="q" value="[^"]*"/, '');
    assert.doesNotMatch(text, /<script>|<img src=x|\u202e|href="javascript/, path);
    assert.match(text, /&quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;/, path);
  }
  const message = await page(`/desk/inbox/${ids[0]}`);
  assert.match(message, /\\u\{202e\}gpj\.exe/);
  assert.match(message, /href="mailto:o&#39;b%2B%26bcc%3Dx@example\.org\?subject=/);
});

test('a message says with which token it came, and that no address is verified', async (t) => {
  const { page, ids } = await openDesk(t, [{}, { email: 'Visitor@example.org' }]);
  assert.match(await page(`/desk/inbox/${ids[0]}`), /Issued to another address<\/strong>, <bdi>visitor@example\.org</);
  assert.match(await page(`/desk/inbox/${ids[1]}`), /Issued to the same address\. Nobody has checked/);
  assert.match(await page(`/desk/inbox/${ids[1]}`), /not verified/);
});

test('an export has the records that the command prints, and the audit log counts them', async (t) => {
  const { get, ids, folder, post } = await openDesk(t, [{}, { name: 'Ada' }]);
  await post(`/desk/inbox/${ids[0]}/state`, { state: 'spam' });
  const all = await get('/desk/inbox/export?state=all');
  assert.equal(all.headers.get('content-disposition'), 'attachment; filename="contact-requests.json"');
  assert.equal(all.headers.get('cache-control'), 'no-store');
  const [ada, one] = (await all.json()) as Record<string, string>[];
  const { received_at, ...rest } = one!;
  assert.deepEqual(rest, { id: ids[0], ...grace, subject: 'visitor@example.org', state: 'spam' });
  assert.equal(new Date(received_at!).toISOString(), received_at);
  assert.equal(ada!.name, 'Ada');
  assert.deepEqual(((await (await get('/desk/inbox/export')).json()) as unknown[]).length, 1);
  assert.deepEqual(((await (await get(`/desk/inbox/${ids[0]}/export`)).json()) as unknown[]).length, 1);
  const [audit] = contentsOf(join(folder, 'audit'));
  const details = [...audit!.text.matchAll(/"contacts_exported","detail":"(\d)"/g)];
  assert.deepEqual(
    details.map(([, count]) => count),
    ['2', '1', '1'],
  );
});

test('the same records are there as CSV, of a list or of one message, with links to both', async (t) => {
  const { get, ids, page } = await openDesk(t, [{}, { name: '=Ada' }]);
  assert.match(
    await page('/desk/inbox?state=all'),
    /href="\/desk\/inbox\/export\.csv\?state=all" download>CSV<.*href="\/desk\/inbox\/export\?state=all" download>JSON</,
  );
  assert.match(
    await page(`/desk/inbox/${ids[0]}`),
    new RegExp(`href="/desk/inbox/${ids[0]}/export.csv" download>CSV<`),
  );
  const all = await get('/desk/inbox/export.csv?state=all');
  assert.equal(all.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  const [heading, first, second] = (await all.text()).split('\r\n');
  assert.equal(heading, 'id,received_at,name,email,company,message,subject,state');
  assert.match(
    first!,
    /^\w+,20[^,]+Z,'=Ada,grace@example\.org,Eckert–Mauchly,"We are hiring\.\nCall me\?",visitor@example\.org,unread$/,
  );
  assert.match(second!, /,Grace Hopper,/);
  assert.equal((await (await get(`/desk/inbox/${ids[0]}/export.csv`)).text()).split('\r\n').length, 3);
});

test('erasing a message leaves none of its bytes, and the visitor and their other messages as they were', async (t) => {
  const { post, ids, folder, page, get, token, ask } = await openDesk(t, [
    { message: 'secret-one-7316', company: 'secret-company-7316' },
    { message: 'kept-9920' },
  ]);
  assert.notDeepEqual(placesWith(folder, /secret-one-7316/), []);
  const erased = await post(`/desk/inbox/${ids[0]}/erase`, { what: 'message' });
  assert.equal(erased.headers.get('location'), '/desk/inbox?done=erased');
  assert.match(await page('/desk/inbox?done=erased'), /role="status">Erased\./);
  await isGone(folder, /secret-(one|company)-7316/);
  assert.notDeepEqual(placesWith(folder, /kept-9920/), []);
  assert.equal((await get(`/desk/inbox/${ids[0]}`)).status, 404);
  assert.equal((await ask('/candidate', { headers: { authorization: `Bearer ${token}` } })).status, 200);
  assert.equal(filesWith(join(folder, 'audit'), /"contact_erased"/).length, 1);
});

test('erasing a visitor ends their tokens and leaves no byte of them', async (t) => {
  const { post, ids, folder, page, token, ask } = await openDesk(t, [
    { message: 'secret-one-7316' },
    { message: 'secret-two-7316', email: 'other-7316@example.org' },
  ]);
  const offered = await page(`/desk/inbox/${ids[1]}`);
  assert.match(offered, /Everything of <bdi>visitor@example\.org<\/bdi>: 2 messages, 1 token/);
  assert.match(offered, /Everything of <bdi>other-7316@example\.org<\/bdi>: 1 message, 0 tokens/);
  const refused = await post(`/desk/inbox/${ids[1]}/erase`, { what: 'nobody@example.org' });
  assert.equal(refused.status, 400);
  const erased = await post(`/desk/inbox/${ids[1]}/erase`, { what: 'visitor@example.org' });
  assert.equal(erased.status, 303);
  await isGone(folder, /secret-\w+-7316|other-7316|visitor@example\.org/);
  assert.equal((await ask('/candidate', { headers: { authorization: `Bearer ${token}` } })).status, 401);
  assert.equal(filesWith(join(folder, 'audit'), /"visitor_erased"/).length, 1);
});
