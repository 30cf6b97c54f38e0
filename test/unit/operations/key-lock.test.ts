import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { keyLocks } from '../../../src/operations/key-lock.ts';

/** Locks with work that records its start and ends on demand. */
function openWork() {
  const withKeyLock = keyLocks();
  const begun: string[] = [];
  const begin = (key: string, name: string) => {
    const end = Promise.withResolvers<string>();
    const result = withKeyLock(key, () => {
      begun.push(name);
      return end.promise;
    });
    return { end, result };
  };
  return { begun, begin };
}

test('work with the same key runs one at a time and returns its result, while other keys go on', async () => {
  const { begun, begin } = openWork();
  const [first, second, other] = [begin('a', 'first'), begin('a', 'second'), begin('b', 'other')];
  await turn();
  assert.deepEqual(begun, ['first', 'other']);
  first.end.resolve('done');
  assert.equal(await first.result, 'done');
  await turn();
  assert.deepEqual(begun, ['first', 'other', 'second']);

  const third = begin('a', 'third');
  await turn();
  assert.deepEqual(begun, ['first', 'other', 'second']);
  for (const { end } of [second, third, other]) end.resolve('done');
  await third.result;
  assert.deepEqual(begun, ['first', 'other', 'second', 'third']);
});

test('failed work does not block the work after it', async () => {
  const { begin } = openWork();
  const [first, second] = [begin('a', 'first'), begin('a', 'second')];
  first.end.reject(new Error('broken'));
  second.end.resolve('done');
  await assert.rejects(first.result, { message: 'broken' });
  assert.equal(await second.result, 'done');
});
