import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { backUp } from '../../../src/adapters/store/sqlite/backup.ts';
import { rowsOf, testOnSqlite } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';
import { afterNoon, noon, openTestStore } from '../../support/store.ts';

const minutes = (count: number) => afterNoon(count * 60);

test('a visit ends half an hour after the last look, and the next one tells what happened since', async (t) => {
  const { store } = await openTestStore(t);
  assert.deepEqual(await store.desk.visit(noon, false), { before: null, isFirst: true });
  assert.deepEqual(await store.desk.visit(noon), { before: null, isFirst: true });
  assert.deepEqual(await store.desk.visit(minutes(29)), { before: null, isFirst: false });
  assert.deepEqual((await store.desk.visit(minutes(59))).before, minutes(29));
  assert.deepEqual((await store.desk.visit(minutes(60))).before, minutes(29));
  assert.deepEqual((await store.desk.visit(minutes(88))).before, minutes(29));
  assert.deepEqual((await store.desk.visit(minutes(200))).before, minutes(88));
});

test('who signs in begins another visit, which tells what happened since the desk was last looked at', async (t) => {
  const { store } = await openTestStore(t);
  const signIn = async (at: Date, name: string) => {
    const secret = { hash: name, createdAt: at, expiresAt: new Date(at.getTime() + 60_000) };
    await store.desk.addLink({ ...secret, path: '/desk' }, null, []);
    assert.deepEqual(await store.desk.useLink(name, secret), { path: '/desk' });
  };
  await signIn(noon, 'first');
  assert.deepEqual(await store.desk.visit(minutes(1)), { before: null, isFirst: true });
  assert.deepEqual(await store.desk.visit(minutes(10)), { before: null, isFirst: false });
  await signIn(minutes(12), 'second');
  assert.deepEqual((await store.desk.visit(minutes(13))).before, minutes(10));
  assert.deepEqual((await store.desk.visit(minutes(40))).before, minutes(10));
  await signIn(minutes(100), 'third');
  assert.deepEqual((await store.desk.visit(minutes(101))).before, minutes(40));
});

test('the first profile ends other sessions of the code, links and proposals, for a session that is there [TRUST-78]', async (t) => {
  const { store, path } = await openTestStore(t);
  const addSession = (hash: string) => store.desk.addSession({ hash, createdAt: noon, expiresAt: minutes(60) });
  for (const hash of ['setup author', 'setup other', 'owner']) await addSession(hash);
  const link = { id: 'l1', name: 'Acme', view: 'all', until: null, mayWrite: true, madeAt: noon };
  await store.links.add(link);
  await store.proposals.add({ name: 'cv.pdf', baseRevision: '', revision: 'r', savedAt: noon, text: 'x' });
  const kept = () => [
    rowsOf(path, 'select hash from desk_sessions order by hash').map(({ hash }) => hash),
    rowsOf(path, 'select name from proposals').map(({ name }) => name),
    rowsOf(path, 'select ended_at from links').map(({ ended_at }) => ended_at),
  ];
  const before = [['owner', 'setup author', 'setup other'], ['cv.pdf'], [null]];

  assert.equal(await store.desk.beginFirstProfile('ended', minutes(1)), 'signed-out');
  assert.equal(await store.desk.beginFirstProfile('author', minutes(61)), 'signed-out');
  // Another session has changed what the author publishes.
  assert.equal(await store.desk.beginFirstProfile('author', minutes(1), 'r1'), 'changed');
  assert.deepEqual(kept(), before);
  assert.equal(await store.desk.beginFirstProfile('author', minutes(1)), null);
  assert.deepEqual(kept(), [['owner', 'setup author'], [], [minutes(1).toISOString()]]);
  await store.desk.keepSession('author');
  await store.desk.recordFirstProfile(minutes(1));
  await addSession('setup late');
  assert.equal(await store.desk.beginFirstProfile('late', minutes(2)), 'signed-out');
  assert.equal(await store.desk.beginFirstProfile('author', minutes(2)), null);
  // There was a profile: what is there by now is the owner's.
  assert.deepEqual(kept(), [['author', 'owner', 'setup late'], [], [minutes(1).toISOString()]]);
});

testOnSqlite(
  'a visit shows what happened since the last one even while another process locks the database',
  async (t) => {
    const { store, path } = await openTestStore(t, { lockWaitMilliseconds: 1 });
    await store.desk.visit(noon);
    using other = openSqliteFile(path);
    other.exec('begin immediate');
    assert.deepEqual((await store.desk.visit(minutes(60))).before, noon);
    other.exec('rollback');
    assert.deepEqual((await store.desk.visit(minutes(61))).before, noon);
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
