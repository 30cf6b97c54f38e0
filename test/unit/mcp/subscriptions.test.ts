import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSubscriptions } from '../../../src/surfaces/mcp/http.ts';
import { keyOf } from '../../support/store.ts';

/** Subscriptions with the limits 2 per subject, 3 per block and 5 in total, with the names of ended ones. */
function openNoted() {
  const subscriptions = openSubscriptions({ perSubject: 2, perBlock: 3, total: 5 });
  const ended: string[] = [];
  const of = (subject: string, block: string, name = subject) => ({
    subject: keyOf(subject),
    block,
    isAuthorized: () => true,
    end: () => void ended.push(name),
  });
  return { ...subscriptions, of, ended };
}

test('a subject may have two subscriptions over all blocks; a third is refused until one has ended [TRUST-22]', () => {
  const { add, delete: end, of, ended } = openNoted();
  const first = of('ada', 'block 1');
  assert.equal(add(first), true);
  assert.equal(add(of('ada', 'block 2')), true);
  assert.equal(add(of('ada', 'block 3')), false);
  end(first);
  assert.equal(add(of('ada', 'block 3')), true);
  assert.deepEqual(ended, []);
});

test('one subscription over the limit of a block ends the oldest of the block that is still open [TRUST-22]', () => {
  const { add, delete: end, of, ended } = openNoted();
  const gone = of('gone', 'block 1');
  for (const one of [gone, of('elsewhere', 'block 2'), of('a', 'block 1'), of('b', 'block 1')]) add(one);
  end(gone);
  add(of('c', 'block 1'));
  assert.deepEqual(ended, []);
  assert.equal(add(of('d', 'block 1')), true);
  assert.equal(add(of('e', 'block 1')), true);
  assert.deepEqual(ended, ['a', 'b']);
});

test('a subscription over the total ends the oldest of the block with the most [TRUST-22]', () => {
  const { add, of, ended } = openNoted();
  for (const [subject, block] of [
    ['lone', 'block 1'],
    ['a', 'block 2'],
    ['b', 'block 3'],
    ['c', 'block 2'],
    ['d', 'block 3'],
  ] as const)
    add(of(subject, block));
  assert.deepEqual(ended, []);
  add(of('e', 'block 4'));
  assert.deepEqual(ended, ['a']);
  add(of('f', 'block 5'));
  assert.deepEqual(ended, ['a', 'b']);
});

test('a subscription that was ended for a new one does not count for its subject any more', () => {
  const { add, of, ended } = openNoted();
  for (const name of ['first', 'second']) add(of('ada', 'block 1', name));
  add(of('bob', 'block 1'));
  add(of('cyd', 'block 1'));
  assert.deepEqual(ended, ['first']);
  assert.equal(add(of('ada', 'block 2', 'third')), true);
});
