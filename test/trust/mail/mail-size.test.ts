import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countFittingOneMail, cutToOneMail } from '../../../src/adapters/mail/mail-size.ts';

const command = 'candidate-profile contacts export';
const lastLine = '\n\nCut here, because a mail is at most 2 MB. The whole: candidate-profile contacts export\n';

test('a text is cut only if its quoted-printable encoding is too long for one mail', () => {
  for (const longest of [
    'x'.repeat(1_851_111),
    `${'~ '.repeat(925_555)}x`,
    '='.repeat(617_037),
    '\x7f'.repeat(617_037),
    '\t'.repeat(617_037),
    `${'é'.repeat(308_518)}xxx`,
    `${'\n'.repeat(462_777)}xxx`,
  ]) {
    assert.ok(cutToOneMail(longest, command) === longest);
    assert.ok(cutToOneMail(`${longest}x`, command).endsWith(lastLine));
  }
});

test('a cut text has room for the line that says so, and is not cut inside a character', () => {
  assert.ok(cutToOneMail('x'.repeat(2_000_000), command) === 'x'.repeat(1_851_007) + lastLine);
  assert.ok(cutToOneMail('🙂'.repeat(200_000), command) === '🙂'.repeat(154_250) + lastLine);
});

const message = (text: string, messageHash: string | null = null, line = '') =>
  ({ kind: 'contact_request', messageHash, line, text }) as const;

test('a digest takes the notices that fit into one mail, and at least one', () => {
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

test('a message that a digest quotes already, and an access notice, take one line', () => {
  const text = 'x'.repeat(1_000_000);
  const same = [message(text, 'hash'), message(text, 'hash'), message(text, 'hash')];
  assert.equal(countFittingOneMail(same), 3);
  assert.equal(countFittingOneMail([message(text), message(text)]), 1);
  assert.equal(countFittingOneMail([message(text, 'hash'), message(text, 'other')]), 1);
  const access = { kind: 'auth_request', messageHash: null, line: 'Ada asked', text } as const;
  assert.equal(countFittingOneMail([access, access, access]), 3);
});

test('a digest reserves room for the longest of equal messages, whichever of them it quotes', () => {
  const notices = Array.from({ length: 30 }, (_, n) => [
    message(`${n}`, `hash ${n}`, 'Ada wrote'),
    message(`${n}${'\u2003'.repeat(10_000)}`, `hash ${n}`, 'Ada wrote'), // 90 KB as sent
  ]).flat();
  assert.equal(countFittingOneMail(notices), 41);
});
