import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));
const packages: Record<string, { version: string; optionalDependencies?: Record<string, string> }> = lock.packages;

/** The folders in which Node looks for what the package in a folder needs, nearest first. */
const foldersAbove = (folder: string): string[] =>
  folder === '' ? [''] : [folder, ...foldersAbove(folder.replace(/(^|\/)(node_modules\/(@[^/]+\/)?)?[^/]+$/, ''))];

// npm 10 and 11.6 leave out what the lock lacks, without a word; `npm ci` of later versions refuses the lock.
test('every optional dependency that the lock names is in it, so that each platform gets its native code', () => {
  const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !foldersAbove(folder).some((above) => `${above}/node_modules/${name}`.replace(/^\//, '') in packages),
    ),
  );
  assert.deepEqual(missing, []);
});

test('each folder of the lock has a version, for npm sbom, and each package the hash of its content', () => {
  const lacking = Object.entries(packages).filter(
    ([folder, one]) => !('link' in one) && !(one.version && ('integrity' in one || !folder.includes('node_modules/'))),
  );
  assert.deepEqual(lacking, []);
});
