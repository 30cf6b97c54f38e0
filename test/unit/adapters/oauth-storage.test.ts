import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { storageOf } from '../../../src/adapters/oauth/storage.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import { createDatabase, openDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';

test('a code lasts its minute on a replica whose clock is ahead of the one that replicas share', async (t) => {
  const path = await createDatabase(join(newFolder(t), 'candidate-profile.db'));
  const store = await openStore(openDatabase(path));
  t.after(() => store.close());
  t.mock.timers.enable({ apis: ['Date'], now: new Date('2026-11-22T12:05:00Z') });
  const codes = storageOf({
    store: store.oauth,
    now: () => new Date('2026-11-22T12:00:00Z'),
    addClient: async () => {},
    resourceOf: () => 'https://profile.example.org',
    tokenRequest: () => ({ clientId: 'client' }),
  })('AuthorizationCode');
  // As a replica stores it whose own clock is right.
  await codes.upsert('secret', { kind: 'AuthorizationCode', exp: Date.parse('2026-11-22T12:01:00Z') / 1_000 }, 60);
  assert.equal((await codes.find('secret'))!.exp, Date.parse('2026-11-22T12:06:00Z') / 1_000);
});
