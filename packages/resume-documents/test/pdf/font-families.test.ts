import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fontFamiliesIn, installedFonts } from 'resume-documents/assets';
import { inOrderFor } from 'resume-documents/pdf/font-names';
import { newFolder } from '../../../resume-profile/test/documents.ts';

interface Name {
  readonly platform: number;
  readonly name: number;
  readonly text: string;
}

const words = (...values: number[]) => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
const long = (value: number) => words(value >>> 16, value & 65_535);
const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16();

/** A font of the tables `head` and `name` only, with offsets for where it starts in its file (OpenType specification). */
function fontOf(names: readonly Name[], start = 0): Buffer {
  const texts = names.map(({ text, platform }) => (platform === 1 ? Buffer.from(text, 'latin1') : utf16(text)));
  const records = names.map(({ platform, name }, index) => {
    const offset = texts.slice(0, index).reduce((sum, { length }) => sum + length, 0);
    return words(platform, 0, 0, name, texts[index]!.length, offset);
  });
  const table = Buffer.concat([words(0, names.length, 6 + 12 * names.length), ...records, ...texts]);
  const at = start + 12 + 2 * 16;
  const entry = (tag: string) => Buffer.concat([Buffer.from(tag), long(0), long(at), long(table.length)]);
  return Buffer.concat([long(0x0001_0000), words(2, 0, 0, 0), entry('head'), entry('name'), table]);
}

const windows = (name: number, text: string): Name => ({ platform: 3, name, text });

test('the font families in a folder and below it are listed once each, sorted', (t) => {
  const folder = newFolder(t);
  mkdirSync(join(folder, 'sub'));
  writeFileSync(
    join(folder, 'b.ttf'),
    fontOf([windows(1, 'Zebra Light'), windows(2, 'Regular'), windows(16, 'Zebra')]),
  );
  writeFileSync(join(folder, 'sub', 'a.OTF'), fontOf([{ platform: 1, name: 1, text: 'Mac' }, windows(1, 'Ähre')]));
  writeFileSync(join(folder, 'sub', 'again.otf'), fontOf([{ platform: 0, name: 1, text: 'Zebra' }]));
  assert.deepEqual(fontFamiliesIn(folder), ['Zebra', 'Zebra Light', 'Ähre']);
});

test('a font collection lists the families of all its fonts', (t) => {
  const folder = newFolder(t);
  const first = fontOf([windows(1, 'First')], 20);
  const second = fontOf([windows(1, 'Second')], 20 + first.length);
  const head = Buffer.concat([Buffer.from('ttcf'), long(0x0001_0000), long(2), long(20), long(20 + first.length)]);
  writeFileSync(join(folder, 'two.ttc'), Buffer.concat([head, first, second]));
  assert.deepEqual(fontFamiliesIn(folder), ['First', 'Second']);
});

test('a file that is not a font, or a font without names, is ignored', (t) => {
  const folder = newFolder(t);
  mkdirSync(join(folder, 'folder.ttf'));
  writeFileSync(join(folder, 'cut.ttf'), fontOf([windows(1, 'Cut')]).subarray(0, 50));
  writeFileSync(join(folder, 'nameless.ttf'), fontOf([windows(1, 'Nameless')]).fill('x', 28, 32));
  for (const [name, start] of Object.entries({ 'empty.ttf': '', 'short.otf': 'OTTO\0', 'short.ttc': 'ttcf' }))
    writeFileSync(join(folder, name), start);
  writeFileSync(join(folder, 'notes.txt'), fontOf([windows(1, 'Notes')]));
  assert.deepEqual(fontFamiliesIn(folder), []);
});

test('the language of the resume chooses the regional cut: simplified Chinese unless it says otherwise', () => {
  const families = ['HK', 'JP', 'KR', 'SC', 'TC'].map((cut) => `Noto Sans CJK ${cut}`);
  const firstTwoFor = (language?: string) =>
    inOrderFor(language, families)
      .slice(0, 2)
      .map((family) => family.slice(-2));
  assert.deepEqual(firstTwoFor('zh'), ['SC', 'HK']);
  assert.deepEqual(firstTwoFor('zh-CN'), ['SC', 'HK']);
  assert.deepEqual(firstTwoFor('zh-TW'), ['TC', 'HK']);
  assert.deepEqual(firstTwoFor('zh-HK'), ['HK', 'TC']);
  assert.deepEqual(firstTwoFor('ja'), ['JP', 'HK']);
  assert.deepEqual(firstTwoFor(), ['SC', 'HK']);
  assert.equal(inOrderFor('zh', ['Noto Sans J', 'Noto Sans S Chinese'])[0], 'Noto Sans S Chinese');
});

test('packages of fonts are found where the program is installed, and in the working folder', (t) => {
  const folder = realpathSync(newFolder(t));
  const korean = join(folder, 'node_modules/@embedpdf/fonts-kr');
  mkdirSync(join(korean, 'dist'), { recursive: true });
  writeFileSync(join(korean, 'package.json'), '{"name": "@embedpdf/fonts-kr", "main": "dist/index.cjs"}');
  writeFileSync(join(korean, 'dist/index.cjs'), 'throw new Error("only its fonts are used")');
  const [here, there] = [installedFonts(newFolder(t)), installedFonts(folder)];
  assert.deepEqual(
    here.map(({ name }) => name),
    ['@embedpdf/fonts-sc', '@embedpdf/fonts-arabic'],
  );
  for (const found of here) assert.ok(fontFamiliesIn(found.folder).includes(found.family), found.name);
  assert.deepEqual(there[0], { name: '@embedpdf/fonts-kr', family: 'Noto Sans Korean', folder: join(korean, 'fonts') });
});

test('faces for titles and code are taken last', () => {
  assert.deepEqual(
    inOrderFor('ar', ['Noto Kufi Arabic', 'Noto Naskh Arabic', 'Noto Nastaliq Urdu', 'Noto Sans Arabic']),
    ['Noto Naskh Arabic', 'Noto Sans Arabic', 'Noto Kufi Arabic', 'Noto Nastaliq Urdu'],
  );
  assert.deepEqual(inOrderFor('zh', ['Noto Sans Mono CJK SC', 'Noto Serif CJK TC', 'Noto Serif CJK SC']), [
    'Noto Serif CJK SC',
    'Noto Serif CJK TC',
    'Noto Sans Mono CJK SC',
  ]);
});
