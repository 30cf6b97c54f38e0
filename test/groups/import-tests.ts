import { globSync } from 'node:fs';
import { before } from 'node:test';

/** Runs the tests of files in this process, one after the other: to start a process for each would take longer than most of them. */
export function importTests(...patterns: readonly string[]): void {
  const cwd = new URL('../', import.meta.url).pathname;
  const imported = (async () => {
    for (const file of globSync(patterns, { cwd }).sort()) await import(`../${file}`);
  })();
  // None begins while others are loaded.
  before(() => imported);
}
