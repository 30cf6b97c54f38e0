import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readProfileText } from 'resume-profile/profile-reader';
import { fixture } from '../../support/files.ts';

const original = readFileSync(fixture('profile.yaml'), 'utf8');
const faultsOf = (text: string) => readProfileText(text).faults;

test('too much nesting, too many tokens and too many list entries are faults [TRUST-41]', () => {
  assert.deepEqual(faultsOf('['.repeat(200)), ['1:65: is nested too deeply']);
  assert.deepEqual(faultsOf('- '.repeat(200)), ['1:128: is nested too deeply']);
  assert.deepEqual(faultsOf('- b\n'.repeat(40_000)), ['1:1: has more than 150000 YAML tokens']);
  assert.deepEqual(faultsOf(original.replace('[Go, SQL]', `[${'x, '.repeat(10_000)}]`)), [
    '50:29970: resume.skills[9986]: lists may have 10000 entries in all',
  ]);
});

test('lists may have 10,000 entries in total, and the first one over the limit is reported once [TRUST-41]', () => {
  const lists = (...lengths: number[]) =>
    faultsOf(lengths.map((length, index) => `key_${index}: [${'x, '.repeat(length)}]\n`).join('')).filter((fault) =>
      fault.endsWith('lists may have 10000 entries in all'),
    );
  assert.deepEqual(lists(4_000, 6_000), []);
  assert.deepEqual(lists(10_000, 1, 1), ['2:9: key_1[0]: lists may have 10000 entries in all']);
  assert.deepEqual(lists(10_001, 1), ['1:30009: key_0[10000]: lists may have 10000 entries in all']);
});

test('aliases may expand to 5,000 values in total, nested values included [TRUST-41]', () => {
  const ofOne = (count: number) => faultsOf(`- x\n- &a y\n${'- *a\n'.repeat(count)}`);
  assert.deepEqual(ofOne(5_000), ['1:1: must be an object']);
  assert.deepEqual(ofOne(5_001), ['1:1: too many aliases']);
  const ofTwo = (count: number) => faultsOf(`- &a x\n- &b [*a]\n${'- *b\n'.repeat(count)}`);
  assert.deepEqual(ofTwo(2_499), ['1:1: must be an object']);
  assert.deepEqual(ofTwo(2_500), ['1:1: too many aliases']);
});

const withText = (before: string, after: string) => faultsOf(original.replace(before, after));

test('a name, title, place or heading is one line of at most 300 characters; the fault is at its line [TRUST-66]', () => {
  assert.deepEqual(withText('name: Tess Example', `name: ${'𝛼'.repeat(300)}`), []);
  assert.deepEqual(withText('name: Tess Example', `name: ${'ab '.repeat(100)}c`), [
    '5:9: candidate.name: has 301 characters; at most 300 are allowed',
  ]);
  assert.deepEqual(withText('name: Tess Example', `name: "Tess${'\\nTess'.repeat(20)}"`), [
    '5:9: candidate.name: must be on one line',
  ]);
  // A block in YAML ends with a line break.
  assert.deepEqual(withText('name: Tess Example', 'name: >\n    Tess\n    Example'), []);
  const sections = 'resume:\n  sections: [{ title: "a\\u2028b", entries: [{ name: "c\\nd", organization: "e\\nf" }] }]';
  assert.deepEqual(withText('resume:', sections), [
    '50:23: resume.sections[0].title: must be on one line',
    '50:53: resume.sections[0].entries[0].name: must be on one line',
    '50:75: resume.sections[0].entries[0].organization: must be on one line',
  ]);
});

test('a word has at most 1,000 characters; a text in a script without spaces has no such limit [TRUST-66]', () => {
  assert.deepEqual(withText('Go, SQL', `Go, ${'x'.repeat(1_000)}, "${'ж'.repeat(1_001)} y"`), [
    '50:1018: resume.skills[2]: has a word of more than 1000 characters',
  ]);
  assert.deepEqual(withText('resume:', `resume:\n  links: [{ url: "https://example.org/${'x'.repeat(1_000)}" }]`), [
    '50:18: resume.links[0].url: has a word of more than 1000 characters',
  ]);
  const signed = `https://example.org/resume.pdf?signature=${'x'.repeat(2_000)}`;
  assert.deepEqual(withText('resume:', `resume:\n  pdf_url: "${signed}"`), []);
  for (const text of ['漢字かな交じり文，', 'สวัสดีครับ', 'ភាសាខ្មែរ'])
    assert.deepEqual(withText('Go, SQL', `"${text.repeat(400)}"`), [], text);
});
