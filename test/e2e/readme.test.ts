import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { globSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually, newFolder, startProcess } from '../support/process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The commands in a section of README.md. */
const commandsIn = (section: string): string =>
  new RegExp(`^## ${section}\n[^#]*?^\`\`\`sh\n(.*?)^\`\`\`$`, 'ms').exec(readme)?.[1] ?? assert.fail(section);

/** Runs commands as they were pasted into a shell, each of which must succeed. */
const paste = async (commands: string, folder: string): Promise<string> => {
  const { stdout } = await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', commands], { cwd: folder });
  return stdout;
};

const skip = spawnSync('curl', ['--version']).status !== 0 && 'needs curl';

test('the first commands get a token and the answers that they promise, and the owner is told', { skip }, async (t) => {
  const service = await startProcess(t);
  const commands = commandsIn('First token, first call').replaceAll('http://127.0.0.1:3000', service.url);
  const stdout = await paste(commands, service.folder);

  // The answers follow each other without a break, which never happens within JSON.
  const [candidate, experience, link, receipt, ...more] = JSON.parse(`[${stdout.replace(/([\]}])(?=[[{])/g, '$1,')}]`);
  assert.equal(candidate.name, 'Dr. Lena Vasquez');
  assert.deepEqual(
    experience.map(({ company, current }: { company: string; current: boolean }) => [company, current]),
    [['Confluent', true]],
  );
  const pdf = await fetch(link.url);
  assert.deepEqual([pdf.status, pdf.headers.get('content-type')], [200, 'application/pdf']);
  assert.match(receipt.id, /^contact_/);
  assert.equal(receipt.status, 'received');
  assert.deepEqual(more, []);
  await eventually(() => globSync('data/mail/*.eml', { cwd: service.folder }).length === 2);
});

test('the commands for a profile of your own make one without faults, which is then served', async (t) => {
  const folder = newFolder(t);
  for (const entry of ['package.json', 'node_modules', 'src', 'examples'])
    symlinkSync(join(root, entry), join(folder, entry));
  const lines = (await paste(commandsIn('Your own profile'), folder)).trimEnd().split('\n');
  // Warnings depend on the day.
  assert.deepEqual(
    lines.filter((line) => !line.includes(': warning: ')),
    [],
  );
  await startProcess(t, { BASE_URL: 'https://profile.example.org' }, folder); // where the sample would be refused
});
