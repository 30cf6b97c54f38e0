import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nameReadBy, serverIn } from '../../support/configured-server.ts';
import { fixture } from '../../support/files.ts';
import { connectByAddress } from '../../support/oauth.ts';
import { eventually, runCommand, startService } from '../../support/process.ts';
import { newCheckout, paste } from '../../support/shell.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** A section of a document, by its title. */
function sectionOf(title: string, document = 'README.md'): string {
  const sections = readFileSync(join(root, document), 'utf8').split(/^## /m);
  return sections.find((text) => text.startsWith(`${title}\n`)) ?? assert.fail(`${document} has no ${title}`);
}

/** The first block of code in a language in a section. */
const blockAfter = (text: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(text)?.[1] ?? assert.fail(text);

/** A block of code that talks to a service at another address than the default. */
const at = (url: string, code: string): string => code.replaceAll('http://127.0.0.1:3000', url);

const skip = spawnSync('curl', ['--version']).status !== 0 && 'needs curl';

test('the first commands get a token and the promised answers, and the owner is told of both', { skip }, async (t) => {
  const service = await startService(t);
  const commands = blockAfter(sectionOf('First token, first call', 'docs/api.md'), 'sh');
  const { stdout } = await paste(at(service.url, commands), service.folder);

  // The answers follow each other without a line break, which never happens within JSON.
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

test('the commands for a profile of your own write one without faults, which can be served to others', async (t) => {
  const folder = newCheckout(t);
  // On a terminal `init` asks for these.
  const answers = 'init --name Ada --title Analyst --email ada@example.net --location London --years 9';
  const commands = blockAfter(sectionOf('Your own profile'), 'sh').replace(/init$/m, answers);
  const lines = (await paste(commands, folder)).stdout.trimEnd().split('\n');
  // Warnings depend on the day.
  assert.deepEqual(
    lines.filter((line) => !line.includes(': warning: ')),
    [],
  );
  const BASE_URL = 'https://profile.example.org';
  const refused = await runCommand(t, ['serve'], { BASE_URL, PORT: '0' }, folder);
  assert.deepEqual([refused.code, refused.stderr.includes('ALLOW_SAMPLE=true overrides')], [1, true]);
  await startService(t, { BASE_URL, OWNER_EMAIL: 'owner@lenavasquez.dev' }, folder);
});

suite('an agent reads the profile', async () => {
  const service = await startService({ after });
  const token = await service.token();
  const agents = sectionOf('With a token', 'docs/mcp.md');
  const programs = sectionOf('In each program', 'docs/oauth.md');
  const filled = (code: string): string => at(service.url, code).replaceAll('TOKEN', token);

  for (const title of ['Claude Desktop', 'Cursor', 'VS Code'])
    test(`with the configuration for ${title}`, async (t) => {
      const configuration = filled(blockAfter(agents.slice(agents.indexOf(`**${title}**`)), 'json'));
      assert.equal(await nameReadBy(t, serverIn(configuration)), 'Dr. Lena Vasquez');
    });

  for (const title of ['Cursor', 'VS Code'])
    test(`by the address alone, with the configuration for ${title}`, async (t) => {
      const [, configuration = ''] = new RegExp(`^\\| ${title} \\| \`(\\{.*\\})\` in `, 'm').exec(programs)!;
      const { url, headers } = serverIn(configuration.replace('ADDRESS', `${service.url}/mcp`));
      assert.deepEqual([url, headers], [`${service.url}/mcp`, undefined]);
      const client = await connectByAddress(service.url, {});
      t.after(() => client.close());
      assert.equal((await client.listTools()).tools[0]!.name, 'get_candidate');
    });

  const [here, bridge] = blockAfter(agents.slice(agents.indexOf('**Other clients')), 'sh')
    .trim()
    .split('\n');
  for (const [title, line] of [
    ['on this machine', here!],
    ['through the bridge', bridge!],
  ] as const)
    test(`over stdio, ${title}`, async (t) => {
      const command = `cd ${newCheckout(t)} && ${at(service.url, line)}`;
      assert.equal(
        await nameReadBy(t, { command: 'bash', args: ['-c', command], env: { TOKEN: token } }),
        'Dr. Lena Vasquez',
      );
    });
});

test('the settings for the open internet are valid', async (t) => {
  const folder = newCheckout(t);
  copyFileSync(fixture('profile.yaml'), join(folder, 'profile.yaml'));
  writeFileSync(join(folder, '.env'), blockAfter(sectionOf('On the internet'), 'ini'));
  const { code, stdout, stderr } = await runCommand(t, ['openapi'], {}, folder);
  assert.deepEqual([code, stderr, JSON.parse(stdout).servers], [0, '', [{ url: 'https://profile.example.org' }]]);
});

test('the program reads the profile and leaves a message, and the command calls an operation', async (t) => {
  const service = await startService(t);
  const folder = newCheckout(t);
  const section = sectionOf('From a program', 'docs/api.md');
  writeFileSync(join(folder, 'visit.ts'), at(service.url, blockAfter(section, 'ts')));
  const { stdout } = await paste(blockAfter(section, 'sh'), folder);
  assert.match(stdout, /company: 'Confluent'/);
  assert.match(stdout, /id: 'contact_\w+', status: 'received'/);
  assert.match(stdout, /"company": "Confluent"/);
});
