import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  endAllLinks,
  endLink,
  endPastLinks,
  getLink,
  listLinks,
  makeLink,
  renameLink,
} from '../../src/operations/owner/links.ts';
import { invokerFor } from '../../src/operations/owner/operation.ts';
import { rowsOf } from '../support/database.ts';
import { openTestService } from '../support/in-process.ts';

const hour = 3_600_000;

async function open(t: TestContext) {
  const service = await openTestService();
  t.after(service.close);
  const { owner } = service.opened;
  const run = invokerFor(owner);
  const make = (name = 'Acme, staff engineer', until: Date | null = null) =>
    run(makeLink, { name, view: 'all', until, may_write: true });
  /** Opens a link as a visitor does; returns the token. */
  async function openBy(id: string) {
    const { tokens, store } = service.opened;
    const token = await tokens.prepare({ kind: 'link', id });
    const notice = { kind: 'auth_request', about: token.jti, line: '' } as const;
    await store.tokens.add(token, { ...notice, subject: 'S', text: 'T', replyTo: null }, [], owner.now(), {
      isOfPage: true,
    });
    return tokens.sign(token);
  }
  const read = (token: string) => service.ask('/candidate', { headers: { authorization: `Bearer ${token}` } });
  return { ...service, run, make, openBy, read, store: service.opened.store };
}

test('a link has an address with a code that the database does not have, and keeps it under another name', async (t) => {
  const { make, run, baseUrl, folder } = await open(t);
  const { link, address } = await make();
  assert.match(address, /^http:\/\/127\.0\.0\.1:3000\/s\/[\w-]{22}$/);
  assert.ok(address.startsWith(`${baseUrl}/s/${Buffer.from(link.id, 'hex').toString('base64url')}`));
  await run(renameLink, { id: link.id, name: ' Acme, second round ' });
  assert.deepEqual(
    (await run(listLinks, {})).map((listed) => [listed.link.name, listed.address, listed.people, listed.lastAt]),
    [['Acme, second round', address, 0, null]],
  );
  const code = address.slice(-22);
  const audit = readFileSync(join(folder, 'audit', `audit-${new Date().toISOString().slice(0, 10)}.jsonl`), 'utf8');
  assert.match(audit, /"event":"link_made"/);
  for (const text of [audit, JSON.stringify(rowsOf(join(folder, 'candidate-profile.db'), 'select * from links'))])
    assert.ok(!text.includes(code) && !text.includes(code.slice(8)));
});

for (const [what, given, message] of [
  ['without a name', { name: ' \u200b ' }, 'name must not be empty'],
  ['with a name of 101 characters', { name: 'é'.repeat(101) }, 'name must be at most 100 characters'],
  ['to a view that is not there', { view: 'systems' }, 'There is no view systems; give all, public'],
  ['that ended before', { until: new Date(0) }, 'until must be in the future'],
] as const)
  test(`a link ${what} is refused`, async (t) => {
    const { run } = await open(t);
    const link = { name: 'Acme', view: 'all', until: null, may_write: true };
    await assert.rejects(run(makeLink, { ...link, ...given }), { code: 'BAD_REQUEST', message });
    assert.deepEqual(await run(listLinks, {}), []);
  });

test('ending a link ends what was opened through it, and nothing of another link; it opens nothing more', async (t) => {
  const { make, run, openBy, read, store } = await open(t);
  const [acme, globex] = [await make(), await make('Globex, via Ann')];
  const [one, other] = [await openBy(acme.link.id), await openBy(globex.link.id)];
  assert.deepEqual([(await read(one)).status, (await read(other)).status], [200, 200]);
  await run(endLink, { id: acme.link.id });
  assert.deepEqual([(await read(one)).status, (await read(other)).status], [401, 200]);
  await assert.rejects(openBy(acme.link.id), { code: 'NOT_FOUND' });
  assert.equal((await run(getLink, { id: acme.link.id })).address, null);
  assert.equal((await run(getLink, { id: globex.link.id })).address, globex.address);
  const grant = {
    ...{
      id: 'g1',
      subject: { kind: 'link' as const, id: acme.link.id },
      isVerified: false,
      clientId: 'c',
      clientName: 'C',
    },
    ...{ redirectUri: 'https://c.example/', scopes: [], isForMcp: true, createdAt: new Date() },
    expiresAt: new Date(Date.now() + hour),
  } as const;
  const notice = { kind: 'auth_request', about: 'g1', line: '', subject: '', text: '' } as const;
  await assert.rejects(store.oauth.grants.add(grant, { ...notice, replyTo: null }), { code: 'NOT_FOUND' });
  assert.deepEqual(await run(endAllLinks, {}), { ended: 1 });
  assert.equal((await read(other)).status, 401);
});

test('a link whose time is over opens nothing, and what was opened through it ends', async (t) => {
  const { make, run, openBy, read, store, folder } = await open(t);
  const { link } = await make('Card', new Date(Date.now() + hour));
  const { link: other } = await make('Page');
  const [token, lasting] = [await openBy(link.id), await openBy(other.id)];
  const past = new Date(Date.now() - hour).toISOString();
  rowsOf(join(folder, 'candidate-profile.db'), `update links set until = '${past}' where id = '${link.id}'`);
  await assert.rejects(openBy(link.id), { code: 'NOT_FOUND' });
  await run(endPastLinks, {});
  assert.deepEqual([(await read(token)).status, (await read(lasting)).status], [401, 200]);
  assert.equal((await store.links.find(link.id))?.endedAt?.toISOString(), past);
  assert.equal((await store.links.find(other.id))?.endedAt, null);
});

test('a link that ended is listed for 90 days', async (t) => {
  const { make, run, store } = await open(t);
  const { link } = await make();
  const { link: other } = await make('Page');
  await run(endLink, { id: link.id });
  const eraseAt = (days: number) =>
    store.expiry.erase(new Date(Date.now() + days * 24 * hour), {
      contacts: null,
      mail: new Date(0),
      reads: new Date(0),
    });
  await eraseAt(89);
  assert.equal((await run(listLinks, {})).length, 2);
  await eraseAt(91);
  assert.deepEqual(
    (await run(listLinks, {})).map((listed) => listed.link.id),
    [other.id],
  );
});

test('1,000 links can be open at once', async (t) => {
  const { make, run, store } = await open(t);
  const link = { name: 'L', view: 'all', until: null, mayWrite: true, madeAt: new Date() };
  for (let n = 0; n < 999; n += 1) assert.ok(await store.links.add({ ...link, id: `l${n}` }));
  await make();
  await assert.rejects(make(), { message: 'There are 1000 links already. End one, and make this one then.' });
  await run(endLink, { id: 'l7' });
  await make();
});
