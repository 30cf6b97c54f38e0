import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredChange, StoredCopy } from '../../../src/model/profile/working-copy.ts';
import { rowsOf } from '../../support/database.ts';
import { afterNoon, noon, openTestStore } from '../../support/store.ts';

const patched = (id: string, isUndone = false): StoredChange => ({
  ...{ id, step: `step of ${id}`, isUndone, text: null },
  patch: [{ op: 'replace', path: '/name', value: 'Ü 日本' }],
});
const asText: StoredChange = { id: 't', step: 's', isUndone: false, patch: null, text: 'name: Eva\n' };
const copyOf = (revision: string, ...changes: StoredChange[]): StoredCopy => ({
  ...{ revision, baseRevision: 'base', baseText: 'name: Ada\n', changes },
  conflicts: [{ pointer: '/name', mine: 'Eva', theirs: null }],
});

test('a working copy is read as it was saved, its changes in their order', async (t) => {
  const { workingCopy } = (await openTestStore(t)).store;
  assert.equal(await workingCopy.load(), null);
  const first = copyOf('r1', patched('b'), asText, patched('a', true));
  assert.equal(await workingCopy.save(null, first, noon), true);
  assert.deepEqual(await workingCopy.load(), first);
  const second = copyOf('r2', patched('b', true), asText, patched('a'), patched('c'));
  assert.equal(await workingCopy.save('r1', second, noon), true);
  assert.deepEqual(await workingCopy.load(), second);
});

test('of two that change the same revision one does, and the other is told', async (t) => {
  const { workingCopy } = (await openTestStore(t)).store;
  const saved = await Promise.all(['x', 'y'].map((id) => workingCopy.save(null, copyOf(id, patched(id)), noon)));
  assert.deepEqual(saved.toSorted(), [false, true]);
  const { revision, changes } = (await workingCopy.load())!;
  assert.equal(await workingCopy.save('other', copyOf('late'), noon), false);
  assert.equal(await workingCopy.save('other', null, noon), false);
  assert.deepEqual([(await workingCopy.load())!.revision, changes[0]!.id], [revision, revision]);
});

test('of a change that was dropped or published only the id is kept, and for a day', async (t) => {
  const { store, path } = await openTestStore(t);
  const { workingCopy, expiry } = store;
  await workingCopy.save(null, copyOf('r1', patched('dropped', true), patched('published')), noon);
  await workingCopy.save('r1', copyOf('r2', patched('published')), noon);
  await workingCopy.save('r2', null, noon);
  assert.equal(await workingCopy.load(), null);
  assert.deepEqual(await workingCopy.known(['dropped', 'published', 'new']), new Set(['dropped', 'published']));
  assert.deepEqual(rowsOf(path, 'select distinct patch, text from working_changes'), [{ patch: null, text: null }]);
  assert.deepEqual(rowsOf(path, 'select * from working_copy'), []);
  await workingCopy.save(null, copyOf('r3', patched('waits')), noon);
  await expiry.erase(afterNoon(2 * 86_400), { contacts: null, mail: noon, reads: noon });
  assert.deepEqual(await workingCopy.known(['dropped', 'published', 'waits']), new Set(['waits']));
  assert.deepEqual(await workingCopy.load(), copyOf('r3', patched('waits')));
});

test('a change that was dropped can be made again, with the text that it has then', async (t) => {
  const { workingCopy } = (await openTestStore(t)).store;
  await workingCopy.save(null, copyOf('r1', asText, patched('a')), noon);
  await workingCopy.save('r1', copyOf('r2', patched('a')), noon);
  const again = copyOf('r3', patched('a'), asText);
  await workingCopy.save('r2', again, noon);
  assert.deepEqual(await workingCopy.load(), again);
});

test('a session that has ended changes nothing, one of the owner or of the setup code does', async (t) => {
  const { desk, workingCopy } = (await openTestStore(t)).store;
  for (const hash of ['owner', 'setup author'])
    await desk.addSession({ hash, createdAt: noon, expiresAt: afterNoon(60) });
  const save = (session: string, at = noon) => workingCopy.save(null, copyOf('r1'), at, session);
  await assert.rejects(save('ended'), { code: 'UNAUTHORIZED' });
  await assert.rejects(save('owner', afterNoon(61)), { code: 'UNAUTHORIZED' });
  assert.equal(await workingCopy.load(), null);
  assert.equal(await save('author'), true);
  assert.equal(await workingCopy.save('r1', null, noon, 'owner'), true);
});
