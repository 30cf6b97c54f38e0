import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSqlite } from '../../../src/adapters/store/sqlite/sqlite.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import { byAddress, toVisitorText } from '../../../src/model/visitor.ts';
import { rowsOf, testOnSqlite } from '../../support/database.ts';
import { storeReads } from '../../support/reads.ts';
import { afterNoon, contact, grant, keyOf, noon, notice, openTestStore, token } from '../../support/store.ts';
import { explain, watched } from '../../support/watched-database.ts';

const subject = 'Ada@Example.org';
const day = 86_400;

test('a reader is seen from the first token to the last read, under the address that was typed first', async (t) => {
  const { store, path } = await openTestStore(t);
  await store.tokens.add({ ...token, subject: byAddress(subject) }, notice);
  await store.tokens.add(
    { ...token, jti: 'j2', subject: byAddress('ada@example.org'), issuedAt: afterNoon(60) },
    notice,
  );
  storeReads(path, [
    { subject, operation: 'list_experience', at: afterNoon(100), client: 'curl 8.9' },
    { subject, operation: 'list_experience', at: afterNoon(110), client: 'curl 8.9' },
    { subject, operation: 'get_resume', item: 'pdf', at: afterNoon(120), client: 'Claude Desktop' },
  ]);
  await store.contacts.add({ ...contact, subject: byAddress(subject), receivedAt: afterNoon(50) }, notice, null);
  await store.contacts.add({ ...contact, id: 'contact_2', subject: null, receivedAt: afterNoon(51) }, notice, null);
  assert.deepEqual(await store.readers.list({}, 10), {
    total: 1,
    readers: [
      {
        key: keyOf('ada@example.org'),
        visitor: byAddress('Ada@Example.org'),
        firstSeenAt: noon,
        lastSeenAt: afterNoon(120),
        messages: 2,
        erasedAt: null,
        note: '',
      },
    ],
  });
});

test('readers are listed from the one seen last, as many as wanted, with how many there are', async (t) => {
  const { store, path } = await openTestStore(t);
  storeReads(
    path,
    [1, 2, 3].map((n) => ({ subject: `reader${n}@example.org`, operation: 'get_candidate', at: afterNoon(n * day) })),
  );
  const list = async (filter: Parameters<typeof store.readers.list>[0], limit = 10) => {
    const { readers, total } = await store.readers.list(filter, limit);
    return [total, ...readers.map(({ visitor }) => toVisitorText(visitor))];
  };
  assert.deepEqual(await list({}, 2), [3, 'reader3@example.org', 'reader2@example.org']);
  assert.deepEqual(await list({ text: 'READER2' }), [1, 'reader2@example.org']);
  assert.deepEqual(await list({ text: 'reader2@EXAMPLE.org' }), [1, 'reader2@example.org']);
  assert.deepEqual(await list({ text: '%' }), [0]);
  assert.deepEqual(await list({ since: afterNoon(2 * day) }), [2, 'reader3@example.org', 'reader2@example.org']);
  assert.deepEqual(await list({ key: keyOf('reader1@example.org') }), [1, 'reader1@example.org']);
});

test('readers are found in all tables, the last seen first', async (t) => {
  const { store, path } = await openTestStore(t);
  const at = (n: number) => afterNoon(n * day).toISOString();
  await store.tokens.add({ ...token, subject: byAddress('token@example.org'), issuedAt: afterNoon(day) }, notice);
  await store.tokens.add(
    { ...token, jti: 'j2', subject: byAddress('token@example.org'), issuedAt: afterNoon(4 * day) },
    notice,
  );
  await store.tokens.add(
    { ...token, jti: 'j3', subject: byAddress('Token@example.org'), issuedAt: afterNoon(4 * day) },
    notice,
  );
  storeReads(path, [{ subject: 'read@example.org', operation: 'get_candidate', at: afterNoon(3 * day) }]);
  await store.contacts.add(
    { ...contact, subject: byAddress('contact@example.org'), receivedAt: afterNoon(2 * day) },
    notice,
    null,
  );
  await store.contacts.add(
    { ...contact, id: 'contact_2', subject: null, receivedAt: afterNoon(9 * day) },
    notice,
    null,
  );
  rowsOf(path, `insert into erased_reads values ('j9', 'erased@example.org', 'erased@example.org', '${at(1)}')`);
  const latest = ['token@example.org', 'read@example.org', 'contact@example.org', 'erased@example.org'];
  const listed = async (limit: number) => {
    const { readers, total } = await store.readers.list({}, limit);
    return [total, ...readers.map(({ key }) => key)];
  };
  assert.deepEqual(await listed(10), [4, ...latest]);
  assert.deepEqual(await listed(3), [4, ...latest.slice(0, 3)]);
  assert.deepEqual(await listed(1), [4, ...latest.slice(0, 1)]);
  assert.deepEqual(await Array.fromAsync(store.readers.keys()), [latest]);
});

test('readers are counted up to 10,000', async (t) => {
  const { store, path } = await openTestStore(t);
  const add = (from: number, to: number) =>
    rowsOf(
      path,
      `insert into issued_tokens (jti, subject, canonical_subject, issued_at, expires_at)
       with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to})
       select 'j' || i, 'r' || i, 'r' || i, '${noon.toISOString()}', '${noon.toISOString()}' from n`,
    );
  add(1, 10_000);
  assert.equal((await store.readers.list({}, 1)).total, 10_000);
  add(10_001, 10_001);
  assert.equal((await store.readers.list({}, 1)).total, null);
  assert.equal((await store.readers.list({ text: 'r1000' }, 1)).total, 3);
});

test('a note keeps its reader at the desk after all else has expired, until KEEP_READS [TRUST-59]', async (t) => {
  const { store, path } = await openTestStore(t);
  const expiring = { issuedAt: noon, expiresAt: afterNoon(60) };
  await store.tokens.add(
    { ...token, subject: byAddress(subject), ...expiring },
    { ...notice, kind: 'auth_request', about: token.jti },
  );
  await store.readers.note(keyOf('ada@example.org'), 'Met at the meetup', noon);
  const later = { issuedAt: afterNoon(20 * day), expiresAt: afterNoon(21 * day) };
  await store.tokens.add(
    { ...token, jti: 'j2', subject: byAddress(subject), ...later },
    { ...notice, kind: 'auth_request', about: 'j2' },
  );
  rowsOf(path, `update outbox set due_at = null, sent_at = '${noon.toISOString()}'`);
  await store.readers.note(keyOf('gone@example.org'), 'Nothing else is kept', afterNoon(-90 * day));
  const eraseAt = async (seconds: number) => {
    const [now, reads] = [afterNoon(seconds), afterNoon(seconds - 90 * day)];
    const { notes } = await store.expiry.erase(now, { contacts: null, mail: now, reads });
    const { readers, total } = await store.readers.list({}, 10);
    const found: string[] = [];
    for await (const batch of store.readers.keys()) found.push(...batch);
    assert.deepEqual(
      found,
      readers.map(({ key }) => key),
    ); // as the page of each is found
    assert.equal(total, readers.length);
    return [notes, ...readers.map(({ visitor, note, lastSeenAt }) => [toVisitorText(visitor), note, lastSeenAt])];
  };
  const [seenAt, note] = [afterNoon(20 * day), 'Met at the meetup'];
  assert.deepEqual(await eraseAt(1), [1, [subject, note, seenAt]]);
  assert.deepEqual(await eraseAt(30 * day), [0, ['ada@example.org', note, seenAt]]);
  assert.deepEqual(rowsOf(path, 'select jti from issued_tokens'), []);
  // It is the visitor's last act that counts, not the owner's.
  await store.readers.note(keyOf('ada@example.org'), 'Wants a call', afterNoon(60 * day));
  assert.deepEqual(await eraseAt(110 * day), [0, ['ada@example.org', 'Wants a call', seenAt]]);
  assert.deepEqual(await eraseAt(110 * day + 1), [1]);
  assert.deepEqual(rowsOf(path, 'select * from reader_notes'), []);
});

test('a note is kept as long as a message, grant or token of its reader, however old', async (t) => {
  const { store, path } = await openTestStore(t);
  const later = afterNoon(300 * day);
  await store.tokens.add({ ...token, subject: byAddress('token@example.org'), expiresAt: later }, notice);
  await store.contacts.add({ ...contact, subject: byAddress('message@example.org') }, notice, null);
  await store.oauth.grants.add({ ...grant, subject: byAddress('grant@example.org'), expiresAt: later }, notice);
  const readers = ['token@example.org', 'message@example.org', 'grant@example.org'];
  for (const reader of readers) await store.readers.note(keyOf(reader), 'Note', noon);
  const erase = async (contacts: Date | null, now: Date) =>
    (await store.expiry.erase(now, { contacts, mail: now, reads: afterNoon(200 * day) })).notes;
  assert.equal(await erase(null, afterNoon(299 * day)), 0);
  assert.equal((await store.readers.list({}, 10)).total, 3);
  assert.equal(await erase(afterNoon(1), afterNoon(299 * day)), 1);
  rowsOf(path, 'delete from outbox');
  assert.equal(await erase(null, afterNoon(301 * day)), 2);
  assert.equal((await store.readers.list({}, 10)).total, 0);
});

test('readers who came are listed apart from those who only asked, since an instant, spam left out', async (t) => {
  const { store, path } = await openTestStore(t);
  const ask = (jti: string, subject: string, at: number) =>
    store.tokens.add({ ...token, jti, subject: byAddress(subject), issuedAt: afterNoon(at) }, notice);
  await ask('j1', 'read@example.org', 0);
  await ask('j2', 'wrote@example.org', 1);
  await ask('j3', 'spam@example.org', 2);
  await ask('j4', 'asked@example.org', 3);
  await ask('j5', 'early@example.org', 4);
  storeReads(path, [
    { subject: 'read@example.org', operation: 'page', at: afterNoon(10) },
    { subject: 'early@example.org', operation: 'page', at: afterNoon(-10) },
  ]);
  for (const [id, subject] of [
    ['contact_1', 'wrote@example.org'],
    ['contact_2', 'spam@example.org'],
  ] as const)
    await store.contacts.add({ ...contact, id, subject: byAddress(subject), receivedAt: afterNoon(20) }, notice, null);
  await store.contacts.setState('contact_2', 'spam');
  const list = async (hasVisited: boolean, more = {}) => {
    const filter = { since: noon, hasVisited, ...more };
    const { readers, total } = await store.readers.list(filter, 10);
    assert.equal(await store.readers.count(filter), total);
    return [total, ...readers.map(({ visitor }) => toVisitorText(visitor))];
  };
  assert.deepEqual(await list(true), [2, 'wrote@example.org', 'read@example.org']);
  assert.deepEqual(await list(false), [3, 'spam@example.org', 'early@example.org', 'asked@example.org']);
  assert.deepEqual(await list(true, { text: 'READ' }), [1, 'read@example.org']);
  assert.deepEqual(await list(false, { text: 'wrote' }), [0]);
});

test('when visitors were here is returned by token in the order of time, from an instant to another', async (t) => {
  const { store, path } = await openTestStore(t);
  const read = { subject: 'Ada@example.org', operation: 'get_candidate' };
  storeReads(path, [
    { ...read, at: afterNoon(-1) },
    { ...read, at: noon },
    { ...read, at: afterNoon(59), operation: 'get_resume', item: 'pdf' },
    { ...read, at: afterNoon(59), operation: 'get_project', item: 'pdf', jti: 'j2' },
    { ...read, at: afterNoon(8 * day), operation: 'pdf' },
    { ...read, at: afterNoon(9 * day) },
  ]);
  await store.contacts.add({ ...contact, receivedAt: afterNoon(700) }, notice, null);
  const presence = await store.readers.presence(noon, afterNoon(9 * day));
  assert.deepEqual(
    presence.map(({ at, until, ...rest }) => ({ ...rest, at: (+at - +noon) / 1_000, until: (+until - +noon) / 1_000 })),
    [
      { record: 'j1', visitor: 'ada@example.org', hasPdf: true, at: 0, until: 59 },
      { record: 'j2', visitor: 'ada@example.org', hasPdf: false, at: 59, until: 59 },
      { record: 'visitor@example.org', visitor: 'visitor@example.org', hasPdf: false, at: 700, until: 700 },
      { record: 'j1', visitor: 'ada@example.org', hasPdf: true, at: 8 * day, until: 8 * day },
    ],
  );
  assert.deepEqual(await store.readers.firstAt(), afterNoon(-1));
});

test('what somebody did is returned with token and count, messages included, the latest first', async (t) => {
  const { store, path } = await openTestStore(t);
  const ada = { subject: 'ada@example.org', client: 'curl/8.9' };
  storeReads(path, [
    { ...ada, operation: 'list_projects', at: noon },
    { ...ada, operation: 'list_projects', at: afterNoon(599) },
    { ...ada, operation: 'list_projects', at: afterNoon(600) },
    { ...ada, operation: 'page', at: afterNoon(700), surface: 'web' },
    { ...ada, operation: 'page', at: afterNoon(702), surface: 'web' },
    { subject: 'bob@example.org', operation: 'page', at: noon },
  ]);
  const sender = { token: { ...token, jti: 'j1' }, subjectHashes: [], claim: null };
  await store.contacts.add({ ...contact, subject: byAddress(ada.subject), receivedAt: afterNoon(701) }, notice, sender);
  const events = await store.readers.eventsOf([keyOf(ada.subject)], noon, 10);
  assert.deepEqual(
    events.map(({ operation, item, client, record, at, until, count }) => [
      ...[operation, item, client, record, count, (+at - +noon) / 1_000, (+until - +noon) / 1_000],
    ]),
    [
      ['list_projects', null, 'curl/8.9', 'j1', 2, 0, 599],
      ['list_projects', null, 'curl/8.9', 'j1', 1, 600, 600],
      ['page', null, 'curl/8.9', 'j1', 1, 700, 700],
      ['message', 'contact_1', null, 'j1', 1, 701, 701],
      ['page', null, 'curl/8.9', 'j1', 1, 702, 702],
    ],
  );
  assert.equal((await store.readers.eventsOf([keyOf(ada.subject)], noon, 2)).length, 2);
  assert.equal((await store.readers.eventsOf([keyOf(ada.subject)], afterNoon(701), 10)).length, 2);
});

test('messages are found by their token or its grant, and by no other of the address', async (t) => {
  const { store, path } = await openTestStore(t);
  const senderOf = (jti: string) => ({ token: { ...token, jti }, subjectHashes: [], claim: null });
  const add = (id: string, jti: string) => store.contacts.add({ ...contact, id }, notice, senderOf(jti));
  await store.tokens.add(token, notice);
  await store.tokens.add({ ...token, jti: 'j2' }, notice);
  await store.tokens.add({ ...token, jti: 'j3' }, notice);
  rowsOf(path, "update issued_tokens set grant_id = 'g1' where jti in ('j2', 'j3')");
  await add('contact_1', 'j1');
  await add('contact_2', 'j2');
  const sentWith = async (jti: string) => (await store.contacts.sentWith(jti, 10)).map(({ id }) => id);
  assert.deepEqual(await sentWith('j1'), ['contact_1']);
  assert.deepEqual(await sentWith('j3'), ['contact_2']);
  assert.deepEqual(await sentWith('j4'), []);
});

test('who asked or read since an instant is returned by visitor, and messages, spam left out', async (t) => {
  const { store, path } = await openTestStore(t);
  await store.tokens.add({ ...token, subject: byAddress(subject) }, notice);
  await store.tokens.add(
    { ...token, jti: 'j2', subject: byAddress('bob@example.org'), issuedAt: afterNoon(5) },
    notice,
  );
  storeReads(path, [
    { subject, operation: 'get_candidate', at: afterNoon(-1) },
    { subject: 'ada@example.org', operation: 'get_candidate', at: afterNoon(9) },
  ]);
  for (const [id, state] of [
    ['contact_1', 'read'],
    ['contact_2', 'spam'],
  ] as const) {
    await store.contacts.add({ ...contact, id }, notice, null);
    rowsOf(path, `update contacts set state = '${state}' where id = '${id}'`);
  }
  assert.deepEqual(await store.readers.activitySince(noon), [
    {
      key: keyOf('ada@example.org'),
      visitor: byAddress('ada@example.org'),
      lastAt: afterNoon(9),
      requests: 1,
      connected: [],
      hasErasedReads: false,
      hasRead: true,
    },
    {
      key: keyOf('bob@example.org'),
      visitor: byAddress('bob@example.org'),
      lastAt: afterNoon(5),
      requests: 1,
      connected: [],
      hasErasedReads: false,
      hasRead: false,
    },
  ]);
  const { messages, total } = await store.contacts.listSince(noon, 10);
  assert.deepEqual([total, ...messages], [1, { ...contact, state: 'read' }]);
  assert.deepEqual(await store.contacts.listSince(afterNoon(1), 10), { messages: [], total: 0 });
});

testOnSqlite('the desk’s statements read by indexes alone, however many reads are kept', async (t) => {
  const { path } = await openTestStore(t);
  const { database, statements } = watched(openSqlite(path));
  const store = await openStore(database);
  t.after(() => store.close());
  storeReads(path, [{ subject, operation: 'get_candidate', at: noon }]);
  await store.tokens.add({ ...token, subject: byAddress('bob@example.org') }, notice);
  const stepsOn = async (tables: RegExp) => {
    const explained = statements.splice(0).map((one) => explain(openSqlite(path), 'explain query plan', one));
    return (await Promise.all(explained)).flat().filter((step) => tables.test(step));
  };
  statements.length = 0;
  await store.readers.firstAt();
  await store.readers.presence(noon, afterNoon(60));
  await store.readers.activitySince(noon);
  const counting = await stepsOn(/ (reads|contacts) /);
  await store.readers.list({}, 1);
  await store.readers.list({ since: noon }, 1);
  await store.readers.list({ text: 'a' }, 1);
  await store.readers.list({ since: noon, hasVisited: true }, 1);
  await store.readers.list({ since: noon, hasVisited: false }, 1);
  for await (const _ of store.readers.keys());
  const listing = await stepsOn(/ (reads|issued_tokens|token|visit) /);
  assert.ok(counting.length >= 2 && listing.length >= 30, `${counting} ${listing}`);
  // Of the readers that are listed, the rows themselves are read.
  const byIndex = /COVERING INDEX|INTEGER PRIMARY KEY|^ SEARCH .* \(canonical_subject=\?\) $/;
  assert.deepEqual(
    [...counting, ...listing].filter((step) => !byIndex.test(step)),
    [],
  );
});
