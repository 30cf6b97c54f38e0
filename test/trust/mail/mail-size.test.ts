import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countFittingOneMail, cutToOneMail } from '../../../src/adapters/mail/mail-size.ts';

const lastLine = '\n\nCut here, because a mail is at most 2 MB. The whole: candidate-profile contacts export\n';

test('a text is cut only if it takes more than a mail as it is sent: a byte each, three unless printable, four a line', () => {
  for (const longest of [
    'x'.repeat(1_851_111),
    `${'~ '.repeat(925_555)}x`,
    '='.repeat(617_037),
    '\x7f'.repeat(617_037),
    '\t'.repeat(617_037),
    `${'é'.repeat(308_518)}xxx`,
    `${'\n'.repeat(462_777)}xxx`,
  ]) {
    assert.ok(cutToOneMail(longest) === longest);
    assert.ok(cutToOneMail(`${longest}x`).endsWith(lastLine));
  }
});

test('what is cut leaves room for the line that says so, and no half of a character', () => {
  assert.ok(cutToOneMail('x'.repeat(2_000_000)) === 'x'.repeat(1_851_007) + lastLine);
  assert.ok(cutToOneMail('🙂'.repeat(200_000)) === '🙂'.repeat(154_250) + lastLine);
});

const message = (text: string, messageHash: string | null = null, line = '') =>
  ({ kind: 'contact_request', messageHash, line, text }) as const;

test('a digest takes what one mail has room for, and always one notice', () => {
  const first = message('x'.repeat(925_344));
  const isFull = (...second: Parameters<typeof message>) => countFittingOneMail([first, message(...second)]) === 1;
  assert.equal(isFull('x'.repeat(925_483)), false);
  assert.equal(isFull('x'.repeat(925_484)), true);
  assert.equal(isFull('x'.repeat(925_432), null, 'y'.repeat(51)), false);
  assert.equal(isFull('x'.repeat(925_433), null, 'y'.repeat(51)), true);
  const large = message('x'.repeat(2_000_000));
  assert.equal(countFittingOneMail([large, first]), 1);
  assert.equal(countFittingOneMail([first, large, first]), 1);
});

test('what a digest tells in a line takes only that: words that it has quoted already, and access notices', () => {
  const text = 'x'.repeat(1_000_000);
  const same = [message(text, 'hash'), message(text, 'hash'), message(text, 'hash')];
  assert.equal(countFittingOneMail(same), 3);
  assert.equal(countFittingOneMail([message(text), message(text)]), 1);
  assert.equal(countFittingOneMail([message(text, 'hash'), message(text, 'other')]), 1);
  const access = { kind: 'auth_request', messageHash: null, line: 'Ada asked', text } as const;
  assert.equal(countFittingOneMail([access, access, access]), 3);
});
