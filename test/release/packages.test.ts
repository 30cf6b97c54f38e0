import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { newFolder, resumeFile } from '../support/files.ts';

const root = join(import.meta.dirname, '../..');
const names = ['resume-profile', 'resume-import', 'resume-documents'];
let folder = '';

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

before((t) => {
  folder = newFolder(t as never);
  execFileSync(process.execPath, ['scripts/build-packages.ts'], { cwd: root });
  for (const name of names)
    execFileSync('npm', ['pack', `./dist/packages/${name}`, '--pack-destination', folder], { cwd: root });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  run('npm', 'install', '--no-audit', '--no-fund', ...globSync('*.tgz', { cwd: folder }).map((path) => `./${path}`));
  copyFileSync(resumeFile('documents/rendercv-classic.pdf'), join(folder, 'cv.pdf'));
});

test('an installed resume-import reads a PDF as its README says', () => {
  run('npx', 'resume-import', 'cv.pdf', '--to', 'jsonresume', '--out', 'resume.json');
  const { basics, work } = JSON.parse(readFileSync(join(folder, 'resume.json'), 'utf8'));
  assert.equal(basics.name, 'John Doe');
  assert.ok(work.length > 0);
});

test('an installed resume-documents prints that resume as its README says', () => {
  run('npx', 'resume-documents', 'resume.json', '--theme', 'classic', '--out', 'resume.pdf');
  assert.equal(readFileSync(join(folder, 'resume.pdf')).toString('latin1', 0, 5), '%PDF-');
});

for (const name of names)
  test(`the example in the README of an installed ${name} runs`, () => {
    const readme = readFileSync(join(folder, 'node_modules', name, 'README.md'), 'utf8');
    const [, code] = /^```ts\n(.*?)^```/ms.exec(readme)!;
    writeFileSync(join(folder, `${name}.mts`), code!);
    run(process.execPath, `${name}.mts`);
  });
