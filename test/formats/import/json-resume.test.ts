import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { jsonResume } from '../../../src/formats/import/readers/json-resume.ts';
import { readTree } from '../../../src/formats/import/source/tree.ts';
import { assertAccounted } from './accounting.ts';
import { assertExpected, readFixture } from './expected.ts';

const importText = (text: string) => assertAccounted(() => readTree(text), jsonResume);

for (const path of [
  'jsonresume-sample.json',
  'jsonresume-senior-engineer.json',
  'import/jsonresume-hard.json',
  'import/jsonresume-legacy.json',
])
  test(`${path} gives the expected profile and loss report`, () => {
    assertExpected(path, jsonResume);
  });

test('a resume written as YAML gives the same profile as one written as JSON', () => {
  const json = readFixture('jsonresume-sample.json');
  assert.equal(importText(stringify(JSON.parse(json))).yaml, importText(json).yaml);
});

test('numbers are kept as written', () => {
  const { yaml } = importText(
    '{"basics": {"name": "A", "phone": +4930123}, "education": [{"institution": "U", "score": 3.90}]}',
  );
  assert.match(yaml, /phone: "\+4930123"/);
  assert.match(yaml, /score: "3.90"/);
});

test('of repeated keys the last is used, and the loss report names the first', () => {
  const { yaml, lossReport } = importText('{"basics": {"name": "First", "name": "Last"}}');
  assert.match(yaml, /name: Last\n/);
  assert.deepEqual(lossReport.notCarriedOver, [
    { where: 'basics.name', value: 'First', why: 'The key is repeated further down; the last one is used' },
  ]);
});
