import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countFittingOneMail } from '../../../src/adapters/mail/mail-size.ts';

test('a digest has room for the longest of equal messages, whichever of them it quotes', () => {
  const notice = (messageHash: string, text: string) => ({
    kind: 'contact_request' as const,
    messageHash,
    line: 'Ada wrote',
    text,
  });
  const notices = Array.from({ length: 30 }, (_, n) => [
    notice(`words ${n}`, `${n}`),
    notice(`words ${n}`, `${n}${'\u2003'.repeat(10_000)}`), // 90 KB as sent
  ]).flat();
  assert.equal(countFittingOneMail(notices), 41);
});
