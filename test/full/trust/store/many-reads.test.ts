import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedRead } from '../../../../src/model/reader.ts';
import { byAddress } from '../../../../src/model/visitor.ts';
import { rowsOf } from '../../../support/database.ts';
import { afterNoon, notice, openTestStore, token } from '../../../support/store.ts';

const many = (count: number): RecordedRead[] =>
  Array.from({ length: count }, (_, n) => ({
    operation: 'get_experience',
    item: String(n),
    surface: 'rest',
    client: 'curl/8.5',
    readAt: afterNoon(n),
  }));

test('above a hundred thousand reads, tokens with most lose their oldest; one with few loses none [TRUST-49]', async (t) => {
  const { store, path } = await openTestStore(t);
  const visitors = [
    { ...token, jti: 'few' },
    { ...token, jti: 'some', subject: byAddress('Bob@example.org') },
  ] as const;
  const flood = Array.from({ length: 100 }, (_, n) => ({
    ...token,
    jti: `flood-${n}`,
    subject: byAddress(`${n}@example.net`),
  }));
  for (const each of [...visitors, ...flood]) await store.tokens.add(each, notice);
  const add = (each: typeof token, reads: RecordedRead[]) =>
    store.reads.add([{ token: each, subjectHashes: ['hash'], reads }]);
  const counts = () =>
    new Map(
      rowsOf(path, 'select jti, count(*) as count from reads group by jti').map(({ jti, count }) => [
        jti,
        Number(count),
      ]),
    );
  await add(visitors[0], many(7));
  await store.reads.add(flood.map((each) => ({ token: each, subjectHashes: [], reads: many(999) })));
  await add(visitors[1], many(93).slice(7));
  assert.equal(counts().get('flood-0'), 999);
  await store.reads.add(flood.slice(0, 8).map((each) => ({ token: each, subjectHashes: [], reads: many(1) })));
  const kept = counts();
  assert.deepEqual([kept.get('few'), kept.get('some')], [7, 86]);
  assert.equal(
    [...kept.values()].reduce((sum, count) => sum + count),
    90_000,
  );
  const ofFlood = flood.map(({ jti }) => kept.get(jti)!);
  assert.ok(Math.max(...ofFlood) - Math.min(...ofFlood) <= 1);
});
