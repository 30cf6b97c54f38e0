import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requirements } from './requirements.ts';
import { citations } from './support/citations.ts';

const cited = new Set(citations.map(({ id }) => id));

test('every requirement of the specification is cited by a test', () => {
  assert.deepEqual(
    Object.keys(requirements).filter((id) => !cited.has(id)),
    [],
  );
});

test('every citation names a requirement', () => {
  assert.deepEqual(
    [...cited].filter((id) => !(id in requirements)),
    [],
  );
});
