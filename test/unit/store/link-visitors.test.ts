import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byAddress, type Visitor, visitorKeyOf } from '../../../src/model/visitor.ts';
import { rowsOf } from '../../support/database.ts';
import type { Cleanup } from '../../support/files.ts';
import { afterNoon, contact, grant, noon, notice, openTestStore, token } from '../../support/store.ts';

const link = { kind: 'link', id: 'fp4A-_9k' } as const;
const ada = byAddress('Ada@Example.org');
const read = {
  operation: 'get_candidate',
  item: null,
  surface: 'rest',
  client: 'agent',
  readAt: afterNoon(1),
} as const;

/** Opens a store with what a visitor by a link and one by an address have left, each also with an erased record. */
async function open(t: Cleanup) {
  const { store, path } = await openTestStore(t);
  await store.links.add({ id: link.id, name: 'Acme', view: 'all', until: null, mayWrite: true, madeAt: noon });
  for (const [name, subject] of Object.entries({ link, ada }) as [string, Visitor][]) {
    const own = { ...token, jti: `token of ${name}`, subject };
    const holder = { token: own, subjectHashes: [] };
    const about = { ...notice, kind: 'auth_request', about: own.jti, visitor: subject } as const;
    await store.tokens.add(own, about);
    await store.reads.erase(holder, noon);
    await store.reads.add([{ ...holder, reads: [read] }]);
    await store.oauth.grants.add(
      { ...grant, id: `grant of ${name}`, subject },
      { ...about, about: `grant of ${name}` },
    );
    await store.contacts.add(
      { ...contact, id: `message of ${name}`, email: 'visitor@example.org', subject },
      { ...notice, about: `message of ${name}`, visitor: subject, visitorName: 'Ada' },
      { ...holder, claim: { key: 'key', fingerprint: 'f' } },
    );
    await store.readers.note(visitorKeyOf(subject), `Note of ${name}`, noon);
  }
  return { store, path };
}

const columns = {
  issued_tokens: ['subject', 'canonical_subject'],
  oauth_grants: ['subject', 'canonical_subject'],
  reads: ['subject', 'canonical_subject'],
  erased_reads: ['subject', 'canonical_subject'],
  contacts: ['subject', 'canonical_subject'],
  idempotency_keys: ['subject'],
  reader_notes: ['canonical_subject'],
} as const;

const storedIn = (path: string) =>
  Object.entries(columns).flatMap(([table, names]) =>
    rowsOf(path, `select ${names.join(', ')} from ${table} order by 1`).map((row) => [table, ...Object.values(row)]),
  );

test('a visitor by an address is stored as the address, one by a link as the link, in every table', async (t) => {
  const { path } = await open(t);
  const both = (table: string) => [
    [table, 'Ada@Example.org', 'ada@example.org'],
    [table, 'link:fp4A-_9k', 'link:fp4A-_9k'],
  ];
  assert.deepEqual(storedIn(path), [
    ...['issued_tokens', 'oauth_grants', 'reads', 'erased_reads', 'contacts'].flatMap(both),
    ['idempotency_keys', 'Ada@Example.org'],
    ['idempotency_keys', 'token of link'],
    ['reader_notes', 'ada@example.org'],
    ['reader_notes', 'link:fp4A-_9k'],
  ]);
  assert.deepEqual(
    rowsOf(path, `select distinct visitor, coalesce(visitor_name, '') from outbox order by 1, 2`).map((row) =>
      Object.values(row),
    ),
    [
      ['Ada@Example.org', ''],
      ['Ada@Example.org', 'Ada'],
      ['link:fp4A-_9k', ''],
      ['link:fp4A-_9k', 'Ada'],
    ],
  );
});

test('what a visitor by a link has left is found by the link', async (t) => {
  const { store } = await open(t);
  const key = visitorKeyOf(link);
  const { readers } = await store.readers.list({}, 10);
  assert.deepEqual(
    readers.map(({ visitor, messages, note }) => [visitor, messages, note]),
    [
      [link, 1, 'Note of link'],
      [ada, 1, 'Note of ada'],
    ],
  );
  assert.deepEqual((await store.readers.list({ key }, 1)).readers[0]?.visitor, link);
  assert.deepEqual(
    (await store.tokens.listOf([key])).map(({ jti, subject }) => [jti, subject]),
    [['token of link', link]],
  );
  assert.deepEqual(
    (await store.oauth.grants.listOf([key])).map(({ id, subject }) => [id, subject]),
    [['grant of link', link]],
  );
  assert.deepEqual(
    (await store.contacts.list(link)).map(({ id, subject }) => [id, subject]),
    [['message of link', link]],
  );
  assert.deepEqual(
    (await store.readers.eventsOf([key], noon, 10)).map(({ operation, visitor }) => [operation, visitor]),
    [
      ['message', 'link:fp4A-_9k'],
      ['get_candidate', 'link:fp4A-_9k'],
    ],
  );
  const opening = { ...token, jti: 'token of link', subject: link };
  assert.equal(await store.contacts.hasKey(opening, 'key', noon), true);
  assert.equal(await store.contacts.hasKey({ ...opening, jti: 'another opening' }, 'key', noon), false);
  const mails = [];
  for (let n = 0; n < 2; n += 1) mails.push(await store.outbox.claim(afterNoon(60)));
  assert.deepEqual(mails.map((mail) => mail!.notices[0]!.visitor!.kind).sort(), ['address', 'link']);
});

test('erasing a link erases what came through it and leaves every address, and the other way round', async (t) => {
  const { store, path } = await open(t);
  const { mails: _, ...erased } = await store.visitors.erase(link);
  assert.deepEqual(erased, { contacts: 1, tokens: 1, grants: 1, reads: 1, notes: 1 });
  assert.deepEqual([...new Set(storedIn(path).map(([, subject]) => subject))], ['Ada@Example.org', 'ada@example.org']);
  assert.deepEqual(rowsOf(path, 'select distinct visitor from outbox'), [{ visitor: 'Ada@Example.org' }]);
  await store.visitors.erase(byAddress('ada@example.org'));
  assert.deepEqual(storedIn(path), []);
});
