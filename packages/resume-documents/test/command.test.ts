import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkout, newFolder } from '../../resume-profile/test/documents.ts';

const command = join(import.meta.dirname, '../bin/resume-documents.ts');

const print = (folder: string, resume: string) =>
  spawnSync(
    process.execPath,
    [command, join(checkout, 'packages/resume-import/corpus', resume), '--out', 'resume.md'],
    { cwd: folder, encoding: 'utf8' },
  );

test('a JSON Resume with members of another program is printed, and what is left out is said', (t) => {
  const folder = newFolder(t);
  const { status, stderr } = print(folder, 'jsonresume-further.json');
  assert.equal(status, 0);
  assert.equal(
    stderr,
    'left out: resume.skill_groups.3.category\nleft out: resume.skill_groups.3.icon\nleft out: resume.awards.0.amount\nresume.md is written.\n',
  );
  assert.match(readFileSync(join(folder, 'resume.md'), 'utf8'), /^# /);
});

test('a JSON Resume with a date that does not exist is refused, with the name of the field', (t) => {
  const { status, stderr } = print(newFolder(t), 'jsonresume-hard.json');
  assert.equal(status, 1);
  assert.match(stderr, /jsonresume-hard\.json: experience\.1\.company_end_date: must be a date: YYYY-MM-DD/);
});
