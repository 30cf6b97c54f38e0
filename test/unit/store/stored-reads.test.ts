import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { RecordedRead } from '../../../src/model/reader.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { rowsOf } from '../../support/database.ts';
import { afterNoon, noon, notice, openTestStore, token } from '../../support/store.ts';

const read: RecordedRead = {
  operation: 'get_experience',
  item: 'exp_now',
  surface: 'rest',
  client: 'curl/8.5',
  readAt: noon,
};
const other = { ...token, jti: 'j2', subject: byAddress('Bob@example.org') };

/** Opens a store with the tokens `j1` and `j2`. */
async function open(t: TestContext) {
  const { store, path } = await openTestStore(t);
  for (const each of [token, other]) await store.tokens.add(each, notice);
  return {
    store,
    path,
    add: (reads: readonly RecordedRead[], holder = token, subjectHashes = ['hash']) =>
      store.reads.add([{ token: holder, subjectHashes, reads }]),
    recorded: () => rowsOf(path, 'select jti, item, read_at from reads order by id'),
    counts: () => rowsOf(path, 'select jti, count(*) as count from reads group by jti order by jti'),
  };
}

const many = (count: number): RecordedRead[] =>
  Array.from({ length: count }, (_, n) => ({ ...read, item: String(n), readAt: afterNoon(n) }));

test('reads of several tokens are stored in the order of their instants, with the clients’ own names', async (t) => {
  const { store, path } = await open(t);
  const named = (client: string | null, seconds: number) => ({
    ...read,
    item: null,
    client,
    readAt: afterNoon(seconds),
  });
  await store.reads.add([
    { token, subjectHashes: [], reads: [named('a\u0001"b\\', 2), named('Ünïcode 🎻', 3)] },
    { token: other, subjectHashes: [], reads: [named(null, 1)] },
  ]);
  assert.deepEqual(rowsOf(path, 'select jti, item, client from reads order by id'), [
    { jti: 'j2', item: null, client: null },
    { jti: 'j1', item: null, client: 'a\u0001"b\\' },
    { jti: 'j1', item: null, client: 'Ünïcode 🎻' },
  ]);
});

test('nothing is recorded of a token that was revoked by id, subject or with all, however early [TRUST-51]', async (t) => {
  for (const revocation of [
    { kind: 'jti', value: 'j1', revokedAt: afterNoon(1) },
    { kind: 'subject', value: 'hash', revokedAt: noon },
  ] as const) {
    const { store, add, recorded } = await open(t);
    await store.revocations.add(revocation);
    await store.reads.add([
      { token, subjectHashes: ['hash'], reads: [read] },
      { token: other, subjectHashes: ['other'], reads: [read] },
    ]);
    assert.deepEqual(recorded(), [{ jti: 'j2', item: 'exp_now', read_at: '2026-11-21T12:00:00.000Z' }]);
    await store.revocations.add({ kind: 'all', value: '', revokedAt: noon });
    await add([read], other);
    assert.equal(recorded().length, 1);
  }
});

test('a token that was revoked meanwhile erases nothing', async (t) => {
  const { store, add, recorded } = await open(t);
  await add([read]);
  await store.revocations.add({ kind: 'jti', value: 'j1', revokedAt: noon });
  await assert.rejects(store.reads.erase({ token, subjectHashes: ['hash'] }, afterNoon(1)), { code: 'UNAUTHORIZED' });
  assert.equal(recorded().length, 1);
});

test('what waits to be stored when a visitor is erased is not stored [TRUST-51]', async (t) => {
  const { store, add, recorded } = await open(t);
  await add([read]);
  await store.visitors.erase(byAddress('ADA@example.org'));
  await add([read]);
  assert.deepEqual(recorded(), []);
});

test('of one token the latest thousand reads are kept [TRUST-49]', async (t) => {
  const { add, recorded, counts } = await open(t);
  await add([read], other);
  await add(many(1_000));
  assert.deepEqual(counts(), [
    { jti: 'j1', count: 1_000 },
    { jti: 'j2', count: 1 },
  ]);
  await add(many(1_003).slice(1_000));
  assert.deepEqual(counts(), [
    { jti: 'j1', count: 1_000 },
    { jti: 'j2', count: 1 },
  ]);
  const items = recorded().map(({ item }) => item);
  assert.deepEqual([items[1], items.at(-1)], ['3', '1002']);
});
