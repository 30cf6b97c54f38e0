import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { linkOpeningsOf } from '../../src/operations/link-openings.ts';
import { endLink, listLinks } from '../../src/operations/owner/links.ts';
import { testOnSqlite } from '../support/database.ts';
import { message, openLinks } from '../support/links.ts';
import { hiddenField, openPage, openVisitor, textOf } from '../support/pages.ts';
import { postJson } from '../support/post-json.ts';

test('a link shows whose profile it is, and opens it by a button, without an address', async (t) => {
  const { make, openLink, query, ...service } = await openLinks(t);
  const { id, path } = await make();
  const shown = await openPage(service, path);
  assert.equal(shown.status, 200);
  assert.match(textOf(await shown.text()), /^Tess Example .*Open the profile/);
  const { response, page } = await openLink(path);
  assert.equal(response.status, 200);
  assert.match(textOf(page), /You are here through a link\. Keep it to come back\./);
  assert.match(page, /An assistant needs the address alone: it opens a page here, on which you allow it\./);
  assert.ok(!page.includes('Acme') && !page.includes(id));
  assert.deepEqual(query("select subject, page_report from issued_tokens where subject like 'link:%'"), [
    { subject: `link:${id}`, page_report: 'mailed' },
  ]);
  assert.equal((await service.opened.store.links.find(id))?.openedAt === null, false);
});

test('each browser that opens a link has a token of its own; the same browser keeps its token', async (t) => {
  const { make, openLink, query } = await openLinks(t);
  const { path } = await make();
  const { visitor } = await openLink(path);
  await visitor.post(path, {}, path);
  await openLink(path);
  assert.deepEqual(query("select count(*) as n from issued_tokens where subject like 'link:%'"), [{ n: 2 }]);
  assert.deepEqual(query("select count(*) as n from outbox where visitor like 'link:%'"), [{ n: 1 }]);
});

test('a browser that opens another link, or had entered an address, is a visitor of the latest link only', async (t) => {
  const { make, query, ...service } = await openLinks(t);
  const [first, second] = [await make(), await make()];
  const visitor = openVisitor(service);
  const subjects = () =>
    query('select subject from issued_tokens join page_sessions using (jti) order by page_sessions.created_at');
  await visitor.getAccess('ada@example.com');
  for (const { id, path } of [first, second, first]) {
    await visitor.post(path, {}, path);
    assert.deepEqual(subjects(), [{ subject: `link:${id}` }]);
  }
  await visitor.post('/', { email: 'ada@example.com' }, first.path);
  assert.deepEqual(subjects(), [{ subject: 'ada@example.com' }]);
});

test('another site cannot open a link in the browser of somebody', async (t) => {
  const { make, query, ...service } = await openLinks(t);
  const { path } = await make();
  const form_token = hiddenField(await (await openPage(service, path)).text(), 'form_token');
  const send = (headers: Record<string, string>, fields: Record<string, string> = { form_token }) =>
    service.ask(path, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) });
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    {},
  ])
    assert.equal((await send(headers as Record<string, string>)).status, 403, JSON.stringify(headers));
  assert.equal((await send({ 'sec-fetch-site': 'same-origin' }, {})).status, 403);
  assert.deepEqual(query("select jti from issued_tokens where subject like 'link:%'"), []);
});

test('GET and HEAD, which link previews and mail scanners send, store and record nothing', async (t) => {
  const { make, query, ...service } = await openLinks(t);
  const { id, path } = await make();
  const agents = ['Slackbot-LinkExpanding 1.0', 'facebookexternalhit/1.1', 'Barracuda Sentinel', 'Mozilla/5.0'];
  const tables = ['issued_tokens', 'page_sessions', 'outbox', 'reads', 'quota_windows'];
  const counts = () => tables.map((table) => query(`select count(*) as n from ${table}`)[0]?.n);
  const before = counts();
  for (const agent of agents)
    for (const method of ['GET', 'HEAD'])
      assert.equal((await service.ask(path, { method, headers: { 'user-agent': agent } })).status, 200);
  assert.deepEqual(counts(), before);
  assert.equal((await service.opened.store.links.find(id))?.openedAt, null);
});

test('a preview of a link leads back to the link, and one of the first page to the first page', async (t) => {
  const { make, ...service } = await openLinks(t, { BASE_URL: 'https://profile.example' });
  const { path, code } = await make();
  const addressesIn = async (at: string) =>
    [...(await (await openPage(service, at)).text()).matchAll(/(?:canonical" href|og:url" content)="([^"]+)"/g)].map(
      ([, address]) => address,
    );
  assert.deepEqual(await addressesIn(path), [`https://profile.example/s/${code}`]);
  assert.deepEqual(await addressesIn('/'), ['https://profile.example/', 'https://profile.example/']);
});

test('no robot lists a link, no other site learns it, and nothing keeps the page', async (t) => {
  const { make, ...service } = await openLinks(t);
  const { path } = await make();
  const visitor = openVisitor(service);
  const form_token = hiddenField(await (await openPage(service, path)).text(), 'form_token');
  const opened = await visitor.send(path, { method: 'POST', body: new URLSearchParams({ form_token }) });
  assert.deepEqual([opened.status, opened.headers.get('location')], [303, '/profile/opened']);
  for (const response of [await openPage(service, path), await openPage(service, `/s/${'A'.repeat(22)}`), opened]) {
    assert.equal(response.headers.get('referrer-policy'), 'same-origin');
    assert.equal(response.headers.get('x-robots-tag'), 'noindex');
    assert.equal(response.headers.get('cache-control'), 'no-store');
  }
});

test('unknown, altered, ended and expired codes have one answer, to the byte, by GET and by POST', async (t) => {
  const { make, run, query, ...service } = await openLinks(t);
  const [ended, past, working] = [await make(), await make(), await make()];
  await run(endLink, { id: ended.id });
  query(`update links set until = '2020-01-01T00:00:00.000Z' where id = '${past.id}'`);
  const last = working.code.at(-1)!;
  const codes = {
    unknown: randomBytes(16).toString('base64url'),
    altered: (working.code[0] === 'A' ? 'B' : 'A') + working.code.slice(1),
    'with other padding bits': working.code.slice(0, -1) + String.fromCharCode(last.charCodeAt(0) + 1),
    'percent-encoded': `%${working.code.charCodeAt(0).toString(16)}${working.code.slice(1)}`,
    'with a slash after it': `${working.code}/`,
    'with padding': `${working.code}==`,
    'cut off': working.code.slice(0, -1),
    ended: ended.code,
    past: past.code,
  };
  const form_token = hiddenField(await (await openPage(service, working.path)).text(), 'form_token');
  const answerTo = async (code: string, init: RequestInit) => {
    const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
    const response = await service.ask(`/s/${code}`, { redirect: 'manual', ...init, headers });
    return { status: response.status, headers: [...response.headers], body: await response.text() };
  };
  const first = await answerTo(codes.unknown, {});
  assert.equal(first.status, 404);
  assert.match(first.body, /This link does not open anything/);
  assert.match(first.body, /<a href="\/">To the first page<\/a>/);
  for (const [what, code] of Object.entries(codes)) {
    assert.deepEqual(await answerTo(code, {}), first, what);
    const body = new URLSearchParams({ form_token });
    assert.deepEqual(await answerTo(code, { method: 'POST', body }), first, what);
  }
  assert.equal((await openPage(service, `${working.path}?utm_source=mail`)).status, 200);
});

test('the code of a link that has ended costs one query, and then none, as a forged one', async (t) => {
  const { make, run, query, ...service } = await openLinks(t);
  const [ended, past, working] = [await make(), await make(), await make()];
  await run(endLink, { id: ended.id });
  query(`update links set until = '2020-01-01T00:00:00.000Z' where id = '${past.id}'`);
  const { links } = service.opened.store;
  const { find } = links;
  const found: string[] = [];
  links.find = (id) => {
    found.push(id);
    return find(id);
  };
  for (let times = 0; times < 3; times += 1)
    for (const { path } of [ended, past, working]) await openPage(service, path);
  assert.deepEqual(found, [ended.id, past.id, working.id, working.id, working.id]);
});

test('a link that may not write has no form for messages and no token, and its session can send none', async (t) => {
  const { make, openLink, query } = await openLinks(t);
  const { path } = await make({ may_write: false });
  const { visitor, page } = await openLink(path);
  assert.doesNotMatch(page, /id="write"|id="use-it"|\/profile\/token/);
  for (const [form, fields] of [
    ['/profile/write', message],
    ['/profile/token', {}],
    ['/profile/session', {}],
  ] as const)
    assert.equal((await visitor.post(form, fields)).status, 403, form);
  assert.deepEqual(query('select count(*) as n from contacts'), [{ n: 0 }]);
});

for (const how of ['by the owner', 'before this process learns of the revocation'])
  test(`a session ends with its link at the next page, if that is ended ${how}`, async (t) => {
    const { make, run, openLink, opened } = await openLinks(t);
    const { id, path } = await make();
    const { visitor } = await openLink(path);
    await (how === 'by the owner' ? run(endLink, { id }) : opened.store.links.end(id, new Date()));
    assert.match(textOf(await (await visitor.get('/')).text()), /Your access from this browser has ended/);
  });

test('the token of an opening lasts no longer than the link', async (t) => {
  const { make, openLink, query } = await openLinks(t);
  const until = new Date(Date.now() + 3_600_500);
  const { path } = await make({ until });
  await openLink(path);
  const [row] = query("select expires_at from issued_tokens where subject like 'link:%'");
  assert.equal(row?.expires_at, new Date(Math.floor(until.getTime() / 1_000) * 1_000).toISOString());
});

test('a network that looks at too many links, or opens too many, is told to wait, whatever the code', async (t) => {
  const { make, ...service } = await openLinks(t, { LIMITS: '1' });
  const { path } = await make();
  const statuses: number[] = [];
  for (let n = 0; n < 30; n += 1)
    for (const one of [path, `/s/${'A'.repeat(22)}`]) statuses.push((await openPage(service, one)).status);
  assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.length], [30, 60]);
  for (const one of [path, `/s/${'A'.repeat(22)}`]) assert.equal((await openPage(service, one)).status, 429);
});

test('all networks together open a link 300 times a minute; then a page says so and looks again', async (t) => {
  const { make, openLink: openHere, from } = await openLinks(t, { LIMITS: '0.1' });
  const { path } = await make();
  const { visitor: known } = await openHere(path);
  async function pressFrom(address: string): Promise<Response> {
    const visitor = openVisitor(from(address));
    const form_token = hiddenField(await (await visitor.send(path)).text(), 'form_token');
    return await visitor.send(path, { method: 'POST', body: new URLSearchParams({ form_token }) });
  }
  const statuses: number[] = [];
  for (let n = 1; n <= 30; n += 1) statuses.push((await pressFrom(`2001:db8:${n}::1`)).status);
  assert.deepEqual(statuses, [...Array(29).fill(303), 429]);

  const refused = await pressFrom('2001:db8:31::1');
  const seconds = Number(refused.headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 60, `${seconds}`);
  const page = await refused.text();
  assert.ok(page.includes(`<meta http-equiv="refresh" content="${seconds}; url=${path}">`));
  assert.match(textOf(page), /This link is opened very often at the moment .* this page looks again by itself/);
  assert.equal((await openPage(from('2001:db8:32::1'), path)).status, 200);

  assert.equal((await known.post(path, {}, path)).status, 200);
  const { path: other } = await make();
  assert.equal((await openHere(other)).response.status, 200);
});

test('figures count the openings of a link from one network within an hour as one person', async (t) => {
  const { make, run, opened, ...service } = await openLinks(t);
  const { id } = await make();
  const link = (await opened.store.links.find(id))!;
  async function openAt(hour: string, address: string): Promise<void> {
    const services = { ...opened.services, now: () => new Date(`2027-03-01T${hour}:00Z`) };
    const openings = linkOpeningsOf({ services, hashVisitor: opened.hashVisitor, idOf: () => id });
    const token = await openings.open(link, address);
    const bearer = { authorization: `Bearer ${await opened.tokens.sign(token)}` };
    const sent = postJson({ ...message, message: `Hello from ${address}` }, bearer);
    assert.equal((await service.ask('/contact', sent)).status, 201);
  }
  const figures = async () => {
    const [listed] = await run(listLinks, {});
    const [activity] = await opened.store.readers.activitySince(new Date(0));
    return [listed!.people, listed!.visits, activity!.requests];
  };
  for (let block = 0; block < 20; block += 1) await openAt('10:59', `2001:db8:7:${block.toString(16)}::1`);
  assert.deepEqual(await figures(), [1, 1, 1]);
  for (const address of ['198.51.100.7', '198.51.100.7', '198.51.100.8']) await openAt('10:05', address);
  assert.deepEqual(await figures(), [3, 3, 3]);
  await openAt('11:00', '198.51.100.7');
  assert.deepEqual(await figures(), [4, 4, 4]);
});

testOnSqlite('the code is in no file of the service but the key, from which it is made', async (t) => {
  const { make, openLink, folder, ...service } = await openLinks(t);
  const { path, code } = await make();
  const { visitor } = await openLink(path);
  await visitor.get('/profile/record');
  await service.opened.store.probeWrite();
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.ok(files.length > 2);
  for (const file of files) {
    const text = readFileSync(join(file.parentPath, file.name), 'latin1');
    assert.ok(!text.includes(code.slice(8)), file.name);
  }
});
