import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Command } from 'commander';
import { callRemote } from '../../src/client.ts';
import { addCallTo } from '../../src/commands/call.ts';
import type { Io } from '../../src/commands/terminal.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { readConfig } from '../../src/service/config/config.ts';
import { openSample } from '../../src/service/sample.ts';
import { examplesOf } from '../../src/surfaces/examples.ts';
import { openMcpHttp } from '../../src/surfaces/mcp/http.ts';
import { toOpenApi } from '../../src/surfaces/rest/openapi.ts';
import { restOf } from '../../src/surfaces/rest/rest.ts';
import { fixture, newFolder } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { connect, eras, withBodies } from '../support/mcp-service.ts';

const service = await openTestService();
after(() => service.close());
const { baseUrl, token, opened } = service;
const { services } = opened;

/** Loads the operation of CONTRIBUTING.md, with its imports resolved from the path that the page names. */
async function readAdded(): Promise<Operation> {
  const page = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8');
  const [, path = '', source = ''] = /^```ts file=(\S+)\n(.*?)^```$/ms.exec(page) ?? [];
  const place = new URL(`../../${path}`, import.meta.url);
  const resolved = source.replace(/from '(.+)'/g, (_, name: string) => {
    const url = name.startsWith('.') ? new URL(name, place).href : import.meta.resolve(name);
    return `from '${url}'`;
  });
  const file = join(newFolder({ after }), 'skills.ts');
  writeFileSync(file, resolved);
  return (await import(file)).listSkills;
}

const added = await readAdded();
// Without the one that somebody has added who follows the page.
const catalogue = [...operations.filter(({ name }: Operation) => name !== added.name), added];
const rest = restOf(catalogue, services);
const ask = async (headers: Record<string, string> = {}) =>
  rest.fetch(new Request(`${baseUrl}/skills`, { headers }), { address: '192.0.2.1' });

test('the operation that CONTRIBUTING.md adds answers over REST with its entity tag, and 401 without a token', async () => {
  const response = await ask({ authorization: `Bearer ${token}` });
  assert.deepEqual([response.status, await response.json()], [200, ['Go', 'SQL']]);
  const known = { authorization: `Bearer ${token}`, 'if-none-match': response.headers.get('etag') ?? '' };
  assert.equal((await ask(known)).status, 304);
  assert.equal((await ask()).status, 401);
});

for (const era of eras)
  test(`it is a tool and a resource over MCP in the ${era} era`, async () => {
    const mcp = openMcpHttp({
      operations: catalogue,
      services,
      mutations: false,
      baseUrl: 'https://profile.example.org',
      subscriptionLimits: { perSubject: 2, perBlock: 20, total: 200 },
      version: '0',
      log: { warn() {} },
    });
    const client = await connect(withBodies(mcp), era);
    const { structuredContent } = await client.callTool({ name: 'list_skills', arguments: {} });
    assert.deepEqual(structuredContent, { data: ['Go', 'SQL'] });
    const { contents } = await client.readResource({ uri: 'candidate-profile://profile/skills' });
    assert.deepEqual(JSON.parse((contents[0] as { text: string }).text), ['Go', 'SQL']);
    const { tools } = await client.listTools();
    assert.equal(tools.find(({ name }) => name === 'list_skills')?.annotations?.readOnlyHint, true);
  });

test('it is in the OpenAPI description', async () => {
  const examples = await examplesOf(catalogue, openSample(baseUrl).services());
  const { get } = toOpenApi(catalogue, baseUrl, examples).paths['/skills'] as { get: Record<string, object> };
  assert.equal(get?.operationId, 'list_skills');
  assert.deepEqual(Object.keys(get?.responses ?? {}), ['200', '304', '401', '403', '429', 'default']);
});

test('it is called on the command line by its name', async (t) => {
  const log = t.mock.fn();
  const program = new Command().exitOverride();
  const config = readConfig({ PROFILE: fixture('profile.yaml'), DATA_DIR: newFolder(t) }, process.cwd());
  const io = { env: {}, console: { log }, configOf: () => config };
  addCallTo(program, io as unknown as Io, catalogue);
  await program.parseAsync(['call', 'list_skills'], { from: 'user' });
  assert.deepEqual(
    log.mock.calls.map(({ arguments: [line] }) => JSON.parse(line)),
    [['Go', 'SQL']],
  );
});

test('it is called by the typed client', async () => {
  const fetch = async (request: Request) => rest.fetch(request, { address: '192.0.2.1' });
  assert.deepEqual(await callRemote(added, {}, { baseUrl, token, fetch }), ['Go', 'SQL']);
});
