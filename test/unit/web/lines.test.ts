import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineDifferences, withLineEndsOf } from '../../../src/surfaces/web/desk/editor/lines.ts';
import { randomOf } from '../../support/random.ts';

const shown = (before: string, after: string) =>
  lineDifferences(before, after)?.map((group) => group.map(({ kind, number, text }) => `${kind} ${number} ${text}`));

test('lines that differ are shown with three lines around them, by their numbers', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
  assert.deepEqual(shown(before, before.replace('e', 'E')), [
    ['same 2 b', 'same 3 c', 'same 4 d', 'removed 5 e', 'added 5 E', 'same 6 f', 'same 7 g', 'same 8 h'],
  ]);
  assert.deepEqual(shown('a\n', 'a\nb'), [['same 1 a', 'added 2 b']]);
  assert.deepEqual(shown('', '\\ a\n'), [['added 1 \\ a']]);
});

test('line ends are not a difference, and texts with too many differences are not compared', () => {
  assert.deepEqual(shown('a\r\nb\rc\n', 'a\nb\nc\n'), []);
  const text = (letter: string) => Array.from({ length: 5_000 }, (_, line) => `${letter}${line}\n`).join('');
  assert.equal(lineDifferences(text('a'), text('b')), null);
});

test('a text that was not edited comes out of a form to the byte, whatever its line ends', () => {
  const { pick, below } = randomOf(1);
  const overForm = (text: string) => text.replace(/^\ufeff/, '').replaceAll(/\r\n?|\n/g, '\r\n');
  for (let round = 0; round < 500; round += 1) {
    const part = () => pick(['a', 'b', '', ' c: d', '\n', '\r\n', '\r', '\n\n', '# é\u2028']);
    const text = pick(['', '\ufeff']) + Array.from({ length: below(30) }, part).join('');
    assert.equal(withLineEndsOf(text, overForm(text)), text);
  }
});

test('an edited line gets the first line end of the text, and all others keep theirs', () => {
  assert.equal(withLineEndsOf('a\r\nb\nc\n', 'a\r\nX\r\nY\r\nc\r\n'), 'a\r\nX\r\nY\r\nc\n');
  assert.equal(withLineEndsOf('a\nb', 'a\r\nb\r\n'), 'a\nb\n');
  assert.equal(withLineEndsOf('', 'a\r\nb\r\n'), 'a\nb\n');
  assert.equal(withLineEndsOf('a\r\nb\r\n', ''), '');
});
