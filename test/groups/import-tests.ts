import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { before } from 'node:test';

/** Runs the tests of files in this process, one after the other: to start a process for each would take longer than most of them. */
export function importTests(...patterns: readonly string[]): void {
  const files = globSync(patterns, { cwd: join(import.meta.dirname, '..') }).sort();
  assert.notEqual(files.length, 0);
  const imported = (async () => {
    for (const file of files) await import(`../${file}`);
  })();
  // None begins while others are loaded.
  before(() => imported);
}
