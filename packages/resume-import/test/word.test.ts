import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import { importResume } from 'resume-import/import-resume';
import { topicOf } from 'resume-import/readers/topics';
import { readWord } from 'resume-import/source/word-document';

/** A Word document of paragraphs, whose parts are each a run. */
function wordOf(...paragraphs: readonly (readonly string[])[]): Uint8Array {
  const body = paragraphs.map(
    (runs) =>
      `<w:p>${runs.map((run) => `<w:r>${run === '\t' ? '<w:tab/>' : `<w:t xml:space="preserve">${run}</w:t>`}</w:r>`).join('')}</w:p>`,
  );
  const document = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body.join('')}</w:body></w:document>`;
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  return zipSync({
    '[Content_Types].xml': strToU8(
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="${type}"/></Types>`,
    ),
    'word/document.xml': strToU8(document),
  });
}

test('bullets that are typed are bullets, and not part of their text; a dash before a number is not one', async () => {
  const document = await readWord(
    wordOf(
      ['•', '\t', 'Led a shift of fourteen'],
      ['- Cut infections by a third'],
      ['– 2019'],
      ['Trained – and stayed'],
    ),
  );
  assert.deepEqual(
    'paragraphs' in document &&
      document.paragraphs.map(({ isBullet, runs }) => [isBullet, runs.map(({ text }) => text).join('')]),
    [
      [true, 'Led a shift of fourteen'],
      [true, 'Cut infections by a third'],
      [false, '– 2019'],
      [false, 'Trained – and stayed'],
    ],
  );
});

test('of an address in the United States, the town and the state are the place', async () => {
  const word = wordOf(
    ['Maria Oyelaran'],
    ['418 Fremont Ave N, Seattle, WA 98103 | (206) 555-0148 | maria@oyelaran.dev'],
  );
  const { profile } = await importResume(word);
  assert.deepEqual(
    [profile.candidate.location, profile.resume.phone, profile.resume.email],
    ['Seattle, WA', '(206) 555-0148', 'maria@oyelaran.dev'],
  );
});

test('a section of software is one of skills', () => {
  assert.deepEqual(['Software', 'Software projects', 'Software engineering'].map(topicOf), [
    'skills',
    'projects',
    undefined,
  ]);
});
