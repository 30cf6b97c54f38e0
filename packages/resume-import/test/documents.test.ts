import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importDocument } from 'resume-import/import-resume';
import { toBlocks } from 'resume-import/source/blocks';
import { toProfileYaml } from 'resume-profile/profile-writer';
import { parse } from 'yaml';
import { readFixture } from './corpus.ts';
import { documentNames, importFixture } from './documents.ts';
import { assertFiles } from './expected.ts';

const results = await Promise.all(documentNames.map(importFixture));

for (const { name, lost, unread, invented, missingJobs } of results)
  test(`every text of ${name} is somewhere in the profile, and no other; its jobs have company, title and dates`, () => {
    assert.deepEqual({ lost, unread, invented, missingJobs }, { lost: [], unread: '', invented: [], missingJobs: [] });
  });

test('a word that Typst has divided at the end of a line is whole again', () => {
  const texts = results
    .filter(({ name }) => name.startsWith('rendercv-'))
    .map(({ profile }) => JSON.stringify(profile));
  assert.equal(texts.length, 5);
  for (const text of texts)
    for (const word of ['submissions', 'modeling', 'requirements']) assert.ok(text.includes(` ${word}`), word);
});

for (const [program, joined] of [
  ['pdfTeX-1.40.24', 'Led the low-latency, cross-team API-first management of all data.'],
  ['Skia/PDF m156', 'Led the low-latency, cross-team API-first man-agement of all data.'],
] as const)
  test(`of words at the end of a line, ${program} divides ${program.includes('TeX') ? 'those without a hyphen of their own' : 'none'}`, () => {
    const lines = ['Led the low-', 'latency, cross-', 'team API-', 'first man-', 'agement of all data.'];
    const runs = lines.map((text, index) => ({
      ...{ text, x: 50, y: 100 + 12 * index, width: index === 4 ? 300 : 400, size: 10, font: 'Sans', isBold: false },
    }));
    const document = { kind: 'PDF', program, pages: [{ runs }], attachedProfile: null } as const;
    assert.deepEqual(
      toBlocks(document).map(({ text }) => text),
      [joined],
    );
  });

for (const name of [
  'moderncv.pdf',
  'rendercv-classic.pdf',
  'word-header.docx',
  'word-headings.docx',
  'word-sentences.docx',
])
  test(`${name} gives the expected profile and loss report`, () => {
    const imported = results.find((one) => one.name === name)!;
    assertFiles(`documents/${name}`, toProfileYaml(imported.profile), imported);
  });

test('lines of a document that can be read in several ways are read as their words tell', () => {
  const style = { font: 'Sans', size: 10, isBold: false };
  const sections: Record<string, string[]> = parse(readFixture('rules/document-lines.yaml'));
  const lines = Object.entries(sections).flatMap(([title, texts]) => [
    { runs: [{ text: title, ...style, size: 14, isBold: true }], level: 1, isBullet: false },
    ...texts.map((text) => ({ runs: [{ text, ...style }], isBullet: false })),
  ]);
  const name = { runs: [{ text: 'Nora Lind', ...style, size: 20 }], level: 0, isBullet: false };
  const imported = importDocument({ kind: 'DOCX', paragraphs: [name, ...lines] });
  assertFiles('rules/document-lines', toProfileYaml(imported.profile), imported);
});
