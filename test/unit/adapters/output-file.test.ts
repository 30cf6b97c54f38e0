import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { refuseExisting, remedyForce, writeOutput } from '../../../src/adapters/output-file.ts';
import { newFolder } from '../../support/files.ts';

test('an existing file is replaced only by force', (t) => {
  const path = join(newFolder(t), 'out.txt');
  refuseExisting(path, remedyForce);
  writeOutput(path, 'first', {});
  const message = `${path}: exists already; --force replaces it`;
  assert.throws(() => refuseExisting(path, remedyForce), { message });
  assert.throws(() => writeOutput(path, 'second', {}), { message });
  assert.equal(readFileSync(path, 'utf8'), 'first');
  writeOutput(path, new TextEncoder().encode('third'), { force: true });
  assert.equal(readFileSync(path, 'utf8'), 'third');
});

test('a file that cannot be written is reported in one line that begins with the path', (t) => {
  const folder = newFolder(t);
  const says = (path: string, reason: string) =>
    assert.throws(() => writeOutput(path, 'text', { force: true }), { message: `${path}: ${reason}` });
  says(join(folder, 'missing', 'out.txt'), 'is in a folder that does not exist');
  mkdirSync(join(folder, 'sub'));
  says(join(folder, 'sub'), 'is a folder');
  writeFileSync(join(folder, 'file'), '');
  says(join(folder, 'file', 'out.txt'), 'cannot be written (ENOTDIR)');
});
