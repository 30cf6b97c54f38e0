import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readProfileText } from '../../../src/formats/profile/profile-reader.ts';
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
