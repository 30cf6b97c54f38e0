import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requirements } from './requirements.ts';
import { citations, titles, withoutCitations } from './support/citations.ts';

const citedIn = (isIn: (file: string) => boolean) =>
  new Set(citations.filter(({ file }) => isIn(file)).map(({ id }) => id));

test('every requirement is cited by a test, and each of the specification by one of npm test', () => {
  const cited = citedIn(() => true);
  const citedFast = citedIn((file) => !/^(full|release)\//.test(file));
  assert.deepEqual(
    Object.keys(requirements).filter((id) => !(id.startsWith('TRUST-') ? cited : citedFast).has(id)),
    [],
  );
});

test('every citation names a requirement', () => {
  assert.deepEqual(
    citations.map(({ id }) => id).filter((id) => !(id in requirements)),
    [],
  );
});

test('a title has at most 100 characters', () => {
  const long = titles.filter(({ title }) => withoutCitations(title).length > 100);
  assert.deepEqual(
    long.map(({ file, title }) => `${file}: ${title}`),
    [],
  );
});
