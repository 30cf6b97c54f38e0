import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { requirements } from './requirements.ts';

const folder = new URL('.', import.meta.url).pathname;

/** The ids in brackets within the titles of all tests: `test('… [REST-1] [REST-2]'`. */
const cited = new Set(
  globSync('**/*.test.ts', { cwd: folder }).flatMap((file) =>
    [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/\b(?:test|it)\(\s*(['"`])(.*?)\1/gs)].flatMap(
      ([, , title = '']) => [...title.matchAll(/\[([A-Z]+-\d+)\]/g)].map(([, id]) => id!),
    ),
  ),
);

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
