import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { backUp } from '../../../src/adapters/store/sqlite/backup.ts';
import { rowsOf, testOnSqlite } from '../../support/database.ts';
import { fixture, newFolder } from '../../support/files.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';
import { afterNoon, newDatabasePath, noon, openTestStore } from '../../support/store.ts';

const minutes = (count: number) => afterNoon(count * 60);

test('a visit ends half an hour after the desk was last looked at, and the next one tells what happened since', async (t) => {
  const { store } = await openTestStore(t);
  assert.equal(await store.desk.visit(noon), null);
  assert.equal(await store.desk.visit(minutes(29)), null);
  assert.deepEqual(await store.desk.visit(minutes(59)), minutes(29));
  assert.deepEqual(await store.desk.visit(minutes(60)), minutes(29));
  assert.deepEqual(await store.desk.visit(minutes(88)), minutes(29));
  assert.deepEqual(await store.desk.visit(minutes(200)), minutes(88));
});

test('who signs in begins another visit, which tells what happened since the desk was last looked at', async (t) => {
  const { store } = await openTestStore(t);
  const signIn = async (at: Date, name: string) => {
    const secret = { hash: name, createdAt: at, expiresAt: new Date(at.getTime() + 60_000) };
    await store.desk.addLink({ ...secret, path: '/desk' }, null, []);
    assert.deepEqual(await store.desk.useLink(name, secret), { path: '/desk' });
  };
  await signIn(noon, 'first');
  assert.equal(await store.desk.visit(minutes(1)), null);
  assert.equal(await store.desk.visit(minutes(10)), null);
  await signIn(minutes(12), 'second');
  assert.deepEqual(await store.desk.visit(minutes(13)), minutes(10));
  assert.deepEqual(await store.desk.visit(minutes(40)), minutes(10));
  await signIn(minutes(100), 'third');
  assert.deepEqual(await store.desk.visit(minutes(101)), minutes(40));
});

testOnSqlite(
  'a visit shows what happened since the last one even while another process locks the database',
  async (t) => {
    const { store, path } = await openTestStore(t, { lockWaitMilliseconds: 1 });
    await store.desk.visit(noon);
    using other = openSqliteFile(path);
    other.exec('begin immediate');
    assert.deepEqual(await store.desk.visit(minutes(60)), noon);
    other.exec('rollback');
    assert.deepEqual(await store.desk.visit(minutes(61)), noon);
  },
);

testOnSqlite(
  'a backup records when it was made in the database that it copied, also while that is in use',
  async (t) => {
    const { store, path } = await openTestStore(t);
    assert.equal(await store.desk.backedUpAt(), null);
    const before = Date.now();
    const copy = join(newFolder(t), 'copy.db');
    await backUp(path, copy);
    const at = await store.desk.backedUpAt();
    assert.ok(at !== null && at.getTime() >= before && at.getTime() <= Date.now());
    assert.deepEqual(rowsOf(copy, 'select * from owner_events'), []);
  },
);

testOnSqlite('a database in which that cannot be recorded is copied all the same', async (t) => {
  const path = newDatabasePath(t);
  {
    using database = openSqliteFile(path);
    database.exec(readFileSync(fixture('database-0002.sql'), 'utf8'));
  }
  const copy = join(newFolder(t), 'copy.db');
  assert.equal((await backUp(path, copy)).contacts, 5);
});
