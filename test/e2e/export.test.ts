import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { runCommandLine } from '../../src/commands/command-line.ts';
import { fixture, makeFolder, newFolder } from '../support/files.ts';
import { main, runCommand, startService } from '../support/process.ts';

const PROFILE = fixture('profile.yaml');

/** Runs `export`; throws what it says if it fails. */
async function run(...words: string[]): Promise<void> {
  const { code, stderr } = await runCommand({ after }, ['export', ...words], { PROFILE }, makeFolder());
  if (code !== 0) throw new Error(stderr.trimEnd());
}

test('each format is written to a file, which is replaced by force only', async () => {
  const path = join(makeFolder(), 'out');
  for (const [format, beginning] of [
    ['jsonresume', '{\n  "$schema": '],
    ['markdown', '# Tess Example\n'],
    ['text', 'Tess Example\n===='],
    ['html', '<!doctype html>\n'],
    ['pdf', '%PDF-1.7\n'],
    ['docx', 'PK\u0003\u0004'],
  ] as const) {
    await run('--format', format, '--out', path, '--force');
    assert.equal(readFileSync(path, 'latin1').slice(0, beginning.length), beginning);
  }
  await assert.rejects(run('--format', 'text', '--out', path), {
    message: `${path}: exists already; --force replaces it`,
  });
});

test('export takes the profile as check and serve do: as its argument', async (t) => {
  const folder = newFolder(t);
  const own = join(folder, 'mine.yaml');
  writeFileSync(own, readFileSync(fixture('profile.yaml'), 'utf8').replace('Tess Example', 'Ada Lovelace'));
  // A wrong setting of the service does not matter to a document that is named.
  const env = { PROFILE: 'nowhere.yaml', TOKEN_TTL: 'soon' };
  const exported = await runCommand(t, ['export', 'mine.yaml', '--format', 'text'], env, folder);
  assert.deepEqual([exported.code, exported.stderr], [0, '']);
  assert.match(exported.stdout, /^Ada Lovelace\n====/);
  const address = await runCommand(t, ['export', 'http://ada:secret@192.0.2.1/p.yaml'], env, folder);
  assert.deepEqual(
    [address.code, address.stdout, address.stderr],
    [2, '', 'candidate-profile: the document must be a file, or an https:// address\n'],
  );

  const service = await startService(t, { PROFILE: 'nowhere.yaml' }, folder, ['mine.yaml']);
  const headers = { authorization: `Bearer ${await service.token()}` };
  const candidate = (await (await fetch(`${service.url}/candidate`, { headers })).json()) as { name: string };
  assert.equal(candidate.name, 'Ada Lovelace');
  const twice = await runCommand(t, ['serve', 'mine.yaml', '--profile', 'mine.yaml'], {}, folder);
  assert.deepEqual(
    [twice.code, twice.stderr],
    [2, 'candidate-profile: name the profile once: as FILE or with --profile\n'],
  );
});

test('the name of the file tells the format, and does not contradict the options', async () => {
  const folder = makeFolder();
  for (const [name, beginning] of [
    ['resume.json', '{\n  "$schema": '],
    ['resume.md', '# Tess Example\n'],
    ['resume.txt', 'Tess Example\n===='],
    ['resume.HTML', '<!doctype html>\n'],
    ['resume.pdf', '%PDF-1.7\n'],
    ['resume.docx', 'PK\u0003\u0004'],
  ] as const) {
    await run('--out', join(folder, name));
    assert.equal(readFileSync(join(folder, name), 'latin1').slice(0, beginning.length), beginning);
  }
  for (const [words, message] of [
    [
      ['--out', 'resume'],
      'the name of resume does not tell the format; end it in .json, .md, .txt, .html, .pdf, .docx, or give --format',
    ],
    [
      ['--out', 'cv.rtf'],
      'the name of cv.rtf does not tell the format; end it in .json, .md, .txt, .html, .pdf, .docx, or give --format',
    ],
    [['--out', 'cv.pdf', '--format', 'html'], 'cv.pdf is not the name of a file for --format html; end it in .html'],
    [['--out', 'cv.md', '--json'], 'cv.md is not the name of a file for --json; end it in .json'],
  ] as const)
    await assert.rejects(run(...words), { message: `candidate-profile: ${message}` });
});

test('--json writes JSON Resume, and is refused with another format', async () => {
  const path = join(makeFolder(), 'out.json');
  await run('--json', '--out', path);
  assert.equal(JSON.parse(readFileSync(path, 'utf8')).basics.name, 'Tess Example');
  await assert.rejects(run('--json', '--format', 'text', '--out', path, '--force'), {
    message: 'candidate-profile: --json prints JSON Resume; leave it out for --format text',
  });
});

test('export prints neither a PDF nor a document of Word on a terminal', async () => {
  for (const [format, name] of [
    ['pdf', 'a PDF'],
    ['docx', 'a document of Word'],
  ] as const) {
    const [stdout, stderr] = [Object.assign(new PassThrough(), { isTTY: true }), new PassThrough()];
    const said = text(stderr);
    const args = ['export', '--format', format];
    assert.equal(await runCommandLine(args, { env: { PROFILE }, stdin: new PassThrough(), stdout, stderr }), 2);
    stderr.end();
    assert.equal(await said, `candidate-profile: ${name} cannot be shown on a terminal; name a file with --out\n`);
  }
});

test('without a file the export is on standard output, and a profile with faults is refused', async (t) => {
  const { code, stdout, stderr } = await runCommand(t, ['export'], { PROFILE });
  assert.deepEqual([code, JSON.parse(stdout).basics.name, stderr], [0, 'Tess Example', '']);
  const refused = await runCommand(t, ['export'], { PROFILE: '/dev/null' });
  assert.deepEqual(refused, { code: 1, stdout: '', stderr: '/dev/null: is not a file\n' });
});

test('export ends without an error if its output is closed', async () => {
  const child = spawn(process.execPath, [main, 'export'], {
    env: { ...process.env, PROFILE },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.deepEqual([said, code], ['', 0]);
});
