import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fittingOneMail } from '../../../src/adapters/store/mail-size.ts';

test('a digest has room for the longest of the same words, whichever of them it prints', () => {
  const notice = (words: string, text: string) => ({
    kind: 'contact_request' as const,
    words,
    line: 'Ada wrote',
    text,
  });
  const notices = Array.from({ length: 30 }, (_, n) => [
    notice(`words ${n}`, `${n}`),
    notice(`words ${n}`, `${n}${'\u2003'.repeat(10_000)}`), // 90 KB as sent
  ]).flat();
  assert.equal(fittingOneMail(notices).length, 41);
});
