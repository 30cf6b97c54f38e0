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
  renameLink,
} from '../../src/operations/owner/links.ts';
import { openLinks } from '../support/links.ts';
import { grant } from '../support/store.ts';

const hour = 3_600_000;

async function open(t: TestContext) {
  const service = await openLinks(t);
  const { tokens, store, owner } = service.opened;
  /** Opens a link as a visitor does; returns the token. */
  async function openBy(id: string) {
    const token = await tokens.prepare({ kind: 'link', id });
    const notice = { ...noNotice, about: token.jti } as const;
    await store.tokens.add(token, notice, [], owner.now(), { isOfPage: true });
    return tokens.sign(token);
  }
  /** The statuses of reads with tokens. */
  const statuses = (...tokens: readonly string[]) =>
    Promise.all(tokens.map(async (token) => (await service.read(token, '/candidate')).status));
  return { ...service, openBy, statuses, store };
}

const noNotice = { kind: 'auth_request', line: '', subject: 'S', text: 'T', replyTo: null } as const;

test('a link has an address with a code that the database does not have, and keeps it under another name', async (t) => {
  const { make, run, baseUrl, folder, query } = await open(t);
  const { id, address, code } = await make();
  assert.match(address, /^http:\/\/127\.0\.0\.1:3000\/s\/[\w-]{22}$/);
  assert.ok(address.startsWith(`${baseUrl}/s/${Buffer.from(id, 'hex').toString('base64url')}`));
  await run(renameLink, { id, name: ' Acme, second round ' });
  assert.deepEqual(
    (await run(listLinks, {})).map((listed) => [listed.link.name, listed.address, listed.people, listed.lastAt]),
    [['Acme, second round', address, 0, null]],
  );
  const audit = readFileSync(join(folder, 'audit', `audit-${new Date().toISOString().slice(0, 10)}.jsonl`), 'utf8');
  assert.match(audit, /"event":"link_made"/);
  for (const text of [audit, JSON.stringify(query('select * from links'))])
    assert.ok(!text.includes(code) && !text.includes(code.slice(8)));
});

for (const [what, given, message] of [
  ['without a name', { name: ' \u200b ' }, 'name must not be empty'],
  ['with a name of 101 characters', { name: 'é'.repeat(101) }, 'name must be at most 100 characters'],
  ['to a view that is not there', { view: 'systems' }, 'There is no view systems; give all, public'],
  ['that ended before', { until: new Date(0) }, 'until must be in the future'],
] as const)
  test(`a link ${what} is refused`, async (t) => {
    const { run, make } = await open(t);
    await assert.rejects(make(given), { code: 'BAD_REQUEST', message });
    assert.deepEqual(await run(listLinks, {}), []);
  });

test('ending a link ends what was opened through it, and nothing of another link; it opens nothing more', async (t) => {
  const { make, run, openBy, statuses, store } = await open(t);
  const [acme, globex] = [await make(), await make({ name: 'Globex, via Ann' })];
  const [one, other] = [await openBy(acme.id), await openBy(globex.id)];
  assert.deepEqual(await statuses(one, other), [200, 200]);
  await run(endLink, { id: acme.id });
  assert.deepEqual(await statuses(one, other), [401, 200]);
  await assert.rejects(openBy(acme.id), { code: 'NOT_FOUND' });
  assert.equal((await run(getLink, { id: acme.id })).address, null);
  assert.equal((await run(getLink, { id: globex.id })).address, globex.address);
  const subject = { kind: 'link', id: acme.id } as const;
  const ofLink = { ...grant, subject, createdAt: new Date(), expiresAt: new Date(Date.now() + hour) };
  await assert.rejects(store.oauth.grants.add(ofLink, { ...noNotice, about: 'g1' }), { code: 'NOT_FOUND' });
  assert.deepEqual(await run(endAllLinks, {}), { ended: 1 });
  assert.deepEqual(await statuses(other), [401]);
});

test('a link whose time is over opens nothing, and what was opened through it ends', async (t) => {
  const { make, run, openBy, statuses, store, query } = await open(t);
  const [{ id }, { id: other }] = [await make({ name: 'Card', until: new Date(Date.now() + hour) }), await make()];
  const tokens = [await openBy(id), await openBy(other)];
  const past = new Date(Date.now() - hour).toISOString();
  query(`update links set until = '${past}' where id = '${id}'`);
  await assert.rejects(openBy(id), { code: 'NOT_FOUND' });
  await run(endPastLinks, {});
  assert.deepEqual(await statuses(...tokens), [401, 200]);
  assert.equal((await store.links.find(id))?.endedAt?.toISOString(), past);
  assert.equal((await store.links.find(other))?.endedAt, null);
});

test('a link that ended is listed for 90 days', async (t) => {
  const { make, run, store } = await open(t);
  const [{ id }, { id: other }] = [await make(), await make({ name: 'Page' })];
  await run(endLink, { id });
  const before = { contacts: null, mail: new Date(0), reads: new Date(0) };
  const eraseAt = (days: number) => store.expiry.erase(new Date(Date.now() + days * 24 * hour), before);
  await eraseAt(89);
  assert.equal((await run(listLinks, {})).length, 2);
  await eraseAt(91);
  assert.deepEqual(
    (await run(listLinks, {})).map((listed) => listed.link.id),
    [other],
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
