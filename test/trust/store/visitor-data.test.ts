import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { tableFacts } from '../../../src/adapters/store/registry.ts';
import type { Notice } from '../../../src/model/notice.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { rowsOf, testOnSqlite } from '../../support/database.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';
import { afterNoon, noon, openTestStore } from '../../support/store.ts';

const notice = { subject: 'S', text: 'T', line: 'L', replyTo: null };

/**
 * A store with three contact requests, under a key each, and two tokens: from Ada, for Ada by Bob, and from Eve. With each token
 * something was read; its record was erased before; and the owner has a note of each visitor.
 */
async function open(t: TestContext) {
  const { path, store } = await openTestStore(t);
  const visitors = [
    { id: 'from Ada', email: 'ada@example.org', subject: byAddress('ada@example.org') },
    { id: 'for Ada', email: 'Ada@Example.ORG', subject: byAddress('bob@example.org') },
    { id: 'from Eve', email: 'eve@example.org', subject: byAddress('eve@example.org') },
  ];
  for (const [second, visitor] of visitors.entries()) {
    const contact = { ...visitor, name: 'N', company: 'C', message: 'M', receivedAt: afterNoon(second) };
    const token = { jti: 'other', subject: visitor.subject, issuedAt: noon, expiresAt: noon };
    const sender = { token, subjectHashes: [], claim: { key: 'key-1', fingerprint: 'f' } };
    await store.contacts.add(contact, { ...notice, kind: 'contact_request', about: visitor.id }, sender);
  }
  for (const [jti, subject] of [
    ['j1', 'ADA@example.org'],
    ['j2', 'eve@example.org'],
  ] as const) {
    const token = { jti, subject: byAddress(subject), issuedAt: noon, expiresAt: afterNoon(3_600) };
    await store.tokens.add(token, { ...notice, kind: 'auth_request', about: jti });
  }
  const change = (sql: string) => rowsOf(path, sql);
  change(`insert into reads (jti, subject, canonical_subject, operation, surface, client, read_at)
    select jti, subject, canonical_subject, 'get_candidate', 'rest', subject, '2026-11-21T12:00:00.000Z' from issued_tokens`);
  change(`insert into erased_reads select jti, subject, canonical_subject, issued_at from issued_tokens`);
  change(`insert into reader_notes select canonical_subject, 'note', issued_at, issued_at from issued_tokens`);
  const valuesOf = (column: string, table: string) =>
    rowsOf(path, `select ${column} as value from ${table} order by 1`).map(({ value }) => value);
  const idsOf = async (email?: string) =>
    (await store.contacts.list(email === undefined ? email : byAddress(email))).map(({ id }) => id);
  return { path, store, change, valuesOf, idsOf };
}

test('a visitor is erased with all requests, keys, tokens, notices, reads and notes, and no other is', async (t) => {
  const { store, change, valuesOf, idsOf } = await open(t);
  change(`update outbox set mail_id = 'digest' where about in ('from Ada', 'j1')`);
  change(`update outbox set mail_id = 'single' where about = 'for Ada'`);
  const { mails, ...erased } = await store.visitors.erase(byAddress('ada@EXAMPLE.org'));
  assert.deepEqual(erased, { contacts: 2, tokens: 1, grants: 0, reads: 1, notes: 1 });
  assert.deepEqual(mails.toSorted(), ['digest', 'single']);
  assert.deepEqual(await idsOf(), ['from Eve']);
  for (const table of ['issued_tokens', 'reads', 'erased_reads']) assert.deepEqual(valuesOf('jti', table), ['j2']);
  assert.deepEqual(valuesOf('canonical_subject', 'reader_notes'), ['eve@example.org']);
  assert.deepEqual(valuesOf('about', 'outbox'), ['from Eve', 'j2']);
  assert.deepEqual(valuesOf('contact_id', 'idempotency_keys'), ['from Eve']);
  assert.deepEqual(await store.visitors.erase(byAddress('ada@example.org')), {
    contacts: 0,
    tokens: 0,
    grants: 0,
    reads: 0,
    notes: 0,
    mails: [],
  });
});

/** The tables whose rows a column names; in `about` of a notice, by its kind. */
const tablesNamed: Readonly<Record<string, readonly string[]>> = {
  contact_id: ['contacts'],
  unconfirmed_id: [], // an id alone
  jti: ['issued_tokens'],
  grant_id: ['oauth_grants'],
  mail_id: [],
  client_id: [],
};
const tablesReported: Readonly<Record<Notice['kind'], readonly string[]>> = {
  contact_request: ['contacts'],
  reply: ['contacts'],
  auth_request: ['issued_tokens', 'oauth_grants'],
  verification_code: ['verification_codes'],
  sign_in: [], // the owner's link
};

testOnSqlite('a row that need not have an address belongs to the rows that it names', async (t) => {
  const { path } = await openTestStore(t);
  for (const [table, { owners = [] }] of tableFacts) {
    const columns = rowsOf(path, `select name, "notnull" as is_required from pragma_table_info('${table}')`);
    if (columns.some(({ name, is_required }) => is_required === 1 && String(name).startsWith('canonical'))) continue;
    const names = columns.map(({ name }) => String(name)).filter((name) => /_id$|^jti$|^about$/.test(name));
    const expected = names.flatMap((name) =>
      name === 'about'
        ? Object.entries(tablesReported).flatMap(([kind, tables]) => tables.map((owner) => `${name} ${owner} ${kind}`))
        : (tablesNamed[name] ?? ['?']).map((owner) => `${name} ${owner}`),
    );
    const listed = owners.map(({ column, table: owner, kind }) => [column, owner, kind ?? []].flat().join(' '));
    assert.deepEqual(listed.toSorted(), expected.toSorted(), table);
  }
});

testOnSqlite(
  'of a visitor who was erased nothing is left in any table, and what is left of another is as before',
  async (t) => {
    const { path, store } = await openTestStore(t);
    const [ada, eve] = ['ada@example.org', 'eve@example.org'];
    const add = (table: string, given: Record<string, string>) => {
      const columns = rowsOf(path, `select name, type, "notnull" as is_required from pragma_table_info('${table}')`);
      const values = columns.map(({ name, type, is_required }) => {
        const value = given[String(name)] ?? (is_required === 1 ? 'x' : undefined);
        if (value === undefined) return 'null';
        return type === 'integer' ? '0' : `'${value}'`;
      });
      rowsOf(path, `insert into ${table} values (${values.join()})`);
    };
    for (const [table, { key, by = [], owners = [], cleared = {} }] of tableFacts) {
      const addresses = `select name from pragma_table_info('${table}') where name like 'canonical%' order by name`;
      assert.deepEqual(
        rowsOf(path, addresses).map(({ name }) => name),
        by.toSorted(),
        table,
      );
      const named = Object.keys(cleared).map((column) => [column, ada]);
      if (named.length > 0) add(table, { [key[0]]: `row of ${table}`, ...Object.fromEntries(named) });
      for (const visitor of [ada, eve]) {
        // The first row of a table has the visitor as its key, by which the rows name it that belong to it.
        const rows = [
          ...by.map((column) => ({ [column]: visitor })),
          ...owners.map(({ column, kind = 'x' }) => ({ [column]: visitor, kind })),
        ];
        for (const [n, row] of rows.entries())
          add(table, { ...(table !== 'reads' && { [key[0]]: n === 0 ? visitor : `${visitor} ${n}` }), ...row });
      }
    }
    const left = (visitor: string) =>
      tableFacts
        .map(([table]) => rowsOf(path, `select * from ${table}`))
        .flatMap((rows) => rows.filter((row) => Object.values(row).some((value) => String(value).startsWith(visitor))));
    const before = left(eve);
    assert.equal(left(ada).length, before.length + 2);
    assert.ok(before.length >= 14, `${before.length}`);
    await store.visitors.erase(byAddress('Ada@EXAMPLE.org'));
    assert.deepEqual(left(ada), []);
    assert.deepEqual(left(eve), before);
  },
);

test('contact requests received before an instant are erased with their notices and keys, or all are kept', async (t) => {
  const { store, valuesOf, idsOf } = await open(t);
  const none = { contacts: 0, tokens: 0, grants: 0, reads: 0, notes: 0, mails: [] };
  assert.deepEqual(await store.expiry.erase(afterNoon(10), { contacts: null, mail: noon, reads: noon }), none);
  assert.deepEqual(await store.expiry.erase(afterNoon(10), { contacts: afterNoon(2), mail: noon, reads: noon }), {
    ...none,
    contacts: 2,
  });
  assert.deepEqual(await idsOf(), ['from Eve']);
  assert.deepEqual(valuesOf('about', 'outbox'), ['from Eve', 'j1', 'j2']);
  assert.deepEqual(valuesOf('contact_id', 'idempotency_keys'), ['from Eve']);
});

test('mails sent before an instant are erased, then the expired tokens that no notice reports', async (t) => {
  const { store, change, valuesOf } = await open(t);
  change(`update outbox set mail_id = 'old', sent_at = '2026-11-21T12:00:59.999Z' where about = 'j1'`);
  change(`update outbox set mail_id = 'new', sent_at = '2026-11-21T12:01:00.000Z' where about = 'from Ada'`);
  const eraseExpired = (seconds: number) =>
    store.expiry.erase(afterNoon(seconds), { contacts: null, mail: afterNoon(60), reads: noon });
  assert.deepEqual(await eraseExpired(3_600), {
    contacts: 0,
    tokens: 0,
    grants: 0,
    reads: 0,
    notes: 0,
    mails: ['old'],
  });
  assert.deepEqual(valuesOf('about', 'outbox'), ['for Ada', 'from Ada', 'from Eve', 'j2']);
  assert.deepEqual(await eraseExpired(3_601), { contacts: 0, tokens: 1, grants: 0, reads: 0, notes: 0, mails: [] });
  assert.deepEqual(valuesOf('jti', 'issued_tokens'), ['j2']);
});

test('reads, and records that visitors erased, are erased before an instant, with or without tokens', async (t) => {
  const { store, change, valuesOf } = await open(t);
  change(`update reads set read_at = '2026-11-21T11:59:59.999Z' where jti = 'j1'`);
  change(`update erased_reads set erased_at = '2026-11-21T11:59:59.999Z' where jti = 'j2'`);
  change('delete from issued_tokens');
  const { reads } = await store.expiry.erase(afterNoon(10), { contacts: null, mail: noon, reads: noon });
  assert.equal(reads, 1);
  assert.deepEqual(valuesOf('jti', 'reads'), ['j2']);
  assert.deepEqual(valuesOf('jti', 'erased_reads'), ['j1']);
});

test('idempotency keys are erased after a day, quotas when their windows end', async (t) => {
  const { store, change, valuesOf } = await open(t);
  change(`insert into quota_windows (key, ends_at, used) values ('a', '2026-11-22T12:00:01.000Z', 1)`);
  change(`insert into quota_windows (key, ends_at, used) values ('b', '2026-11-22T12:00:01.001Z', 1)`);
  await store.expiry.erase(afterNoon(86_401), { contacts: null, mail: noon, reads: noon });
  assert.deepEqual(valuesOf('contact_id', 'idempotency_keys'), ['from Eve']);
  assert.deepEqual(valuesOf('key', 'quota_windows'), ['b']);
});

testOnSqlite('no byte of erased data is left in the database or its write-ahead log after a scrub', async (t) => {
  const { path, store, change, valuesOf } = await open(t);
  change(`update contacts set message = printf('%.100000c', 'x') where id = 'from Eve'`);
  await store.visitors.erase(byAddress('eve@example.org'));
  await store.scrub();
  assert.deepEqual(valuesOf('freelist_count', 'pragma_freelist_count'), [0]);
  assert.equal(readFileSync(path, 'latin1').includes('eve@example.org'), false);
  assert.equal(statSync(`${path}-wal`).size, 0);
  await store.close();
  await assert.rejects(store.scrub(), /destroyed/);
});

testOnSqlite('a scrub fails, and says what is left, while another connection reads', async (t) => {
  const { path, store } = await open(t);
  using reader = openSqliteFile(path);
  reader.exec('begin');
  reader.prepare('select * from contacts').all();
  await store.visitors.erase(byAddress('eve@example.org'));
  let instant = 0;
  t.mock.method(performance, 'now', () => {
    instant += 2_600;
    return instant;
  });
  await assert.rejects(store.scrub(), (error: Error) => {
    assert.equal(
      error.message,
      'Erased data is still in the write-ahead log of the database, which another process is using; try again.',
    );
    assert.equal((error.cause as Error).message, 'the write-ahead log is in use');
    return true;
  });
  reader.exec('rollback');
  await store.scrub();
  assert.equal(statSync(`${path}-wal`).size, 0);
});
