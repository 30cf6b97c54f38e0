import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { readProfileText } from 'resume-profile/profile-reader';

/** The folder of the checkout, whose examples and fixtures the tests of the packages share. */
export const checkout = join(import.meta.dirname, '../../..');

export const samplePath = join(checkout, 'examples/profile.yaml');
/** The example that shows every section of a profile. */
export const everySectionPath = join(checkout, 'examples/every-section.yaml');
export const fixture = (name: string): string => join(checkout, 'test/fixtures', name);

export const readProfile = (path: string) => readProfileText(readFileSync(path, 'utf8'), path);

/** Creates a folder that is removed after the test. */
export function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'resume-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
