import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonResume } from 'resume-import/readers/json-resume';
import { toCursor } from 'resume-import/source/input-cursor';
import { readTree } from 'resume-import/source/tree';
import { parse, stringify } from 'yaml';
import { assertAccounted } from './accounting.ts';
import { readFixture } from './corpus.ts';
import { assertExpected } from './expected.ts';

const importText = (text: string) => assertAccounted(() => readTree(text), jsonResume);

const names = 'sample senior-engineer hard legacy caffeine new-grad stackoverflow further years'.split(' ');

for (const path of [...names.map((name) => `jsonresume-${name}.json`), 'rules/jsonresume-fields.yaml'])
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
  const { yaml, report } = importText('{"basics": {"name": "First", "name": "Last"}}');
  assert.match(yaml, /name: Last\n/);
  const why = 'The key is repeated further down; the last one is used';
  assert.deepEqual(report.notCarriedOver, [{ where: 'basics.name', value: 'First', why, isNoted: true }]);
});

test('a plain list of skills stays one', () => {
  const { yaml } = importText('{"skills": [{"name": "Go"}, "SQL", {"name": "Rust", "keywords": [], "level": ""}]}');
  const { candidate, resume } = parse(yaml);
  assert.deepEqual([candidate.domains, resume], [[], { skills: ['Go', 'SQL', 'Rust'] }]);
});

test('a private value of basics is not in the profile and does not count as content', () => {
  const text =
    '{"basics": {"name": "Ada", "birthDate": "1815-12-10", "location": {"postalCode": "SW1Y", "city": "London"}}}';
  assert.doesNotMatch(importText(text).yaml, /1815|SW1Y/);
  const { tree, leaves } = readTree(text);
  jsonResume.toDraft(toCursor(tree));
  assert.deepEqual(
    leaves.filter(({ isContent }) => isContent).map(({ where }) => where),
    ['basics.name', 'basics.location.city'],
  );
});
