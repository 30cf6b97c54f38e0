import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { test } from 'node:test';
import { remembering } from '../../../src/adapters/store/postgres/address.ts';

const [first, second]: readonly LookupAddress[][] = [
  [
    { address: '2001:db8::1', family: 6 },
    { address: '192.0.2.1', family: 4 },
  ],
  [{ address: '192.0.2.2', family: 4 }],
];

/** A name server: each question waits until it is answered. */
function openNameServer() {
  const questions: PromiseWithResolvers<LookupAddress[]>[] = [];
  const lookup = remembering(() => {
    const question = Promise.withResolvers<LookupAddress[]>();
    questions.push(question);
    return question.promise;
  });
  return { questions, lookup: () => lookup('database.example') };
}

test('all addresses of a host are returned as its name server tells them, also when they change', async () => {
  const { questions, lookup } = openNameServer();
  for (const [n, addresses] of [first!, second!].entries()) {
    const found = lookup();
    questions[n]!.resolve(addresses);
    assert.deepEqual(await found, addresses);
  }
});

test('the addresses that were known are returned while a name server is silent, which is asked once, and the new ones when it has told them', async () => {
  const { questions, lookup } = openNameServer();
  const found = lookup();
  questions[0]!.resolve(first!);
  await found;
  assert.deepEqual(await Promise.all([lookup(), lookup()]), [first, first]);
  assert.deepEqual(await lookup(), first);
  assert.equal(questions.length, 2);
  questions[1]!.resolve(second!);
  await questions[1]!.promise;
  const again = lookup();
  questions[2]!.reject(new Error('EAI_AGAIN'));
  assert.deepEqual(await again, second);
});

test('a host whose addresses are not known is waited for, and its fault told', async () => {
  const { questions, lookup } = openNameServer();
  const found = Promise.all([lookup(), lookup()]);
  questions[0]!.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));
  await assert.rejects(found, { code: 'ENOTFOUND' });
  const again = lookup();
  questions[1]!.resolve(first!);
  assert.deepEqual(await again, first);
});
