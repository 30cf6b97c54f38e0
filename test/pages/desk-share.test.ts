import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeLink } from '../../src/operations/owner/links.ts';
import { invokerFor } from '../../src/operations/owner/operation.ts';
import { openOwnDesk } from '../support/desk.ts';
import { openEditorDesk as openEditor } from '../support/editor-desk.ts';
import { openVisitor, textOf } from '../support/pages.ts';
import { eventually } from '../support/process.ts';

async function open(t: TestContext) {
  const desk = await openOwnDesk(t);
  const run = invokerFor(desk.opened.owner);
  const make = async (name: string, until?: Date) =>
    (await run(makeLink, { name, view: 'all', until, may_write: true })).link.id;
  const links = () => desk.opened.store.links.list();
  return { ...desk, make, links, post: (path: string, fields = {}) => desk.post(path, fields, '/desk/share') };
}

const fields = { name: 'Initech, platform lead', view: 'all', until: '2099-01-21', may_write: 'on' };
const change = { id: 'change', step: 'step' };

/** A desk with the editor of a profile of its own. */
async function openEditorDesk(t: TestContext) {
  const desk = await openEditor(t);
  return { ...desk, links: () => desk.opened.store.links.list() };
}

const code = /http:\/\/127\.0\.0\.1:3000\/s\/[\w-]{22}/;

test('without a link, the section says what one is for, and has the form', async (t) => {
  const { page } = await open(t);
  const shown = textOf(await page('/desk/share'));
  assert.match(shown, /^Share 0 links A link opens the profile without asking for an address\./);
  assert.match(
    shown,
    /Only this computer can open http:\/\/127\.0\.0\.1:3000\. How to put your page on the internet The file README/,
  );
  assert.match(shown, /There is no link yet\. .*A new link For whom Only you see this name\./);
});

test('a link is made, and its address is shown to be copied', async (t) => {
  const { post, page, links, ask, baseUrl } = await open(t);
  const made = await post('/desk/share/new', fields);
  const [link] = await links();
  assert.deepEqual([made.status, made.headers.get('location')], [303, `/desk/share?made=${link?.id}`]);
  assert.equal(link?.until?.toISOString(), '2099-01-21T23:59:59.999Z');
  assert.equal(link?.mayWrite, true);
  const shown = await page(`/desk/share?made=${link?.id}`);
  const [address = assert.fail()] = code.exec(shown) ?? [];
  assert.match(textOf(shown), /The link for Initech, platform lead\. http.*A new link/);
  assert.match(textOf(shown), /Initech, platform lead everything not opened yet 21 Jan/);
  assert.equal((await ask(address.slice(baseUrl.length))).status, 200);
});

test('a link without a day does not end, and one without the tick may not write', async (t) => {
  const { post, links } = await open(t);
  const { may_write: _, ...rest } = { ...fields, until: '' };
  await post('/desk/share/new', rest);
  const [link] = await links();
  assert.deepEqual([link?.until, link?.mayWrite], [null, false]);
});

test('a link can show a version that is not published yet, and says so until it is', async (t) => {
  const { post, page, links, patch, publish, ...service } = await openEditorDesk(t);
  await patch([{ ...change, patch: [{ op: 'add', path: '/views', value: { acme: { title: 'Storage Engineer' } } }] }]);
  const form = await page('/desk/share?view=acme');
  assert.match(form, /<option value="acme" selected>acme, not published yet<\/option>/);
  const made = await post('/desk/share/new', { ...fields, view: 'acme' }, '/desk/share');
  const shown = await page(made.headers.get('location')!);
  assert.match(textOf(shown), /It shows the version acme not published yet: shows the public part\. Publish/);
  const [address = assert.fail()] = code.exec(shown) ?? [];
  const asVisitor = async () => {
    const visitor = openVisitor(service, { 'sec-purpose': '' });
    const path = address.slice(service.baseUrl.length);
    await visitor.post(path, {}, path);
    return (await visitor.get('/')).text();
  };
  assert.doesNotMatch(await asVisitor(), /Storage Engineer/);
  await publish();
  assert.doesNotMatch(await page(`/desk/share/${(await links())[0]!.id}`), /not published yet/);
  assert.match(await asVisitor(), /Storage Engineer/);
});

test('a new version is made for a link, under the name of the link', async (t) => {
  const { post, page, links, copy } = await openEditorDesk(t);
  await post('/desk/share/new', { ...fields, name: 'Société Générale, Paris', view: '+' }, '/desk/share');
  const [link] = await links();
  assert.equal(link?.view, 'societe-generale-paris');
  assert.deepEqual((await copy()).changes.at(-1)?.patch, [
    { op: 'add', path: '/views', value: { 'societe-generale-paris': {} } },
  ]);
  assert.match(await page('/desk/share'), /href="\/desk\/profile#version=societe-generale-paris"/);
  assert.equal((await copy()).unpublished, 1);
  // A link that is refused leaves no version behind.
  await post('/desk/share/new', { ...fields, name: ' ', view: '+' }, '/desk/share');
  await post('/desk/share/new', { ...fields, until: '2020-01-01', view: '+' }, '/desk/share');
  assert.equal((await copy()).changes.length, 1);
});

for (const [what, wrong, says] of [
  ['without a name', { name: ' ' }, 'name must not be empty'],
  ['that would have ended', { until: '2020-01-01' }, 'the day under Until must be today or later'],
  ['until a text that is not a day', { until: 'soon' }, 'the day under Until must be today or later'],
] as const)
  test(`a link ${what} is not made; the page says why, and keeps what was typed`, async (t) => {
    const { post, links } = await open(t);
    const response = await post('/desk/share/new', { ...fields, ...wrong });
    const shown = await response.text();
    assert.equal(response.status, 400);
    assert.ok(textOf(shown).includes(`No link was made: ${says}`));
    assert.match(shown, /<title>Error: Share<\/title>/);
    if (!('name' in wrong)) assert.match(shown, /value="Initech, platform lead"/);
    assert.deepEqual(await links(), []);
  });

test('the list says how often a link was opened, by how many people, and what they got', async (t) => {
  const { make, page, ...service } = await open(t);
  await make('Acme, staff engineer');
  const openLink = async (network: string) => {
    const [address = ''] = code.exec(await page('/desk/share')) ?? [];
    const path = address.slice(service.baseUrl.length);
    const visitor = openVisitor(service.from(network), { 'sec-purpose': '' });
    await visitor.post(path, {}, path);
    return visitor;
  };
  const visitor = await openLink('192.0.2.1');
  await visitor.send('/profile/pdf');
  const row = async () =>
    /Acme, staff engineer everything (.*?) does not end/.exec(textOf(await page('/desk/share')))?.[1];
  // Reads are recorded within a second.
  const until = (words: RegExp) => eventually(async () => words.test((await row()) ?? ''));
  await until(/^opened, PDF; last just now$/);
  await openLink('192.0.2.2');
  await until(/^2 people, PDF; last just now$/);
});

test('a link has a page with its address, a QR code of it, and another name', async (t) => {
  const { make, page, get, post } = await open(t);
  const id = await make('<Acme> & \u202eenigne');
  const shown = await page(`/desk/share/${id}`);
  assert.match(shown, code);
  assert.match(shown, /&lt;Acme&gt; &amp; \\u\{202e\}enigne/);
  const picture = await get(`/desk/share/${id}/qr.svg`);
  assert.equal(picture.headers.get('content-type'), 'image/svg+xml');
  assert.doesNotMatch(await picture.text(), /style=/);
  const renamed = await post(`/desk/share/${id}/rename`, { name: 'Acme' });
  assert.equal(renamed.headers.get('location'), `/desk/share/${id}?done=renamed`);
  assert.match(textOf(await page(`/desk/share/${id}`)), /^Share Acme does not end/);
});

test('a link to a view that the profile does not have any more says so, in the list and on its page', async (t) => {
  const { page, opened } = await open(t);
  const link = { id: '0123456789ab', name: 'Acme', view: 'systems', until: null, mayWrite: true, madeAt: new Date() };
  await opened.store.links.add(link);
  for (const path of ['/desk/share', `/desk/share/${link.id}`])
    assert.match(textOf(await page(path)), /systems gone: shows the public part/);
});

test('a link is ended at the desk, and its page and picture have no code any more', async (t) => {
  const { make, page, get, post } = await open(t);
  const id = await make('Acme');
  const ended = await post(`/desk/share/${id}/end`);
  assert.equal(ended.headers.get('location'), '/desk/share?done=ended');
  const shown = await page('/desk/share?done=ended');
  assert.match(textOf(shown), /The link has ended, and so has the access of those who opened it\./);
  assert.match(textOf(shown), /No link is open\. Make one/);
  assert.match(textOf(shown), /1 link that ended within 90 days .*Acme everything not opened yet ended just now/);
  for (const path of ['', `/${id}`]) assert.doesNotMatch(await page(`/desk/share${path}`), code);
  assert.equal((await get(`/desk/share/${id}/qr.svg`)).status, 404);
  assert.equal((await get('/desk/share/ffffffffffff')).status, 404);
});

test('a link tells the owner, signed in at the desk, that opening it counts, and nobody else', async (t) => {
  const { make, page, get, ask, baseUrl } = await open(t);
  const id = await make('Acme');
  const [address = ''] = code.exec(await page(`/desk/share/${id}`)) ?? [];
  const path = address.slice(baseUrl.length);
  const shown = await (await get(path)).text();
  assert.match(
    textOf(shown),
    /You are signed in at your desk\. If you open the profile here, it counts as an opening of this link\./,
  );
  assert.ok(shown.includes(`href="/desk/share/${id}"`));
  const others = await (await ask(path)).text();
  assert.ok(!others.includes('desk') && !others.includes(id));
});

test('Today, readers, inbox and figures know a link by its name, and count each network as a person', async (t) => {
  const { make, page, links, ...service } = await open(t);
  const id = await make('Acme, staff engineer');
  const [address = ''] = code.exec(await page(`/desk/share/${id}`)) ?? [];
  const path = address.slice(service.baseUrl.length);
  for (let person = 0; person < 2; person += 1) {
    const visitor = openVisitor(service.from(`192.0.2.${person}`));
    await visitor.post(path, {}, path);
    if (person === 0)
      await visitor.post('/profile/write', {
        ...{ name: 'Ada', email: 'ada@example.com', company: 'Engines', message: 'Hello', idempotency_key: 'k' },
      });
  }
  await eventually(async () => /people came 2 /.test(textOf(await page('/desk'))));
  const today = await page('/desk');
  assert.match(textOf(today), /Acme, staff engineer was opened for the first time/);
  assert.doesNotMatch(today, /link:/);
  const [, whole = ''] =
    /href="(\/desk\/readers\/[\w-]{22})">What was done/.exec(await page(`/desk/share/${id}`)) ?? [];
  assert.match(textOf(await page(whole)), /Acme, staff engineer everybody who opened this link/);
  const readers = await page('/desk/readers');
  assert.match(textOf(readers), /Acme, staff engineer/);
  const [, reader = ''] = /href="(\/desk\/readers\/[\w-]{22})[^"]*"[^>]*><bdi>Acme/.exec(readers) ?? [];
  assert.match(textOf(await page(reader)), /Acme, staff engineer everybody who opened this link/);
  // Between them may stand what the first one did.
  assert.equal(textOf(await page(reader)).match(/Opened the link\. just now/g)?.length, 2);
  const [message] = await service.opened.store.contacts.list();
  assert.match(textOf(await page(`/desk/inbox/${message?.id}`)), /Sent through your link for Acme, staff engineer\./);
  for (const one of ['/desk/readers', reader]) assert.doesNotMatch(textOf(await page(one)), /link:/);
});

test('a link whose record its visitor has erased was opened, and did not ask for access', async (t) => {
  const { make, page, ...service } = await open(t);
  const [address = ''] = code.exec(await page(`/desk/share/${await make('Acme')}`)) ?? [];
  const path = address.slice(service.baseUrl.length);
  const visitor = openVisitor(service);
  await visitor.post(path, {}, path);
  await eventually(async () => /1 visit/.test(textOf(await page('/desk/readers'))));
  await visitor.post('/profile/record/erase', {}, '/profile/record');
  assert.match(textOf(await page('/desk/readers')), /Acme was opened, record erased by the visitor/);
});
