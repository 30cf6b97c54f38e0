import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { DomUtils, parseDocument } from 'htmlparser2';
import { operations } from '../../src/operations/index.ts';
import { clientExamplePath } from '../../src/service/config/config.ts';
import { writeOfferingSample } from '../support/background-profile.ts';
import { newFolder } from '../support/files.ts';
import { main, startProcess } from '../support/process.ts';
import { paste } from '../support/shell.ts';

const skip = spawnSync('curl', ['--version']).status !== 0 && 'needs curl';

suite('what the reference shows works as it is pasted', { skip }, async () => {
  const service = await startProcess({ after }, { PROFILE: writeOfferingSample({ after }) });
  const page = parseDocument(await (await fetch(`${service.url}/docs`)).text());
  const codeOf = (id: string) => DomUtils.textContent(DomUtils.getElementById(id, page.children) ?? []);
  const access = codeOf('access-code');

  for (const { name, rest } of operations) {
    test(`${name} with curl`, async () => {
      const { stdout } = await paste(`${access}\n${codeOf(`${name}-curl-code`)} --fail-with-body -s`, service.folder);
      assert.ok(stdout === '' ? rest.status === 204 : JSON.parse(stdout) !== null, stdout);
    });
    test(`${name} on the command line`, async () => {
      const program = `candidate-profile() { '${process.execPath}' '${main}' "$@"; }`;
      const { stdout } = await paste(`${program}\n${access}\n${codeOf(`${name}-command-line-code`)}`, service.folder);
      assert.ok(rest.status === 204 || JSON.parse(stdout) !== null, stdout);
    });
  }
});

test('the commands of the page on OAuth show how a client finds its way', { skip }, async (t) => {
  const service = await startProcess(t);
  const text = readFileSync(join(import.meta.dirname, '../../docs/oauth.md'), 'utf8');
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

test('the program that the page of the typed client shows runs against a service', async (t) => {
  const service = await startProcess(t);
  const folder = newFolder(t);
  const client = pathToFileURL(join(import.meta.dirname, '../../src/client.ts')).href;
  const program = readFileSync(clientExamplePath, 'utf8')
    .replaceAll('candidate-profile/client', client)
    .replace('https://profile.example.org', service.url);
  writeFileSync(join(folder, 'program.ts'), program);
  const { stdout } = await paste(`'${process.execPath}' program.ts`, folder);
  assert.match(stdout, /^Staff Software Engineer 2022-04-01 today$/m);
  assert.match(stdout, /^404 NOT_FOUND The requested resource could not be found\. null$/m);
  assert.match(stdout, /^contact_[0-9a-f]{32} received$/m);
});
