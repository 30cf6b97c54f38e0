import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../../src/adapters/store/store.ts';
import { openSharedChanges } from '../../../src/service/refreshing.ts';
import { createDatabase, openDatabase, testOnSqlite } from '../../support/database.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';
import { newDatabasePath } from '../../support/store.ts';

const changeOf = (...resources: string[]) => new Map([[null, { resources, isListChanged: false }]]);
const nothing = new Map();

/** Opens a database; each `open` is a process on it. */
async function openProcesses(t: TestContext) {
  const path = await createDatabase(newDatabasePath(t));
  const open = async () => {
    const store = await openStore(openDatabase(path), { lockWaitMilliseconds: 50 });
    t.after(() => store.close());
    return openSharedChanges(store);
  };
  return { path, open };
}

test('what one process has loaded, each other one is told of once, and itself never', async (t) => {
  const { open } = await openProcesses(t);
  const [one, other, third] = [await open(), await open(), await open()];
  one.add(new Map([[null, { resources: ['candidate', 'resume'], isListChanged: true }]]));
  assert.deepEqual(await one.exchange(), nothing);
  for (const told of [other, third]) {
    const { resources, isListChanged } = (await told.exchange()).get(null)!;
    assert.deepEqual([[...resources].sort(), isListChanged], [['candidate', 'resume'], true]);
    assert.deepEqual(await told.exchange(), nothing);
  }
  assert.deepEqual(await one.exchange(), nothing);
});

test('if several processes load the same change, each is told that the others did, in any order', async (t) => {
  const { open } = await openProcesses(t);
  const [one, other] = [await open(), await open()];
  one.add(changeOf('candidate'));
  other.add(changeOf('candidate'));
  assert.deepEqual(await one.exchange(), nothing);
  assert.deepEqual(await other.exchange(), changeOf('candidate'));
  assert.deepEqual(await one.exchange(), changeOf('candidate'));
  assert.deepEqual([await one.exchange(), await other.exchange()], [nothing, nothing]);
});

test('a process learns of what others have loaded together with what it has loaded itself', async (t) => {
  const { open } = await openProcesses(t);
  const [one, other] = [await open(), await open()];
  one.add(changeOf('projects'));
  await one.exchange();
  other.add(changeOf('candidate'));
  assert.deepEqual(await other.exchange(), changeOf('projects'));
});

test('what a view shows is told as a change of that view alone', async (t) => {
  const { open } = await openProcesses(t);
  const [one, other] = [await open(), await open()];
  const change = (...resources: string[]) => ({ resources, isListChanged: false });
  const changes = new Map([
    ['systems', change('experience')],
    ['brief', { resources: [], isListChanged: true }],
  ]);
  one.add(new Map([[null, change()], ...changes]));
  await one.exchange();
  assert.deepEqual(await other.exchange(), changes);
  assert.deepEqual(await other.exchange(), nothing);
});

testOnSqlite(
  'nothing is written unless the profile has changed, and what cannot be written is told later',
  async (t) => {
    const { path, open } = await openProcesses(t);
    const [one, other] = [await open(), await open()];
    using locking = openSqliteFile(path);
    locking.exec('begin immediate');
    assert.deepEqual(await one.exchange(), nothing);
    one.add(changeOf('candidate'));
    await assert.rejects(one.exchange(), { code: 'UNAVAILABLE' });
    one.add(changeOf('projects'));
    locking.exec('rollback');
    assert.deepEqual(await one.exchange(), nothing);
    assert.deepEqual([...(await other.exchange()).get(null)!.resources].sort(), ['candidate', 'projects']);
  },
);
