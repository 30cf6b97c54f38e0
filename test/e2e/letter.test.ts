import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readDocx } from '../support/docx.ts';
import { fixture, newFolder } from '../support/files.ts';
import { runCommand } from '../support/process.ts';

test('letter new begins a letter, which is refused with placeholders, and printed as PDF and for Word', async (t) => {
  const folder = newFolder(t);
  const run = (...words: string[]) => runCommand(t, ['letter', ...words], { PROFILE: fixture('profile.yaml') }, folder);
  const path = join(folder, 'acme.md');

  const begun = await run('new', 'acme.md');
  assert.equal(begun.code, 0);
  assert.match(
    begun.stderr,
    /^Wrote acme\.md\. When each \[placeholder\] in it is written:\n.* letter acme\.md --out acme\.pdf\n$/,
  );
  assert.equal((await run('new', 'acme.md')).stderr, 'acme.md: exists already; --force replaces it\n');

  const refused = await run('acme.md', '--out', 'acme.pdf');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^acme\.md:3: \[Name\] is a placeholder: write what belongs there, or take it out\n/);

  writeFileSync(path, readFileSync(path, 'utf8').replace(/\[([^\]]*)\]/g, '$1'));
  for (const name of ['acme.pdf', 'acme.docx']) {
    const printed = await run('acme.md', '--out', name);
    assert.deepEqual([printed.code, printed.stdout, printed.stderr], [0, '', ''], name);
  }
  assert.match(readFileSync(join(folder, 'acme.pdf'), 'latin1'), /^%PDF-1\.7\n/);
  const { paragraphs, parts } = readDocx(new Uint8Array(readFileSync(join(folder, 'acme.docx'))));
  const [name, , contacts, date, ...rest] = paragraphs;
  assert.equal(name, 'Heading1: Tess Example');
  assert.match(contacts!, /^Contacts: /);
  assert.match(date!, /^Date: \w+ \d+, 20\d\d$/);
  assert.deepEqual(rest, [
    'Name\nCompany\nAddress',
    'Application as …',
    'Dear …,',
    'Why you write to them: the position, and where you have heard of it.',
    'What you have done that they need.',
    'Kind regards,',
    'Tess Example',
  ]);
  assert.match(parts['docProps/core.xml']!, /<dc:title>Tess Example – Application as …<\/dc:title>/);
});

test('a letter with characters that no font has, a wrong link or no photo is printed with warnings', async (t) => {
  const folder = newFolder(t);
  const profile = readFileSync(fixture('profile.yaml'), 'utf8').replace('\nresume:\n', '\nresume:\n  photo: me.png\n');
  writeFileSync(join(folder, 'profile.yaml'), profile);
  writeFileSync(
    join(folder, 'acme.md'),
    '---\nto: Jo\nsubject: Hello\ndate: 2026-11-23\n---\n\nRockets \u001b 𓀀 and [more](ftp://a.example)\n',
  );
  const words = ['letter', 'acme.md', '--out', 'acme.pdf', '--profile', 'profile.yaml'];
  const { code, stderr } = await runCommand(t, words, {}, folder);
  assert.equal(code, 0);
  assert.match(stderr, /^warning: the PDF leaves out “\\u\{1b\}” \(U\+001B\), “𓀀” \(U\+13000\), which no font has$/m);
  assert.match(
    stderr,
    /^warning: acme\.md: has \[more\]\(ftp:\/\/a\.example\), which is not read as a link: its address must be an http or https URL$/m,
  );
  assert.match(stderr, /^warning: resume\.photo: the file does not exist; the letter is printed without it$/m);
});

test('letter says what it needs: a file, and one to write that ends in .pdf or .docx', async (t) => {
  const folder = newFolder(t);
  const run = (...words: string[]) => runCommand(t, ['letter', ...words], { PROFILE: fixture('profile.yaml') }, folder);
  for (const [words, code, message] of [
    [[], 2, /^candidate-profile: name the letter; .* letter new writes one to begin with\n$/],
    [['acme.md'], 2, /^candidate-profile: name a file with --out that ends in \.pdf or \.docx\n$/],
    [['acme.md', '--out', 'acme.odt'], 2, /^candidate-profile: name a file with --out that ends in \.pdf or \.docx\n$/],
    [['acme.md', '--out', 'acme.pdf'], 1, /^acme\.md: does not exist\n$/],
    [['new', '--out', 'acme.md'], 2, /^candidate-profile: letter new takes no --out; name the file after it\n$/],
    [['acme.md', '--out', 'acme.pdf', '--profile', 'none.yaml'], 1, /none\.yaml: does not exist/],
  ] as const) {
    const { code: exit, stderr } = await run(...words);
    assert.match(stderr, message);
    assert.equal(exit, code);
  }
});
