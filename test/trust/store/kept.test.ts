import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IssuedToken } from '../../../src/model/token.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { rowsOf } from '../../support/database.ts';
import { afterNoon, contact, noon, notice, openTestStore, token } from '../../support/store.ts';

test('the outbox is not woken by a request that is repeated under its key', async (t) => {
  let woken = 0;
  const { store } = await openTestStore(t);
  store.outbox.onQueued(() => {
    woken += 1;
  });
  const sender = { token, subjectHashes: [], claim: { key: 'key-1', fingerprint: 'f' } };
  assert.equal(await store.contacts.add(contact, notice, sender), 'contact_1');
  assert.equal(await store.contacts.add({ ...contact, id: 'contact_2' }, notice, sender), 'contact_1');
  assert.equal(woken, 1);
});

test('an idempotency key stands for one request of one subject, for a day', async (t) => {
  const { path, store } = await openTestStore(t);
  const add = (id: string, more: Partial<IssuedToken>, key: string, fingerprint: string, seconds: number) => {
    const sender = { token: { ...token, ...more }, subjectHashes: [], claim: { key, fingerprint } };
    return store.contacts.add({ ...contact, id, receivedAt: afterNoon(seconds) }, notice, sender);
  };
  assert.equal(await add('c1', {}, 'key-1', 'f', 0), 'c1');
  assert.equal(await add('c2', {}, 'key-2', 'other', 0), 'c2');
  assert.equal(await add('c3', { subject: byAddress('bob@example.org') }, 'key-1', 'other', 0), 'c3');
  assert.equal(await add('c4', {}, 'key-1', 'f', 86_399), 'c1');
  await assert.rejects(add('c5', {}, 'key-1', 'other', 86_399), { code: 'IDEMPOTENCY_MISMATCH' });
  const isHeld = (subject: string, key: string, seconds = 0) =>
    store.contacts.hasKey({ ...token, subject: byAddress(subject) }, key, afterNoon(seconds));
  assert.equal(await isHeld('ada@example.org', 'key-1', 86_399), true);
  assert.equal(await isHeld('ada@example.org', 'key-1', 86_400), false);
  assert.equal(await isHeld('bob@example.org', 'key-2'), false);
  assert.equal(await isHeld('ada@example.org', 'key-3'), false);

  assert.equal(await add('c6', {}, 'key-1', 'other', 86_400), 'c6');
  assert.equal(await add('c7', {}, 'key-1', 'other', 86_401), 'c6');
  assert.deepEqual(rowsOf(path, 'select id from contacts order by id'), [
    { id: 'c1' },
    { id: 'c2' },
    { id: 'c3' },
    { id: 'c6' },
  ]);
});

test('the tokens that have not expired are listed, the latest issued first', async (t) => {
  const { store } = await openTestStore(t);
  for (const [jti, issued, expires] of [
    ['b', 0, 60],
    ['a', 0, 60],
    ['c', 1, 60],
    ['expired', 0, 30],
  ] as const)
    await store.tokens.add({ ...token, jti, issuedAt: afterNoon(issued), expiresAt: afterNoon(expires) }, notice);
  assert.deepEqual(
    (await store.tokens.listUnexpired(afterNoon(30))).map(({ jti }) => jti),
    ['c', 'a', 'b'],
  );
  assert.deepEqual((await store.tokens.listUnexpired(noon))[0], {
    jti: 'c',
    subject: byAddress('ada@example.org'),
    issuedAt: afterNoon(1),
    expiresAt: afterNoon(60),
    grantId: null,
    view: null,
    clientName: null,
  });
});
