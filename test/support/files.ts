import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns the path of a resume that tests import. */
export const resumeFile = (name: string): string =>
  join(import.meta.dirname, '../../packages/resume-import/corpus', name);

export const fixture = (name: string): string => join(import.meta.dirname, '../fixtures', name);

/** The example that shows every section of a profile. */
export const everySectionPath = join(import.meta.dirname, '../../examples/every-section.yaml');

// Private keys must have this mode, which a checkout does not preserve.
chmodSync(fixture('tls-key.pem'), 0o600);

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Makes an empty folder for the data of one test; it is removed at the latest when the process exits. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'candidate-profile-'));
  folders.push(folder);
  return folder;
}

/** Runs functions after a test: its context, or `after` of node:test for all tests of a file. */
export interface Cleanup {
  after(clean: () => void | Promise<void>): void;
}

/** Creates a folder that is removed after the test. */
export function newFolder(t: Cleanup): string {
  const folder = makeFolder();
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
