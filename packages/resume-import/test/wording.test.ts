import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCompany, isDegree, isJobTitle } from '../src/readers/document/wording.ts';

test('initials of degrees and companies are not found within other words', () => {
  const texts = ['M&A', 'Head of M&A', 'It’s a Match', 'M.A.', 'Ph.D.', 'Acme S.A.'];
  assert.deepEqual(texts.filter(isDegree), ['M.A.', 'Ph.D.']);
  assert.deepEqual(texts.filter(isCompany), ['Acme S.A.']);
});

test('English words are found beside letters of another script', () => {
  const texts = ['取締役CTO', 'CEO를', 'Engineer/Manager', 'Founder & CEO', 'engineering'];
  assert.deepEqual(texts.filter(isJobTitle), ['取締役CTO', 'CEO를', 'Engineer/Manager', 'Founder & CEO']);
  assert.deepEqual(['北京大学MBA', 'PhD学位', 'MBAs'].filter(isDegree), ['北京大学MBA', 'PhD学位']);
});

test('a firm that is named after its profession is a company, and a title in the plural still a title', () => {
  const texts = ['Olsen Hale Architects', 'Smith & Partners', 'Head of Architects', 'Architects', 'Senior Architect'];
  assert.deepEqual(texts.filter(isCompany), ['Olsen Hale Architects', 'Smith & Partners']);
  assert.deepEqual(texts.filter(isJobTitle), ['Head of Architects', 'Architects', 'Senior Architect']);
});
