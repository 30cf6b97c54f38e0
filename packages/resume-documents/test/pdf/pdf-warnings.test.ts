import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { explainMissingGlyphs, pdfWarningsOf } from 'resume-documents/pdf/pdf-warnings';
import { readProfileText } from 'resume-profile/profile-reader';
import { samplePath } from '../../../resume-profile/test/documents.ts';

const sample = readFileSync(samplePath, 'utf8');
const explained = (characters: string, options = {}) =>
  explainMissingGlyphs(Array.from(characters), options).map(({ message }) => message);

const warned = (text: string, missing: string) =>
  readProfileText(text).warnings((profile) =>
    pdfWarningsOf(profile, { missingGlyphs: Array.from(missing), photoFault: null, linesOver: null }),
  );

test('the script of characters without a font is named once, with the command that installs one', () => {
  assert.deepEqual(explained('李明，工程师。'), [
    'the PDF leaves out 7 Chinese characters, which no font has; to print them: npm install @embedpdf/fonts-sc',
  ]);
  assert.deepEqual(explained('مهندس،١'), [
    'the PDF leaves out 7 Arabic characters, which no font has; to print them: npm install @embedpdf/fonts-arabic',
  ]);
});

test('the language and the other characters of the text decide which package is named', () => {
  const packageOf = (characters: string, language?: string) =>
    explained(characters, { language }).map((message) => message.replace(/^the PDF leaves out | char.*fonts-/g, ' '));
  assert.deepEqual(packageOf('漢字'), [' 2 Chinese sc']);
  assert.deepEqual(packageOf('漢字', 'zh-Hant'), [' 2 Chinese tc']);
  assert.deepEqual(packageOf('漢字', 'ja'), [' 2 Japanese jp']);
  assert.deepEqual(packageOf('漢字、エンジ'), [' 6 Japanese jp']);
  assert.deepEqual(packageOf('漢字한국', 'ko'), [' 4 Korean kr']);
  assert.deepEqual(packageOf('한국ل'), [' 2 Korean kr', ' 1 Arabic arabic']);
});

test('for scripts without a package, and characters that one lacks, Debian’s fonts and FONT_DIR are named', () => {
  const [core, cjk] = [
    'fonts-noto-core in /usr/share/fonts/truetype/noto',
    'fonts-noto-cjk in /usr/share/fonts/opentype/noto',
  ];
  const folder = 'which no font has; set FONT_DIR to a folder of fonts that do, such as Debian’s';
  assert.deepEqual(explained('हि।ไ𓀀→'), [
    `the PDF leaves out 4 Devanagari and Thai characters, ${folder} ${core}`,
    'the PDF leaves out U+13000, U+2192, which no font has',
  ]);
  assert.deepEqual(explained('漢', { installed: ['@embedpdf/fonts-sc'] }), [
    `the PDF leaves out 1 Chinese character, ${folder} ${cjk}`,
  ]);
});

test('punctuation that a script shares with others is named if it is all that lacks', () => {
  assert.deepEqual(explained('،'), ['the PDF leaves out U+060C, which no font has']);
});

test('check warns at the first text that has such characters, and of invisible ones only once', () => {
  const text = sample.replace('company: Dropbox', 'company: "Dropbox 😀\\u200b漢"').replace('- Go\n', '- Go 漢字\n');
  assert.deepEqual(
    warned(text, '\u200b漢字😀').map((line) => line.replace(/;.*/, '')),
    [
      '51:14: warning: experience[1].company: the PDF leaves out 2 Chinese characters, which no font has',
      '51:14: warning: experience[1].company: the PDF leaves out “😀” (U+1F600), which no font has',
    ],
  );
});

test('check warns at the language if only the headings lack a font', () => {
  const text = sample.replace('resume:\n', 'resume:\n  language: ar\n');
  const [line] = warned(text, 'ا');
  assert.match(line!, /^\d+:13: warning: resume\.language: the PDF leaves out 1 Arabic character,/);
});
