import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readProfileText } from 'resume-profile/profile-reader';
import { documentPath } from '../../packages/resume-import/test/documents.ts';
import { fixture, resumeFile } from '../support/files.ts';
import { inShell, programName, runCommand } from '../support/process.ts';

const folder = await mkdtemp(join(tmpdir(), 'import-'));
after(() => rm(folder, { recursive: true }));
const resume = join(folder, 'resume');
await writeFile(resume, '{"basics": {"name": "Ada", "label": "Analyst", "image": "me.png"}}');

/** Runs `import` and returns what it prints; throws what it says if it fails. */
async function run(...words: string[]): Promise<{ stdout: string; stderr: string }> {
  const { code, ...printed } = await runCommand({ after }, ['import', ...words], {}, folder);
  if (code !== 0) throw new Error(printed.stderr.trimEnd());
  return printed;
}

test('import prints a profile that can be served, and the loss report on standard error', async () => {
  const { stdout, stderr } = await run(resume);
  assert.equal(readProfileText(stdout).profile?.candidate.name, 'Ada');
  assert.match(stdout, /^# yaml-language-server: \$schema=/);
  assert.match(stderr, /^Read as JSON Resume; kept 3 of its 3 values, 100 %\.\n/);
});

test('import --json prints the loss report on standard output, with the profile in it', async () => {
  const { stdout, stderr } = await run(resume, '--json');
  const { format, profile, carriedOver, changed, notCarriedOver, filledIn } = JSON.parse(stdout);
  assert.deepEqual([stderr, format, profile.candidate.title], ['', 'JSON Resume', 'Analyst']);
  assert.deepEqual(carriedOver, [{ where: 'basics.name' }, { where: 'basics.label' }, { where: 'basics.image' }]);
  assert.deepEqual(changed, []);
  assert.deepEqual(notCarriedOver, []);
  assert.deepEqual(filledIn.at(-1), {
    field: 'resume.skills',
    value: '(an empty list)',
    why: 'the resume does not say it',
  });
});

test('no text of a resume controls the terminal that the report is printed to', async () => {
  const name = '\u001b]0;owned\u0007\u009b31m\u202eAda';
  const file = join(folder, 'hostile');
  await writeFile(file, JSON.stringify({ basics: { name: 'Ada', summary: name }, [name]: [{ [name]: name }] }));
  const { stdout, stderr } = await run(file, '--verbose', '--accept-losses');
  assert.doesNotMatch(stdout, /(?!\n)\p{Cc}/u);
  assert.doesNotMatch(stderr, /(?!\n)\p{Cc}|\u202e/u);
  assert.match(stderr, /\\u\{202e\}Ada/);
  await rm(file);
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
  const interests = Array.from({ length: 2000 }, (_, at) => ({
    name: `C${at}`,
    keywords: [...'abcdefghijklmnopqrst'],
  }));
  await writeFile(large, JSON.stringify({ basics: { name: 'Ada' }, interests }));
  await assert.rejects(run(large, '--accept-losses', '--out', join(folder, 'large.yaml')), {
    message: `${large}: the profile could not be served: 1:1: has more than 150000 YAML tokens`,
  });
  assert.ok(!(await readdir(folder)).includes('large.yaml'));
  await rm(large);
});

test('the report is ten lines; --verbose adds what became of each value', async () => {
  const sample = resumeFile('jsonresume-senior-engineer.json');
  const { stderr } = await run(sample);
  assert.ok(stderr.trim().split('\n').length <= 15, stderr);
  assert.doesNotMatch(stderr, /basics/);
  const { stderr: verbose } = await run(sample, '--verbose');
  assert.ok(verbose.startsWith(stderr.trim()));
  assert.match(verbose, /\n {2}basics: name, label/);
});

test('a resume whose jobs cannot be read is refused before anything is written, unless losses are accepted', async () => {
  const [lost, out] = [join(folder, 'lost'), join(folder, 'lost.yaml')];
  await writeFile(lost, '{"basics": {"name": "Ada"}, "work": [{"startDate": "soon"}]}');
  await assert.rejects(run(lost, '--out', out), ({ message }: Error) => {
    assert.match(
      message,
      /^\S+: read as JSON Resume, it has jobs, but none of them could be read\. Nothing is written; /,
    );
    assert.match(message, /\n\nKept in notes, which are shown to nobody:\n {2}1 job \(It is not a date\)\n/);
    return true;
  });
  assert.equal((await readdir(folder)).includes('lost.yaml'), false);
  await run(lost, '--out', out, '--accept-losses');
  assert.equal(readProfileText(await readFile(out, 'utf8')).profile?.candidate.name, 'Ada');
});

test('import of a profile and check of a resume each name the command to use instead', async (t) => {
  const [profile, jsonResume] = [fixture('profile.yaml'), resumeFile('jsonresume-sample.json')];
  await assert.rejects(run(profile), {
    message: `${profile}: is a profile already. To check it:\n  ${programName} check ${inShell(profile)}`,
  });
  const { code, stderr } = await runCommand(t, ['check', jsonResume], {}, folder);
  assert.equal(code, 1);
  assert.equal(
    stderr,
    `${jsonResume} is a resume (JSON Resume). To make a profile of it:\n  ${programName} init --from ${inShell(jsonResume)}\n`,
  );
});

test('a resume that is missing, a folder or damaged is refused in one line after its path', async () => {
  const none = join(folder, 'none');
  await assert.rejects(run(none), { message: `${none}: does not exist` });
  const unpacked = join(folder, 'unpacked');
  await mkdir(unpacked);
  await assert.rejects(run(unpacked), { message: `${unpacked}: is a folder without any data` });
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

test('a PDF is imported as any other resume, and its text that has no place is in notes', async () => {
  const { stdout, stderr } = await run(documentPath('rendercv-classic.pdf'));
  const { profile, faults } = readProfileText(stdout);
  assert.deepEqual(faults, []);
  assert.deepEqual(
    profile!.experience.slice(0, 2).map(({ company, roles }) => [company, roles[0]!.title]),
    [
      ['Nexus AI', 'Co-Founder & CTO'],
      ['NVIDIA Research', 'Research Intern'],
    ],
  );
  assert.deepEqual(profile!.notes!.at(-1), 'Last updated in Mar 2026');
  assert.match(stderr, /^Read as PDF; kept \d+ of its \d+ values, 100 %/);
});

test('--prompt prints a task, the schema and the text for an assistant, and says how to check its answer', async () => {
  const { stdout, stderr } = await run(documentPath('word-headings.docx'), '--prompt');
  assert.match(stdout, /^Write the resume below as one YAML document/);
  assert.match(
    stdout,
    /\nDates are as precise as in the resume: 2018, 2018-03 or 2018-03-05; null is for what goes on\.\n/,
  );
  assert.match(stdout, /\{"\$schema":.*"owner_email"/);
  assert.match(stdout, /\nThe resume:\n\nAmara Okafor\nSupply chain manager\n/);
  assert.match(stdout, /\n- Plans the deliveries of 240 products to 1,100 shops\n/);
  assert.match(stderr, /save its answer as profile\.yaml\. To see what to mend in it:\n {2}.*check profile\.yaml/);
});
