import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { DomUtils, parseDocument } from 'htmlparser2';
import { operations } from '../../../src/operations/index.ts';
import { writeOfferingSample } from '../../support/background-profile.ts';
import { newFolder } from '../../support/files.ts';
import { startService } from '../../support/process.ts';
import { paste } from '../../support/shell.ts';

const skip = spawnSync('curl', ['--version']).status !== 0 && 'needs curl';

suite('what the reference shows works as it is pasted', { skip }, async () => {
  const service = await startService({ after }, { PROFILE: writeOfferingSample({ after }) });
  const page = parseDocument(await (await fetch(`${service.url}/docs`)).text());
  const codeOf = (id: string) => DomUtils.textContent(DomUtils.getElementById(id, page.children) ?? []);
  const access = codeOf('access-code');

  for (const { name, rest } of operations) {
    test(`${name} with curl`, async () => {
      const { stdout } = await paste(`${access}\n${codeOf(`${name}-curl-code`)} --fail-with-body -s`, service.folder);
      assert.ok(stdout === '' ? rest.status === 204 : JSON.parse(stdout) !== null, stdout);
    });
  }
});

test('the commands of the page on OAuth show how a client finds its way', { skip }, async (t) => {
  const service = await startService(t);
  const text = readFileSync(join(import.meta.dirname, '../../../docs/oauth.md'), 'utf8');
  const [, commands = ''] = /^```sh\n(.*?)^```$/ms.exec(text)!;
  const { stdout } = await paste(commands.replaceAll('http://127.0.0.1:3000', service.url), service.folder);
  const [header = '', ...documents] = stdout
    .trim()
    .replace(/\}(?=\{)/g, '}\n')
    .split(/\r?\n/);
  assert.equal(
    header.toLowerCase(),
    `www-authenticate: bearer realm="candidate-profile", resource_metadata="${service.url}/.well-known/oauth-protected-resource", scope="profile:read"`,
  );
  const [resource, server, client] = documents.map((document) => JSON.parse(document));
  assert.equal(resource.resource, `${service.url}/mcp`);
  assert.equal(server.authorization_endpoint, `${service.url}/oauth/authorize`);
  assert.deepEqual(client.redirect_uris, ['http://127.0.0.1/callback']);
});

test('the client that the service offers typechecks in an empty project, and its page’s program runs', async (t) => {
  const service = await startService(t, { PROFILE: writeOfferingSample(t) });
  const folder = newFolder(t);
  const page = parseDocument(await (await fetch(`${service.url}/docs/client`)).text());
  const codes = DomUtils.getElementsByTagName('code', page).filter(({ attribs }) => attribs.id?.endsWith('-code'));
  const [, download = '', ...program] = codes.map((code) => DomUtils.textContent(code));
  assert.equal(download, `curl -fsS ${service.url}/docs/client.ts -o client.mts`);
  await paste(download, folder);
  assert.doesNotMatch(readFileSync(join(folder, 'client.mts'), 'utf8'), /^import|candidate-profile\/|@ts-/m);
  writeFileSync(join(folder, 'program.mts'), program.join('\n'));
  writeFileSync(join(folder, 'wrong.mts'), wrongProgram);
  // As `npm init` writes it.
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
  const compilerOptions = strictest;
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.mts'] }));
  const tsc = join(import.meta.dirname, '../../../node_modules/.bin/tsc');
  await paste(`'${tsc}' --project tsconfig.json`, folder);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['wrong.mts'] }));
  const wrong = spawnSync(tsc, ['--project', 'tsconfig.json', '--pretty', 'false'], { cwd: folder, encoding: 'utf8' });
  assert.deepEqual(
    wrong.stdout.match(/^wrong\.mts\(\d+/gm),
    [2, 3, 4, 5].map((line) => `wrong.mts(${line}`),
    wrong.stdout,
  );
  const { stdout } = await paste(`'${process.execPath}' program.mts`, folder);
  assert.match(stdout, /^Staff Software Engineer 2022-04-01 today$/m);
  assert.match(stdout, /^404 NOT_FOUND The requested resource could not be found\. null$/m);
  assert.match(stdout, /^contact_[0-9a-f]{32} received$/m);
});

const strictest = {
  target: 'esnext',
  module: 'nodenext',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: [],
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  isolatedModules: true,
  allowImportingTsExtensions: true,
};

/** One mistake in each line but the first and the last. */
const wrongProgram = `const profile = (await import('./client.mts')).createClient({ baseUrl: 'http://127.0.0.1' });
await profile.listExperience({ current: 'yes' });
await profile.getProject();
(await profile.getCandidate()).years_experience.trim();
await profile.getResume({ format: 'doc' });
await profile.getAvailability();
`;
