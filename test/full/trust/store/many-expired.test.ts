import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../../../src/adapters/store/store.ts';
import { createDatabase, openDatabase, rowsOf, untilOneWaits } from '../../../support/database.ts';
import { eventually } from '../../../support/process.ts';
import { afterNoon, newDatabasePath, noon } from '../../../support/store.ts';
import { watched } from '../../../support/watched-database.ts';

const at = (seconds: number) => `'${afterNoon(seconds).toISOString()}'`;
/** Rows of the table `n`, numbered from 1 in its column `i`. */
const numbered = (count: number) =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
const bounds = { contacts: noon, mail: noon, reads: noon };

/** A store whose statements are collected, and a function that counts the rows of a table. */
async function open(t: TestContext, rewrite?: Parameters<typeof watched>[1]) {
  const path = await createDatabase(newDatabasePath(t));
  const { database, statements } = watched(openDatabase(path), rewrite);
  const store = await openStore(database);
  t.after(() => store.close());
  const change = (sql: string) => rowsOf(path, sql);
  const countOf = (table: string) => Number(rowsOf(path, `select count(*) as count from ${table}`)[0]!.count);
  /** Returns how many rows each transaction has deleted. */
  const deletedByEach = () => {
    const sums: number[] = [];
    for (const { sql, affected } of statements) {
      if (/^(begin|start)/.test(sql)) sums.push(0);
      else if (/^\s*delete/.test(sql)) sums.push(sums.pop()! + affected);
    }
    return sums;
  };
  return { store, change, countOf, deletedByEach, untilOneWaits: () => untilOneWaits(path) };
}

test('many expired tokens are erased a thousand a transaction, but for those that a notice reports', async (t) => {
  const { store, change, countOf, deletedByEach } = await open(t);
  // Of 2,500 that expired four in a millisecond each, every fifth is reported.
  change(`insert into issued_tokens (jti, subject, canonical_subject, issued_at, expires_at)
    ${numbered(2_500)} select 'j' || i, 'r', 'r', ${at(0)}, substr(${at(0)}, 1, 20) || (100 + i / 4) || 'Z' from n`);
  change(`insert into issued_tokens (jti, subject, canonical_subject, issued_at, expires_at)
    ${numbered(10)} select 'valid' || i, 'r', 'r', ${at(0)}, ${at(60)} from n`);
  change(`insert into outbox (id, kind, subject, text, created_at, attempts, scheduled_at, about)
    ${numbered(500)} select 'n' || i, 'auth_request', 's', 't', ${at(0)}, 0, ${at(0)}, 'j' || (i * 5) from n`);
  assert.equal((await store.expiry.erase(afterNoon(60), bounds)).tokens, 2_000);
  assert.deepEqual(
    deletedByEach().filter((count) => count > 0),
    [1_000, 1_000],
  );
  assert.equal(countOf('issued_tokens'), 510);
  assert.equal(countOf("issued_tokens as t join outbox on about = jti where jti not like 'valid%'"), 500);
  change('delete from outbox');
  assert.equal((await store.expiry.erase(afterNoon(60), bounds)).tokens, 500);
  assert.equal(countOf('issued_tokens'), 10);
});

test('the notes of many readers are erased in one run', async (t) => {
  const { store, change, countOf } = await open(t);
  change(`insert into reader_notes (canonical_subject, note, noted_at)
    ${numbered(6_000)} select 'r' || i, 'n', ${at(-1)} from n`);
  assert.equal((await store.expiry.erase(afterNoon(60), bounds)).notes, 6_000);
  assert.equal(countOf('reader_notes'), 0);
});

test('many expired messages, mails, keys, quotas and reads are erased a thousand a transaction', async (t) => {
  const { store, change, countOf, deletedByEach } = await open(t);
  for (const [count, seconds] of [
    [1_300, -1],
    [3, 0],
  ] as const) {
    const [id, day] = [`'${seconds}.' || i`, 86_400];
    change(`insert into contacts (id, name, email, company, message, received_at)
      ${numbered(count)} select 'c' || ${id}, 'n', 'e', 'c', 'm', ${at(seconds)} from n`);
    change(`insert into outbox (id, kind, subject, text, created_at, attempts, scheduled_at, sent_at, mail_id, about)
      ${numbered(count)} select 'n' || ${id}, 'contact_request', 's', 't', ${at(0)}, 1, ${at(0)}, ${at(60)}, 'of message', 'c' || ${id} from n`);
    change(`insert into outbox (id, kind, subject, text, created_at, attempts, scheduled_at, sent_at, mail_id, about)
      ${numbered(count)} select 's' || ${id}, 'auth_request', 's', 't', ${at(0)}, 1, ${at(0)}, ${at(seconds)}, 'm' || (i % 2), '' from n`);
    change(`insert into idempotency_keys (subject, key, fingerprint, contact_id, created_at)
      ${numbered(count)} select 's', ${id}, 'f', '', ${at(60 - day + 1 + seconds)} from n`);
    change(`insert into quota_windows (key, used, ends_at)
      ${numbered(count)} select ${id}, 1, ${at(61 + seconds)} from n`);
    change(`insert into reads (jti, subject, canonical_subject, operation, surface, read_at)
      ${numbered(count)} select ${id}, 'r', 'r', 'get_candidate', 'rest', ${at(seconds)} from n`);
    change(`insert into erased_reads (jti, subject, canonical_subject, erased_at)
      ${numbered(count)} select ${id}, 'r', 'r', ${at(seconds)} from n`);
  }
  const { mails, ...erased } = await store.expiry.erase(afterNoon(60), bounds);
  assert.deepEqual(erased, { contacts: 1_300, tokens: 0, grants: 0, reads: 1_300, notes: 0 });
  assert.deepEqual(mails.toSorted(), ['m0', 'm1', 'of message']);
  const counts = ['contacts', 'idempotency_keys', 'quota_windows', 'reads', 'erased_reads'].map(countOf);
  assert.deepEqual([...counts, countOf('outbox')], [3, 3, 3, 3, 3, 6]);
  // Of 1,300 rows in each of six tables, and a notice for each message.
  assert.deepEqual(
    deletedByEach().filter((count) => count > 0),
    [2_000, 600, ...Array(5).fill([1_000, 300]).flat()],
  );
});

test('expired messages are erased with their notices and keys, whichever the database selects first', async (t) => {
  const { store, change, countOf } = await open(t, (sql) =>
    /^\s*delete/.test(sql) ? sql.replace(' limit ', ' order by random() limit ') : sql,
  );
  for (const [count, seconds] of [
    [1_300, -1],
    [3, 0],
  ] as const) {
    const id = `'${seconds}.' || i`;
    change(`insert into contacts (id, name, email, company, message, received_at)
      ${numbered(count)} select 'c' || ${id}, 'n', 'e', 'c', 'm', ${at(seconds)} from n`);
    change(`insert into outbox (id, kind, subject, text, created_at, attempts, scheduled_at, about)
      ${numbered(count)} select 'n' || ${id}, 'contact_request', 's', 't', ${at(0)}, 1, ${at(0)}, 'c' || ${id} from n`);
    change(`insert into idempotency_keys (subject, key, fingerprint, contact_id, created_at)
      ${numbered(count)} select 's', ${id}, 'f', 'c' || ${id}, ${at(0)} from n`);
  }
  assert.equal((await store.expiry.erase(afterNoon(60), bounds)).contacts, 1_300);
  assert.deepEqual(['contacts', 'outbox', 'idempotency_keys'].map(countOf), [3, 3, 3]);
});

test('requests are answered between the transactions of an erasing', async (t) => {
  const requests: Promise<void>[] = [];
  let answered = 0;
  const { store, change, untilOneWaits } = await open(t, async (sql) => {
    if (!/^delete from "issued_tokens"/.test(sql)) return sql;
    // One that came during a transaction is answered with the next one at the latest, before a third begins.
    await eventually(() => answered >= requests.length - 1);
    const request = store.quotas.take([{ key: `k${requests.length}`, count: 1, seconds: 60 }], noon);
    requests.push(
      request.then(() => {
        answered += 1;
      }),
    );
    await untilOneWaits();
    return sql;
  });
  change(`insert into issued_tokens (jti, subject, canonical_subject, issued_at, expires_at)
    ${numbered(5_000)} select 'j' || i, 'r', 'r', ${at(0)}, ${at(0)} from n`);
  assert.equal((await store.expiry.erase(afterNoon(60), bounds)).tokens, 5_000);
  await Promise.all(requests);
  assert.equal(answered, 5);
});
