import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { type DurableStore, openStore } from '../../../src/adapters/store/store.ts';
import type { Notice } from '../../../src/model/notice.ts';
import { createDatabase, openDatabase, rowsOf } from '../../support/database.ts';
import { afterNoon, contact, grant, newDatabasePath, noon, notice, token } from '../../support/store.ts';

/** Opens a store on a database, a new one unless its path is given. */
async function open(t: TestContext, options: { path?: string } = {}) {
  const { path = await createDatabase(newDatabasePath(t)) } = options;
  const store = await openStore(openDatabase(path));
  t.after(() => store.close());
  return { path, store };
}

suite('What is acknowledged is kept', () => {
  test('a contact request, a token and their notices are there after a reopen', async (t) => {
    const { path, store } = await open(t);
    await store.contacts.add(contact, notice, null);
    await store.tokens.add(token, { ...notice, kind: 'auth_request', replyTo: null });
    await store.close();

    const reopened = await open(t, { path });
    const mail = await reopened.store.outbox.claim(noon);
    assert.equal(mail?.notices[0]?.text, 'A line\n');
    assert.deepEqual(rowsOf(path, 'select * from contacts'), [
      {
        id: 'contact_1',
        name: 'Ada Lovelace',
        email: 'ada@example.org',
        company: 'Analytical Engines',
        message: 'Shall we talk?',
        subject: 'visitor@example.org',
        received_at: '2026-11-21T12:00:00.000Z',
        state: 'unread',
        jti: null,
        canonical_email: 'ada@example.org',
        canonical_subject: 'visitor@example.org',
      },
    ]);
    assert.deepEqual(rowsOf(path, 'select * from issued_tokens'), [
      {
        jti: 'j1',
        subject: 'ada@example.org',
        issued_at: '2026-11-21T12:00:00.000Z',
        expires_at: '2026-11-21T13:00:00.000Z',
        canonical_subject: 'ada@example.org',
        grant_id: null,
        page_report: null,
        view: null,
      },
    ]);
    assert.deepEqual(rowsOf(path, 'select kind, subject, reply_to from outbox order by kind'), [
      { kind: 'auth_request', subject: 'Hello', reply_to: null },
      { kind: 'contact_request', subject: 'Hello', reply_to: 'ada@example.org' },
    ]);
  });

  for (const [what, table, add] of [
    ['a contact request', 'contacts', ({ contacts }, queued) => contacts.add(contact, queued, null)],
    ['a token', 'issued_tokens', ({ tokens }, queued) => tokens.add(token, queued)],
  ] as [string, string, (store: DurableStore, queued: Notice) => Promise<unknown>][])
    test(`${what} and its notice are kept together or not at all`, async (t) => {
      const { path, store } = await open(t);
      await assert.rejects(add(store, { ...notice, subject: null as never }), /not.null/i);
      assert.deepEqual(rowsOf(path, `select * from ${table}`), []);
      await add(store, notice);
      await assert.rejects(add(store, notice), /unique/i);
      assert.equal(rowsOf(path, 'select id from outbox').length, 1);
    });

  test('the outbox is woken after the commit of a notice, and not if the commit fails', async (t) => {
    const seen: unknown[] = [];
    const { path, store } = await open(t);
    store.outbox.onQueued(() => seen.push(...rowsOf(path, 'select count(*) as n from outbox')));
    await store.contacts.add(contact, notice, null);
    await assert.rejects(store.contacts.add(contact, notice, null));
    await store.tokens.add(token, notice);
    assert.deepEqual(seen, [{ n: 1 }, { n: 2 }]);
  });

  test('an error of the program does not mark the store as not writable', async (t) => {
    const { store } = await open(t);
    await store.contacts.add(contact, notice, null);
    await assert.rejects(store.contacts.add(contact, notice, null), /unique/i);
    assert.equal(store.isWritable(), true);
  });
});

suite('The uses of quotas', () => {
  const charges = [{ key: 'a', count: 2, seconds: 60 }];
  const used = (path: string) => rowsOf(path, 'select key, used from quota_windows');

  test('are counted with what a call stores, or not at all', async (t) => {
    const { path, store } = await open(t);
    await store.contacts.add(contact, notice, null, charges);
    await assert.rejects(store.contacts.add(contact, notice, null, charges), /unique/i);
    assert.deepEqual(used(path), [{ key: 'a', used: 1 }]);
    await store.tokens.add(token, notice, charges, noon);
    assert.deepEqual(used(path), [{ key: 'a', used: 2 }]);
  });

  test('decide in the transaction: of concurrent requests, as many are kept as a quota allows', async (t) => {
    const { path, store } = await open(t);
    const requests = ['c1', 'c2', 'c3'].map((id) => store.contacts.add({ ...contact, id }, notice, null, charges));
    const answers = await Promise.all(requests.map((request) => request.catch(({ code }) => code)));
    const kept = answers.filter((answer) => answer !== 'RATE_LIMITED');
    assert.equal(kept.length, 2);
    await assert.rejects(store.tokens.add(token, notice, charges, noon), { code: 'RATE_LIMITED' });
    assert.deepEqual(
      rowsOf(path, 'select id from contacts order by id'),
      kept.map((id) => ({ id })),
    );
    assert.deepEqual(rowsOf(path, 'select jti from issued_tokens'), []);
  });

  test('are not counted for a repeat under an idempotency key, and a refused request keeps no key', async (t) => {
    const { path, store } = await open(t);
    const request = (id: string, key: string) =>
      store.contacts.add(
        { ...contact, id },
        notice,
        { token, subjectHashes: [], claim: { key, fingerprint: 'f' } },
        charges,
      );
    assert.deepEqual([await request('c1', 'key-1'), await request('c2', 'key-1')], ['c1', 'c1']);
    assert.equal(await request('c3', 'key-2'), 'c3');
    await assert.rejects(request('c4', 'key-3'), { code: 'RATE_LIMITED' });
    assert.equal(await request('c5', 'key-2'), 'c3');
    assert.deepEqual(used(path), [{ key: 'a', used: 2 }]);
    assert.deepEqual(rowsOf(path, 'select key from idempotency_keys order by key'), [
      { key: 'key-1' },
      { key: 'key-2' },
    ]);
  });
});

for (const [whose, revocation] of [
  ['the token was', { kind: 'jti', value: 'j1', revokedAt: noon }],
  ['the tokens of its subject were', { kind: 'subject', value: 'hash 2', revokedAt: noon }],
  ['all tokens were', { kind: 'all', value: '', revokedAt: afterNoon(0.4) }],
] as const)
  test(`a contact request is not kept, and an idempotent retry not answered, if ${whose} revoked by another process`, async (t) => {
    const { path, store } = await open(t);
    const sender = { token, subjectHashes: ['hash 1', 'hash 2'], claim: { key: 'key-1', fingerprint: 'f' } };
    await store.contacts.add(contact, notice, sender);
    const other = await open(t, { path });
    await other.store.revocations.add(revocation);
    for (const claim of [sender.claim, { key: 'key-2', fingerprint: 'f' }, null])
      await assert.rejects(store.contacts.add({ ...contact, id: 'contact_2' }, notice, { ...sender, claim }), {
        code: 'UNAUTHORIZED',
      });
    assert.deepEqual(rowsOf(path, 'select id from contacts'), [{ id: 'contact_1' }]);
    assert.deepEqual(rowsOf(path, 'select key from idempotency_keys order by key'), [{ key: 'key-1' }]);
    assert.deepEqual(rowsOf(path, 'select about from outbox'), [{ about: 'contact_1' }]);
  });

test('a contact request is kept if only other tokens were revoked, or its subject before it was issued', async (t) => {
  const { path, store } = await open(t);
  await store.revocations.add({ kind: 'jti', value: 'j2', revokedAt: afterNoon(1) });
  await store.revocations.add({ kind: 'jti', value: 'hash', revokedAt: afterNoon(1) });
  await store.revocations.add({ kind: 'subject', value: 'other hash', revokedAt: afterNoon(1) });
  await store.revocations.add({ kind: 'subject', value: 'hash', revokedAt: afterNoon(-1) });
  await store.revocations.add({ kind: 'all', value: '', revokedAt: afterNoon(-1) });
  await store.contacts.add(contact, notice, { token, subjectHashes: ['hash'], claim: null });
  assert.deepEqual(rowsOf(path, 'select id from contacts'), [{ id: 'contact_1' }]);
});

test('a revocation is stored once, and erased when its token has expired; numbers are not used again', async (t) => {
  const { store } = await open(t);
  const keep = { contacts: null, mail: new Date(0), reads: new Date(0) };
  const stored = async () =>
    (await store.revocations.listAfter(0)).map(({ sequence, value }) => `${sequence} ${value}`);
  const addToken = (jti: string, seconds: number) =>
    store.tokens.add({ ...token, jti, expiresAt: afterNoon(seconds) }, { ...notice, about: jti });
  const revoke = (value: string, seconds = 0, kind: 'jti' | 'subject' = 'jti') =>
    store.revocations.add({ kind, value, revokedAt: afterNoon(seconds) });
  await addToken('j1', 3_600);
  await addToken('j2', 1_800);
  await addToken('j3', 7_200);
  await revoke('j1');
  await revoke('j1', 1);
  await revoke('hash', 0, 'subject');
  await revoke('unknown');
  await revoke('j2', 1_800);
  await revoke('j3');
  assert.deepEqual(await stored(), ['1 j1', '2 hash', '3 unknown', '4 j3']);
  await store.expiry.erase(afterNoon(3_599), keep);
  assert.deepEqual(await stored(), ['1 j1', '2 hash', '3 unknown', '4 j3']);
  await store.expiry.erase(afterNoon(3_600), keep);
  assert.deepEqual(await stored(), ['2 hash', '3 unknown', '4 j3']);
  // A process that has read up to the last number would miss one that is stored under it again.
  await store.expiry.erase(afterNoon(7_201), keep);
  assert.deepEqual(await stored(), ['2 hash', '3 unknown', '4 ']);
  await revoke('j5', 7_202);
  assert.deepEqual(await stored(), ['2 hash', '3 unknown', '4 ', '5 j5']);
  await store.expiry.erase(afterNoon(7_202), keep);
  assert.deepEqual(await stored(), ['2 hash', '3 unknown', '5 j5']);
});

test('a token that its client has revoked is not revoked once more with its grant', async (t) => {
  const { store } = await open(t);
  assert.equal(await store.oauth.grants.add(grant, { ...notice, kind: 'auth_request', about: grant.id }), true);
  const code = { id: 'code', grantId: grant.id, canonicalSubject: null, payload: '{}', expiresAt: afterNoon(60) };
  await store.oauth.records.put(code, noon);
  const origin = { grantId: grant.id, recordId: 'code', records: [] };
  assert.equal(await store.oauth.grants.addToken(token, origin, grant.expiresAt, noon), 'added');
  await store.revocations.add({ kind: 'jti', value: token.jti, revokedAt: noon }, { keepsGrant: true });
  await store.oauth.grants.end(grant.id, afterNoon(1));
  assert.equal((await store.revocations.listAfter(0)).length, 1);
});
