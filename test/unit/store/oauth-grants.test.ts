import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DurableStore } from '../../../src/adapters/store/store.ts';
import type { Notice } from '../../../src/model/notice.ts';
import type { Grant } from '../../../src/model/oauth.ts';
import type { IssuedToken } from '../../../src/model/token.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { rowsOf } from '../../support/database.ts';
import { afterNoon, grant, keyOf, noon, notice, openTestStore, token } from '../../support/store.ts';

const day = 86_400;
const address = 'ada@example.org';

const noticeOf = ({ id }: Grant): Notice => ({ ...notice, kind: 'auth_request', about: id });

/** Stores a token that a client got for a code. */
async function addToken(store: DurableStore, granted: IssuedToken, { id, expiresAt }: Grant, at: Date) {
  const recordId = `used for ${granted.jti}`;
  const code = { id: recordId, grantId: id, canonicalSubject: null, payload: '{}' };
  await store.oauth.records.put({ ...code, expiresAt: new Date(at.getTime() + 60_000) }, at);
  assert.equal(
    await store.oauth.grants.addToken(granted, { grantId: id, recordId, records: [] }, expiresAt, at),
    'added',
  );
}

/** Stores a grant with its notice and one token. */
async function addGrant(store: DurableStore, more: Partial<Grant> = {}, jti = `token of ${more.id ?? 'g1'}`) {
  const added = { ...grant, ...more };
  assert.equal(await store.oauth.grants.add(added, noticeOf(added)), true);
  const granted: IssuedToken = { ...token, jti, subject: added.subject };
  await addToken(store, granted, added, noon);
  return granted;
}

const readWith = (store: DurableStore, granted: IssuedToken, client: string | null, seconds: number) =>
  store.reads.add([
    {
      token: granted,
      subjectHashes: [],
      reads: [{ operation: 'get_candidate', item: null, surface: 'mcp', client, readAt: afterNoon(seconds) }],
    },
  ]);

test('what visitors have allowed is returned until it is erased, and counts as valid until it has ended', async (t) => {
  const { store } = await openTestStore(t);
  await addGrant(store);
  await addGrant(store, { id: 'g2', createdAt: afterNoon(1), isVerified: false, clientName: 'Other' });
  await addGrant(store, { id: 'g3', subject: byAddress('bob@example.org') });
  await store.oauth.grants.end('g2', afterNoon(5));
  const ofAda = await store.oauth.grants.listOf([keyOf(address)]);
  assert.deepEqual(
    ofAda.map(({ id }) => id),
    ['g2', 'g1'],
  );
  assert.deepEqual(ofAda[1], { ...grant, view: null });
  assert.deepEqual(await store.oauth.grants.listOf([keyOf(address)], 1), [ofAda[0]]);
  const idsOf = async (...which: Parameters<typeof store.oauth.grants.listUnexpired>) =>
    (await store.oauth.grants.listUnexpired(...which)).map(({ id }) => id);
  assert.deepEqual(await idsOf(afterNoon(6)), ['g1', 'g3']);
  assert.deepEqual(await idsOf(afterNoon(6), { canonical_subject: keyOf(address) }), ['g1']);
  assert.deepEqual(await idsOf(afterNoon(30 * day)), []);
});

test('of more than 10,000 requests under way the oldest end, first those without an address; tokens stay [TRUST-68]', async (t) => {
  const { store, path } = await openTestStore(t);
  await addGrant(store);
  const put = (id: string, seconds: number, canonicalSubject: ReturnType<typeof keyOf> | null = null) =>
    store.oauth.records.put(
      { id, grantId: null, canonicalSubject, payload: '{}', expiresAt: afterNoon(seconds) },
      noon,
    );
  await put('typed', 1, keyOf(address));
  await put('oldest', 2);
  await put('older', 3);
  rowsOf(
    path,
    `insert into oauth_records (id, payload, expires_at) with recursive numbers (n) as
     (select 1 union all select n + 1 from numbers where n < 9997) select 'r' || n, '{}', '2026-11-21T12:30:00.000Z' from numbers`,
  );
  const names = () =>
    rowsOf(path, "select id from oauth_records where id not like 'r%' order by id").map(({ id }) => id);
  assert.deepEqual(names(), ['older', 'oldest', 'typed', 'used for token of g1']);
  await put('new', 1_800);
  assert.deepEqual(names(), ['new', 'older', 'typed', 'used for token of g1']);
  // Typing an address ends no other request.
  await put('new', 1_800, keyOf(address));
  assert.deepEqual(names(), ['new', 'older', 'typed', 'used for token of g1']);
  assert.deepEqual(rowsOf(path, 'select count(*) as count from oauth_records'), [{ count: 10_001 }]);
});

test('what is read with the tokens of a grant is one record, under the name of the client', async (t) => {
  const { store, path } = await openTestStore(t);
  const first = await addGrant(store);
  const renewed = { ...first, jti: 'renewed' };
  await addToken(store, renewed, grant, afterNoon(1));
  await readWith(store, first, 'node', 2);
  await readWith(store, renewed, null, 3);
  const other = await addGrant(store, { id: 'g2', clientName: 'Other' });
  await readWith(store, other, null, 4);
  const record = await store.reads.recordOf('renewed', 10);
  assert.equal(record.total, 2);
  assert.deepEqual(
    record.reads.map(({ client, readAt }) => ({ client, readAt })),
    [
      { client: 'Reader', readAt: afterNoon(3) },
      { client: 'Reader', readAt: afterNoon(2) },
    ],
  );
  await store.reads.erase({ token: renewed, subjectHashes: [] }, afterNoon(5));
  await readWith(store, first, null, 4.5);
  assert.deepEqual((await store.reads.recordOf(first.jti, 10)).total, 0);
  assert.deepEqual(rowsOf(path, 'select jti, client from reads'), [{ jti: 'g2', client: 'Other' }]);
});

test('a reader who connected a client is listed, and the owner is told so, but not of each token', async (t) => {
  const { store } = await openTestStore(t);
  assert.ok(await store.oauth.grants.add(grant, noticeOf(grant)));
  const { readers } = await store.readers.list({}, 10);
  assert.deepEqual(
    readers.map(({ visitor, firstSeenAt, lastSeenAt }) => ({ visitor, firstSeenAt, lastSeenAt })),
    [{ visitor: byAddress('Ada@Example.org'), firstSeenAt: noon, lastSeenAt: noon }],
  );
  const [connected] = await store.readers.activitySince(noon);
  assert.deepEqual([connected!.requests, connected!.connected], [0, ['Reader']]);
  await addToken(store, { ...token, issuedAt: afterNoon(60) }, grant, afterNoon(60));
  assert.deepEqual(await store.readers.activitySince(afterNoon(30)), []);
});

test('expired grants, codes and requests are erased, and clients that nobody uses, however many there are', async (t) => {
  const { store, path } = await openTestStore(t);
  const bounds = { contacts: null, mail: noon, reads: noon };
  const idsOf = (table: string) => rowsOf(path, `select id from ${table} order by id`).map(({ id }) => id);
  await store.oauth.clients.add('c1', '{}', [], noon);
  await store.oauth.clients.add('never used', '{}', [], noon);
  await addGrant(store, { expiresAt: afterNoon(2 * day) });
  await store.oauth.records.put(
    { id: 'code', grantId: 'g1', canonicalSubject: null, payload: '{}', expiresAt: afterNoon(60) },
    noon,
  );
  const numbers = Array.from({ length: 2_500 }, (_, index) => `(${index})`).join();
  rowsOf(
    path,
    `insert into oauth_clients (id, metadata, registered_at)
     select 'many-' || column1, '{}', '2026-11-20T12:00:00.000Z' from (values ${numbers}) as numbers`,
  );
  await store.expiry.erase(afterNoon(59), bounds);
  assert.deepEqual(
    [idsOf('oauth_clients'), idsOf('oauth_records')],
    [
      ['c1', 'never used'],
      ['code', 'used for token of g1'],
    ],
  );
  await store.expiry.erase(afterNoon(day + 1), bounds);
  assert.deepEqual([idsOf('oauth_clients'), idsOf('oauth_records')], [['c1'], []]);
  assert.deepEqual(idsOf('oauth_grants'), ['g1']);

  // The grant stays for its notice, which visitors.erase finds through it.
  const { grants: kept } = await store.expiry.erase(afterNoon(3 * day), bounds);
  assert.deepEqual([kept, idsOf('oauth_grants')], [0, ['g1']]);
  rowsOf(path, 'delete from outbox');
  const { grants } = await store.expiry.erase(afterNoon(3 * day), bounds);
  assert.deepEqual([grants, idsOf('oauth_grants'), idsOf('oauth_clients')], [1, [], ['c1']]);
  await store.expiry.erase(afterNoon(90 * day), bounds);
  assert.deepEqual(idsOf('oauth_clients'), ['c1']);
  await store.expiry.erase(afterNoon(90 * day + 1), bounds);
  assert.deepEqual(idsOf('oauth_clients'), []);
});

test('a grant whose token can still be used is kept, so that the owner sees which client has it', async (t) => {
  const { store, path } = await openTestStore(t);
  await addGrant(store);
  rowsOf(path, 'delete from outbox');
  await store.oauth.grants.end('g1', afterNoon(1));
  const bounds = { contacts: null, mail: noon, reads: noon };
  await store.expiry.erase(afterNoon(2), bounds);
  assert.equal((await store.tokens.listOf([keyOf(address)]))[0]!.clientName, 'Reader');
  await store.expiry.erase(afterNoon(3_601), bounds);
  await store.expiry.erase(afterNoon(3_601), bounds);
  assert.deepEqual(rowsOf(path, 'select id from oauth_grants'), []);
});
