import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { before } from 'node:test';

const cwd = join(import.meta.dirname, '..');

/** The tests that take seconds, which `npm run test:fast` leaves out. */
export const slowTests = [
  'cases.test.ts',
  'contract/{contributing,link-messages,link-names,link-views,oauth-differences,owner,page-sessions,resume-file,shared-caches,views}.test.ts',
  'formats/{import/documents,import/import-profile,import/linkedin,import/reactive-resume,profile/edits}.test.ts',
  'unit/{adapters/audit-log,mail/outbox,mail/smtp,mcp/bridge,mcp/http,mcp/stdio}.test.ts',
];

/** Runs the tests of files in this process, one after the other: to start a process for each would take longer than most of them. */
export const importTests = (...patterns: readonly string[]): void => importFiles(globSync(patterns, { cwd }));

/** Does so without the slow tests. */
export const importFastTests = (...patterns: readonly string[]): void =>
  importFiles(globSync(patterns, { cwd, exclude: slowTests }));

function importFiles(files: readonly string[]): void {
  assert.notEqual(files.length, 0);
  const imported = (async () => {
    for (const file of files.toSorted()) await import(`../${file}`);
  })();
  // None begins while others are loaded.
  before(() => imported);
}
