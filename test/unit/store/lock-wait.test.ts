import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryWhile } from '../../../src/adapters/store/database.ts';
import { isLocked } from '../../../src/adapters/store/sqlite/dialect.ts';

const locked = Object.assign(new Error('database is locked'), { errcode: 5 });

/** Returns work that fails once with each of the errors, then succeeds. */
const failing =
  (...errors: Error[]) =>
  async () => {
    const error = errors.shift();
    if (error) throw error;
    return 'done';
  };

test('work is retried while the database is locked, until the deadline', async (t) => {
  assert.equal(await retryWhile(isLocked, 60_000, failing(locked, locked)), 'done');
  t.mock.method(performance, 'now', () => 1_000);
  await assert.rejects(retryWhile(isLocked, 0, failing(locked)), locked);
});

test('an error other than a lock is not retried', async () => {
  const wrong = Object.assign(new Error('syntax error'), { errcode: 1 });
  await assert.rejects(retryWhile(isLocked, 60_000, failing(wrong)), wrong);
});
