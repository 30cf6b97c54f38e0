import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../../src/adapters/store/store.ts';
import { keyFileIn, openKeys, replaceKeyFile } from '../../../src/adapters/tokens/keys.ts';
import { startRefreshing } from '../../../src/service/refreshing.ts';
import { createDatabase, openDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { newDatabasePath, noon } from '../../support/store.ts';
import { current, openTestTokens } from '../../support/tokens.ts';

/** Opens a database; each `open` is a process on it. */
async function openProcesses(t: TestContext) {
  const path = await createDatabase(newDatabasePath(t));
  return async () => {
    const store = await openStore(openDatabase(path), { lockWaitMilliseconds: 5_000 });
    t.after(() => store.close());
    return store;
  };
}

const revocation = (value: string) => ({ kind: 'jti', value, revokedAt: noon }) as const;

test('the version of a store changes with what any process commits, and with nothing else', async (t) => {
  const open = await openProcesses(t);
  const [one, other] = [await open(), await open()];
  for (const writer of [one, other]) {
    const before = await one.readVersion();
    assert.deepEqual(await one.revocations.listAfter(1_000), []);
    assert.equal(await one.readVersion(), before);
    await writer.revocations.add(revocation(writer === one ? 'of one' : 'of the other'));
    assert.notEqual(await one.readVersion(), before);
  }
});

test('a second in which neither store nor keys have changed rereads nothing', async (t) => {
  const open = await openProcesses(t);
  const [store, other] = [await open(), await open()];
  const dataDir = newFolder(t);
  const keys = await openKeys({ dataDir });
  const tokens = await openTestTokens({ store, keys });
  const done: string[] = [];
  let nextLook = Promise.withResolvers<void>();
  const refreshing = startRefreshing({
    store,
    keys: Object.assign(Object.create(keys) as typeof keys, {
      isStale() {
        nextLook.resolve();
        nextLook = Promise.withResolvers();
        return keys.isStale();
      },
    }),
    tokens: {
      ...tokens,
      async refresh() {
        done.push('tokens');
        await tokens.refresh();
      },
    },
    sharedChanges: null,
    onKeysRefreshed: () => void done.push('keys'),
    onStoreChanged: () => void done.push('store'),
    log: console as never,
  });
  await using stopping = new AsyncDisposableStack();
  stopping.defer(refreshing.stop);
  /** Returns what was done until the next look has ended. */
  async function lookOnce() {
    await nextLook.promise;
    await nextLook.promise;
    return done.splice(0);
  }
  await lookOnce();
  assert.deepEqual(await lookOnce(), []);
  await other.revocations.add(revocation('of the other'));
  assert.deepEqual(await lookOnce(), ['tokens', 'store']);
  refreshing.refreshNext();
  assert.deepEqual(await lookOnce(), ['tokens', 'store']);
  await replaceKeyFile(keyFileIn(dataDir), async () => JSON.stringify(current));
  assert.deepEqual((await lookOnce()).slice(0, 3), ['keys', 'tokens', 'store']);
});
