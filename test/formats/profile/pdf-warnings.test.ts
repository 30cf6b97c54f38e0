import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { explainMissingGlyphs, pdfWarningsOf } from '../../../src/formats/profile/pdf-warnings.ts';
import { readProfileText } from '../../../src/formats/profile/profile-reader.ts';
import { samplePath } from '../../../src/service/config/config.ts';

const sample = readFileSync(samplePath, 'utf8');
const explained = (characters: string) => explainMissingGlyphs(Array.from(characters)).map(({ message }) => message);

const warned = (text: string, missing: string) =>
  readProfileText(text).warnings((profile) =>
    pdfWarningsOf(profile, { missingGlyphs: Array.from(missing), photoFault: null, linesOver: null }),
  );

test('the script of characters without a font is named once, with FONT_DIR and a package of fonts', () => {
  assert.deepEqual(explained('李明，工程师。'), [
    'the PDF shows \ufffd for 7 Chinese characters, which no font has; set FONT_DIR to a folder of fonts that do, such as Debian’s fonts-noto-cjk in /usr/share/fonts/opentype/noto',
  ]);
  assert.deepEqual(explained('مهندس،١'), [
    'the PDF shows \ufffd for 7 Arabic characters, which no font has; set FONT_DIR to a folder of fonts that do, such as Debian’s fonts-noto-core in /usr/share/fonts/truetype/noto',
  ]);
});

test('scripts of one package are one finding, all other characters another', () => {
  const subjects = explained('エンジニア漢字हि।ไ😀→').map((message) => message.slice(20, 57));
  assert.deepEqual(subjects, [
    '7 Chinese and Japanese characters, wh',
    '4 Devanagari and Thai characters, whi',
    'U+1F600, U+2192, which no font has',
  ]);
});

test('punctuation that a script shares with others is named if it is all that lacks', () => {
  assert.deepEqual(explained('،'), ['the PDF shows \ufffd for U+060C, which no font has']);
});

test('check warns at the first text that has such characters, and of invisible ones only once', () => {
  const text = sample.replace('company: Dropbox', 'company: "Dropbox 😀\\u200b漢"').replace('- Go\n', '- Go 漢字\n');
  assert.deepEqual(
    warned(text, '\u200b漢字😀').map((line) => line.replace(/;.*/, '')),
    [
      '51:14: warning: experience[1].company: the PDF shows \ufffd for 2 Chinese characters, which no font has',
      '51:14: warning: experience[1].company: the PDF shows \ufffd for “😀” (U+1F600), which no font has',
    ],
  );
});

test('check warns at the language if only the headings lack a font', () => {
  const text = sample.replace('resume:\n', 'resume:\n  language: ar\n');
  const [line] = warned(text, 'ا');
  assert.match(line!, /^\d+:13: warning: resume\.language: the PDF shows \ufffd for 1 Arabic character,/);
});
