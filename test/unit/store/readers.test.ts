import assert from 'node:assert/strict';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { test } from 'node:test';
import type { CompiledQuery, Dialect } from 'kysely';
import { openSqlite } from '../../../src/adapters/store/sqlite/sqlite.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import { rowsOf, testOnSqlite } from '../../support/database.ts';
import { storeReads } from '../../support/reads.ts';
import { afterNoon, contact, noon, notice, openTestStore, token } from '../../support/store.ts';

const subject = 'Ada@Example.org';
const day = 86_400;

test('a reader is seen from the first token to the last read, under the address that was typed first', async (t) => {
  const { store, path } = await openTestStore(t);
  await store.addToken({ ...token, subject }, notice);
  await store.addToken({ ...token, jti: 'j2', subject: 'ada@example.org', issuedAt: afterNoon(60) }, notice);
  storeReads(path, [
    { subject, operation: 'list_experience', at: afterNoon(100), client: 'curl 8.9' },
    { subject, operation: 'list_experience', at: afterNoon(110), client: 'curl 8.9' },
    { subject, operation: 'get_resume', item: 'pdf', at: afterNoon(120), client: 'Claude Desktop' },
  ]);
  await store.addContact({ ...contact, subject, receivedAt: afterNoon(50) }, notice, null);
  await store.addContact({ ...contact, id: 'contact_2', subject: null, receivedAt: afterNoon(51) }, notice, null);
  assert.deepEqual(await store.listReaders({}, 10), {
    total: 1,
    readers: [
      {
        canonicalAddress: 'ada@example.org',
        address: 'Ada@Example.org',
        firstSeenAt: noon,
        lastSeenAt: afterNoon(120),
        client: 'Claude Desktop',
        reads: [
          { operation: 'get_resume', item: 'pdf', count: 1 },
          { operation: 'list_experience', item: null, count: 2 },
        ],
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
  const list = async (filter: Parameters<typeof store.listReaders>[0], limit = 10) => {
    const { readers, total } = await store.listReaders(filter, limit);
    return [total, ...readers.map(({ address }) => address)];
  };
  assert.deepEqual(await list({}, 2), [3, 'reader3@example.org', 'reader2@example.org']);
  assert.deepEqual(await list({ text: 'READER2' }), [1, 'reader2@example.org']);
  assert.deepEqual(await list({ text: 'reader2@EXAMPLE.org' }), [1, 'reader2@example.org']);
  assert.deepEqual(await list({ text: '%' }), [0]);
  assert.deepEqual(await list({ since: afterNoon(2 * day) }), [2, 'reader3@example.org', 'reader2@example.org']);
  assert.deepEqual(await list({ address: 'reader1@example.org' }), [1, 'reader1@example.org']);
  assert.deepEqual(await store.readerAddresses(), [
    'reader3@example.org',
    'reader2@example.org',
    'reader1@example.org',
  ]);
});

test('a store without visitors has no readers', async (t) => {
  const { store } = await openTestStore(t);
  assert.deepEqual(await store.listReaders({}, 10), { readers: [], total: 0 });
  assert.deepEqual(await store.readTotals(noon, afterNoon(60)), { reads: 0, readers: 0, pdfReaders: 0 });
  assert.deepEqual(await store.activitySince(noon), []);
  assert.deepEqual(await store.messagesSince(noon, 10), { messages: [], total: 0 });
});

test('a note is kept until it is replaced or emptied', async (t) => {
  const { store } = await openTestStore(t);
  await store.addToken({ ...token, subject }, notice);
  const note = async () => (await store.listReaders({}, 1)).readers[0]?.note;
  await store.noteReader('ada@example.org', 'Met at the meetup', noon);
  assert.equal(await note(), 'Met at the meetup');
  await store.noteReader('ada@example.org', 'Wants a call', noon);
  assert.equal(await note(), 'Wants a call');
  await store.noteReader('ada@example.org', '', noon);
  assert.equal(await note(), '');
});

test('reads are counted from an instant to another, readers once each', async (t) => {
  const { store, path } = await openTestStore(t);
  const read = { subject: 'ada@example.org', operation: 'get_candidate' };
  storeReads(path, [
    { ...read, at: afterNoon(-1) },
    { ...read, at: noon },
    { ...read, at: afterNoon(59), operation: 'get_resume', item: 'pdf' },
    { ...read, at: afterNoon(59), operation: 'get_resume', item: 'pdf' },
    { ...read, at: afterNoon(59), subject: 'bob@example.org' },
    { ...read, at: afterNoon(60) },
  ]);
  assert.deepEqual(await store.readTotals(noon, afterNoon(60)), { reads: 4, readers: 2, pdfReaders: 1 });
});

test('what visitors did since an instant is told by visitor, spam left out', async (t) => {
  const { store, path } = await openTestStore(t);
  await store.addToken({ ...token, subject }, notice);
  await store.addToken({ ...token, jti: 'j2', subject: 'bob@example.org', issuedAt: afterNoon(5) }, notice);
  storeReads(path, [
    { subject, operation: 'get_candidate', at: afterNoon(-1) },
    { subject: 'ada@example.org', operation: 'get_candidate', at: afterNoon(9) },
  ]);
  for (const [id, state] of [
    ['contact_1', 'read'],
    ['contact_2', 'spam'],
  ] as const) {
    await store.addContact({ ...contact, id }, notice, null);
    rowsOf(path, `update contacts set state = '${state}' where id = '${id}'`);
  }
  assert.deepEqual(await store.activitySince(noon), [
    {
      canonicalAddress: 'ada@example.org',
      address: 'ada@example.org',
      lastAt: afterNoon(9),
      hasAskedForAccess: true,
      hasErasedReads: false,
      reads: [{ operation: 'get_candidate', item: null, count: 1 }],
    },
    {
      canonicalAddress: 'bob@example.org',
      address: 'bob@example.org',
      lastAt: afterNoon(5),
      hasAskedForAccess: true,
      hasErasedReads: false,
      reads: [],
    },
  ]);
  const { messages, total } = await store.messagesSince(noon, 10);
  assert.deepEqual([total, ...messages], [1, { ...contact, state: 'read' }]);
  assert.deepEqual(await store.messagesSince(afterNoon(1), 10), { messages: [], total: 0 });
});

test('an erased record is remembered with the address and the date', async (t) => {
  const { store, path } = await openTestStore(t);
  rowsOf(path, `insert into erased_reads values ('j1', '${subject}', 'ada@example.org', '${noon.toISOString()}')`);
  const { readers } = await store.listReaders({}, 10);
  assert.deepEqual(
    readers.map(({ address, erasedAt, reads }) => ({ address, erasedAt, reads })),
    [{ address: subject, erasedAt: noon, reads: [] }],
  );
});

testOnSqlite('the statements of the desk go through the reads by an index alone, however many are kept', async (t) => {
  const { path } = await openTestStore(t);
  const database = openSqlite(path);
  const { dialect, statements } = watched(database.dialect);
  const store = await openStore({ ...database, dialect });
  t.after(() => store.close());
  storeReads(path, [{ subject, operation: 'get_candidate', at: noon }]);
  statements.length = 0;
  await store.listReaders({ since: noon }, 10);
  await store.readTotals(noon, afterNoon(60));
  await store.activitySince(noon);
  const plans = statements.flatMap(({ sql, parameters }) => plan(path, sql, parameters));
  const onReads = plans.filter((detail) => / reads /.test(detail));
  assert.ok(onReads.length >= 4, `${plans}`);
  assert.deepEqual(
    onReads.filter((detail) => !/COVERING INDEX|INTEGER PRIMARY KEY/.test(detail)),
    [],
  );
});

/** Returns a dialect that collects the statements that it runs. */
function watched(inner: Dialect) {
  const statements: CompiledQuery[] = [];
  const dialect: Dialect = {
    createAdapter: () => inner.createAdapter(),
    createQueryCompiler: () => inner.createQueryCompiler(),
    createIntrospector: (db) => inner.createIntrospector(db),
    createDriver() {
      const driver = inner.createDriver();
      const acquire = driver.acquireConnection.bind(driver);
      driver.acquireConnection = async () => {
        const connection = await acquire();
        return {
          streamQuery: (query, size) => connection.streamQuery(query, size),
          executeQuery(query) {
            statements.push(query);
            return connection.executeQuery(query);
          },
        };
      };
      return driver;
    },
  };
  return { dialect, statements };
}

function plan(path: string, query: string, parameters: readonly unknown[]): string[] {
  using database = new DatabaseSync(path);
  const rows = database.prepare(`explain query plan ${query}`).all(...(parameters as SQLInputValue[]));
  return rows.map(({ detail }) => ` ${detail} `);
}
