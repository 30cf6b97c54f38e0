import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { importProfile } from 'resume-import/import-resume';
import { readInputFolder } from '../../../src/adapters/input-file.ts';
import { newFolder } from '../../support/files.ts';

const filesIn = (folder: string) => readInputFolder(folder, 1)!;
const importedFrom = (folder: string) => importProfile(filesIn(folder));

test('a LinkedIn data export is imported from the folder that it was unpacked to', async (t) => {
  const folder = newFolder(t);
  mkdirSync(join(folder, 'Basic_Export', 'Jobs'), { recursive: true });
  writeFileSync(join(folder, 'Basic_Export', 'Skills.csv'), 'Name\nAnalysis\n');
  writeFileSync(join(folder, 'Basic_Export', 'Positions.csv'), 'Company Name;Title;Started On\nMill;Clerk;2020\n');
  writeFileSync(join(folder, 'Basic_Export', 'Jobs', 'Saved Jobs.csv'), 'Title\nMiller\n');
  writeFileSync(join(folder, '.DS_Store'), '');
  const { format, profile, lossReport } = await importedFrom(folder);
  assert.equal(format, 'LinkedIn data export');
  assert.deepEqual([profile.resume.skills, profile.experience[0]!.company], [['Analysis'], 'Mill']);
  assert.deepEqual(
    lossReport.notCarriedOver.map(({ where }) => where),
    ['Jobs/Saved Jobs.csv'],
  );
});

test('a folder that cannot be imported is refused in one line that says why', async (t) => {
  const folder = newFolder(t);
  await assert.rejects(importedFrom(folder), { message: 'is a folder without any data' });
  writeFileSync(join(folder, 'notes.txt'), 'Buy milk');
  await assert.rejects(importedFrom(folder), /^Error: is a folder of notes\.txt; what can be imported is LinkedIn/);

  writeFileSync(join(folder, 'Skills.csv'), 'Name\n"Analysis');
  await assert.rejects(importedFrom(folder), /^Error: is a folder whose Skills\.csv is not CSV: Quote Not Closed/);
  writeFileSync(join(folder, 'Skills.csv'), `Name\n${'x'.repeat(3 * 1024 * 1024)}`);
  await assert.rejects(importedFrom(folder), { message: 'is a folder whose Skills.csv is larger than 2 MiB' });

  const files = filesIn(folder);
  rmSync(join(folder, 'Skills.csv'));
  await assert.rejects(files.find(({ path }) => path === 'Skills.csv')!.read(), {
    message: 'is a folder whose Skills.csv does not exist',
  });
});

test('links in a folder are not followed', (t) => {
  const [folder, other] = [newFolder(t), newFolder(t)];
  writeFileSync(join(other, 'secret.csv'), 'Name\nsecret\n');
  symlinkSync(join(other, 'secret.csv'), join(folder, 'Skills.csv'));
  const message = 'is a folder that holds “Skills.csv”, which is a link or a special file';
  assert.throws(() => filesIn(folder), { message });
  rmSync(join(folder, 'Skills.csv'));
  symlinkSync(folder, join(folder, 'again'));
  assert.throws(() => filesIn(folder), /holds “again”, which is a link/);
});

test('a folder of more than 2000 files is not read further', (t) => {
  const folder = newFolder(t);
  for (let number = 0; number <= 2000; number++) writeFileSync(join(folder, `${number}.csv`), '');
  assert.throws(() => filesIn(folder), {
    message: 'is a folder of more than 2000 files; name the folder of a LinkedIn data export',
  });
});

test('a file is not read as a folder', () => {
  assert.equal(readInputFolder(import.meta.filename, 1), null);
  assert.equal(readInputFolder('/no/such/folder', 1), null);
});
