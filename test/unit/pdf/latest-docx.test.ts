import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLatestDocx } from '../../../src/adapters/pdf/latest-docx.ts';
import type { Profile } from '../../../src/model/profile/profile-document.ts';

const [first, second] = [{}, {}] as [Profile, Profile];

/** The latest document of Word of a printer that returns or throws the next item of a list at each call. */
function open(...next: (number | Error)[]) {
  const logged: unknown[][] = [];
  const printed: Profile[] = [];
  const print = async (profile: Profile) => {
    printed.push(profile);
    const result = next.shift()!;
    if (result instanceof Error) throw result;
    return { docx: new Uint8Array([result]), photoFault: null };
  };
  return { current: openLatestDocx(print, { error: (...line: unknown[]) => logged.push(line) }), printed, logged };
}

test('a document of Word is printed once for a profile, however many ask for it, and again for the next', async () => {
  const { current, printed } = open(1, 2);
  const [one, other] = await Promise.all([current(first), current(first)]);
  assert.deepEqual(one, new Uint8Array([1]));
  assert.equal(one, other);
  assert.deepEqual(await current(second), new Uint8Array([2]));
  assert.equal(printed.length, 2);
});

test('a document of Word that cannot be printed leaves the last one in place, is logged without what it may quote, and tried again', async () => {
  const { current, printed, logged } = open(new Error('spawn failed: Ada'), 1, new Error('EMFILE'), 2);
  assert.equal(await current(first), null);
  assert.deepEqual(await current(first), new Uint8Array([1]));
  assert.deepEqual(await current(second), new Uint8Array([1]));
  assert.deepEqual(await current(second), new Uint8Array([2]));
  assert.equal(printed.length, 4);
  assert.deepEqual(logged, [
    [{ fault: 'spawn failed' }, 'resume for Word not printed'],
    [{ fault: 'EMFILE' }, 'resume for Word not printed'],
  ]);
});
