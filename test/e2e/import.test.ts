import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { addImportTo } from '../../src/commands/import.ts';
import { readProfileText } from '../../src/formats/profile/profile-reader.ts';

const folder = await mkdtemp(join(tmpdir(), 'import-'));
after(() => rm(folder, { recursive: true }));
const resume = join(folder, 'resume');
await writeFile(resume, '{"basics": {"name": "Ada", "label": "Analyst", "image": "me.png"}}');

/** Runs `import` and gives what it prints on standard output and standard error. */
async function run(...words: string[]): Promise<{ stdout: string; stderr: string }> {
  const program = new Command();
  addImportTo(program);
  const { log, error } = console;
  const printed = { stdout: '', stderr: '' };
  console.log = (text: string) => {
    printed.stdout += `${text}\n`;
  };
  console.error = (text: string) => {
    printed.stderr += `${text}\n`;
  };
  try {
    await program.parseAsync(['import', ...words], { from: 'user' });
  } finally {
    Object.assign(console, { log, error });
  }
  return printed;
}

test('import prints a profile that can be served, and the loss report on standard error', async () => {
  const { stdout, stderr } = await run(resume);
  assert.equal(readProfileText(stdout).profile?.candidate.name, 'Ada');
  assert.match(stdout, /^# yaml-language-server: \$schema=/);
  assert.match(stderr, /^Read as JSON Resume\. Of its 3 values 2 are carried over, 0 changed, 1 not carried over; /);
});

test('import --json prints the loss report on standard output, with the profile in it', async () => {
  const { stdout, stderr } = await run(resume, '--json');
  const { format, profile, carriedOver, changed, notCarriedOver, filledIn } = JSON.parse(stdout);
  assert.deepEqual([stderr, format, profile.candidate.title], ['', 'JSON Resume', 'Analyst']);
  assert.deepEqual(carriedOver, [{ where: 'basics.name' }, { where: 'basics.label' }]);
  assert.deepEqual(changed, []);
  assert.deepEqual(notCarriedOver, [{ where: 'basics.image', value: 'me.png', why: 'The profile has no picture' }]);
  assert.deepEqual(filledIn.at(-1), { field: 'resume.skills', value: '(an empty list)', why: 'the source has none' });
});

test('a file that exists is replaced by force only, and nothing else is left beside it', async () => {
  const out = join(folder, 'profile.yaml');
  await writeFile(out, 'mine');
  await assert.rejects(run(resume, '--out', out), { message: `${out}: exists already; --force replaces it` });
  assert.equal(await readFile(out, 'utf8'), 'mine');

  const { stdout } = await run(resume, '--out', out, '--force', '--json');
  assert.equal('profile' in JSON.parse(stdout), false);
  assert.match(await readFile(out, 'utf8'), /name: Ada/);
  assert.deepEqual((await readdir(folder)).sort(), ['profile.yaml', 'resume']);
});

test('a resume that makes too large a profile is refused', async () => {
  const large = join(folder, 'large');
  await writeFile(large, JSON.stringify({ basics: { summary: 'long '.repeat(300_000) } }));
  await assert.rejects(run(large), {
    message: `${large}: the profile would be larger than 1 MiB, which cannot be served`,
  });
  await rm(large);
});

test('what cannot be imported ends in exit code 1 and one line', async () => {
  const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const none = join(folder, 'none');
  const ended = await new Promise((resolve) => {
    execFile(process.execPath, [program, 'import', none], { cwd: folder }, (error, stdout, stderr) =>
      resolve([error?.code, stdout, stderr]),
    );
  });
  assert.deepEqual(ended, [1, '', `${none}: does not exist\n`]);
});

test('a resume that is missing, a folder or damaged is refused in one line after its path', async () => {
  const none = join(folder, 'none');
  await assert.rejects(run(none), { message: `${none}: does not exist` });
  await assert.rejects(run(folder), { message: `${folder}: is a folder` });
  const empty = join(folder, 'empty');
  await writeFile(empty, '');
  await assert.rejects(run(empty), { message: `${empty}: is empty` });
});

test('the resume itself is never replaced, not even by force', async () => {
  const before = await readFile(resume, 'utf8');
  await assert.rejects(run(resume, '--out', resume, '--force'), {
    message: `${resume}: is the resume that is read; name another file`,
  });
  assert.equal(await readFile(resume, 'utf8'), before);
});
