import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { backOff, retryWhileLocked } from '../../src/adapters/lock-wait.ts';

const locked = Object.assign(new Error('database is locked'), { errcode: 5 });

/** Work that fails with each of the errors, then is done. */
const failing =
  (...errors: Error[]) =>
  async () => {
    const error = errors.shift();
    if (error) throw error;
    return 'done';
  };

test('what is locked is tried again until it is not, and no longer than it may take', async () => {
  assert.equal(await retryWhileLocked(60_000, failing(locked, locked)), 'done');
  await assert.rejects(retryWhileLocked(0, failing(locked)), locked);
});

test('what fails for another reason is not tried again', async () => {
  const wrong = Object.assign(new Error('syntax error'), { errcode: 1 });
  await assert.rejects(retryWhileLocked(60_000, failing(wrong)), wrong);
});

for (const [tries, random, milliseconds] of [
  [0, 0, 1],
  [3, 0, 8],
  [10, 0, 20],
  [10, 0.5, 15],
] as const)
  test(`the pause after ${tries + 1} tries is ${milliseconds} ms, if chance says ${random}`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    t.mock.method(Math, 'random', () => random);
    let isOver = false;
    const over = backOff(tries).then(() => {
      isOver = true;
    });
    t.mock.timers.tick(milliseconds - 1);
    await turn();
    assert.equal(isOver, false);
    t.mock.timers.tick(1);
    await over;
  });
