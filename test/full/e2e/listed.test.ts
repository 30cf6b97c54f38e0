import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getMcpConfigForManifest } from '@anthropic-ai/mcpb/browser';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { serverJson } from '../../../scripts/server-json.ts';
import { version } from '../../../src/version.ts';
import { fixture, newFolder } from '../../support/files.ts';
import { clientOf, type Era } from '../../support/mcp-service.ts';
import { eventually, startService } from '../../support/process.ts';

type Env = Record<string, string>;
type Transport = ConstructorParameters<typeof StdioClientTransport>[0];

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);
const mcpb = (...args: string[]) =>
  run(process.execPath, [join(root, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js'), ...args]);

const PROFILE = fixture('profile.yaml');
const service = await startService({ after }, { PROFILE, MCP_MUTATIONS: 'true', LOG_LEVEL: 'silent' });
const token = await service.token();

const tools = [
  'get_candidate',
  'list_experience',
  'get_experience',
  'list_projects',
  'get_project',
  'get_availability',
  'get_resume',
  'create_auth_token',
  'create_contact',
];

/** Asserts that a client of an era reads the profile through a transport. */
async function assertReadsProfile(transport: StdioClientTransport | StreamableHTTPClientTransport, era: Era) {
  const client = clientOf(era);
  await client.connect(transport);
  const listed = (await client.listTools()).tools.map(({ name }) => name);
  assert.deepEqual(listed.toSorted(), tools.toSorted());
  const { structuredContent } = await client.callTool({ name: 'get_availability', arguments: {} });
  assert.deepEqual(structuredContent, { data: { status: 'open to opportunities' } });
  await client.close();
}

/** Makes the bundle in an empty folder, and returns the path of the archive. */
async function bundle(env: Env = {}): Promise<string> {
  const folder = newFolder({ after });
  await run(process.execPath, [join(root, 'scripts/bundle.ts'), folder], { env: { ...process.env, ...env } });
  const [name, ...more] = readdirSync(folder);
  assert.deepEqual([name, more], [`candidate-profile-${version}.mcpb`, []]);
  return join(folder, name!);
}

suite('the bundle', async () => {
  const archive = await bundle();
  const unpacked = newFolder({ after });
  await mcpb('unpack', archive, unpacked);
  const manifest = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'));

  /** How a host starts the bundle with what a person has entered, undefined if something required is missing. */
  const configWith = async (userConfig: Env) =>
    getMcpConfigForManifest({ manifest, extensionPath: unpacked, systemDirs: {}, userConfig, pathSeparator: '/' });

  /** The bundle on a Node.js that the host brings, with nothing of the environment of the tests. */
  const startedBy = (config: { args?: string[] | undefined; env?: Env | undefined }): Transport => {
    const { args = [], env = {} } = config;
    return { command: process.execPath, args, env, stderr: 'pipe', cwd: newFolder({ after }) };
  };

  test('is valid, and has the bridge, what it is made of in the licences, and nothing else', async () => {
    assert.deepEqual(await mcpb('validate', unpacked), { stdout: 'Manifest schema validation passes!\n', stderr: '' });
    assert.equal(manifest.server.entry_point, 'bridge.mjs');
    assert.deepEqual(readdirSync(unpacked).sort(), ['LICENSE', 'LICENSES-OF-PACKAGES', 'bridge.mjs', 'manifest.json']);
    const packages = readFileSync(join(unpacked, 'LICENSES-OF-PACKAGES'), 'utf8').match(
      /^(?:@[\w-]+\/)?[a-z][a-z-]+$/gm,
    );
    assert.deepEqual(packages, [
      '@modelcontextprotocol/client',
      '@modelcontextprotocol/core',
      '@modelcontextprotocol/server',
      'eventsource-parser',
      'pkce-challenge',
      'zod',
    ]);
  });

  test('shows the tools of every profile before it is connected, and has the token kept secret', () => {
    assert.deepEqual(
      manifest.tools.map(({ name }: { name: string }) => name),
      tools,
    );
    assert.equal(manifest.user_config.token.sensitive, true);
  });

  test('has the same bytes whenever and wherever it is made', async () => {
    const [there, elsewhere] = await Promise.all([bundle({ TZ: 'Asia/Tokyo' }), bundle({ TZ: 'America/Lima' })]);
    assert.ok(readFileSync(there).equals(readFileSync(archive)));
    assert.ok(readFileSync(elsewhere).equals(readFileSync(archive)));
  });

  for (const era of ['legacy', 'modern'] as const)
    test(`connects a client of the ${era} era to a profile, with the address and token that were entered`, async () => {
      const config = await configWith({ url: ` ${service.url}/ `, token });
      await assertReadsProfile(new StdioClientTransport(startedBy(config!)), era);
    });

  test('is not started before the address and the token are entered', async () => {
    assert.equal(await configWith({ url: service.url }), undefined);
    assert.equal(await configWith({ token }), undefined);
  });

  const wrongAddress =
    'The address is missing or wrong: enter one such as https://profile.example.org in the settings.';
  for (const [given, env, message] of [
    ['no address', {}, wrongAddress],
    [
      'an address without https://',
      { CANDIDATE_PROFILE_URL: 'profile.example.org', CANDIDATE_PROFILE_TOKEN: token },
      wrongAddress,
    ],
    [
      'the placeholder in place of a token',
      { CANDIDATE_PROFILE_URL: service.url, CANDIDATE_PROFILE_TOKEN: '$'.concat('{user_config.token}') },
      `The token is missing: open ${service.url} in a browser to get one, and enter it in the settings.`,
    ],
    [
      'a wrong token',
      { CANDIDATE_PROFILE_URL: service.url, CANDIDATE_PROFILE_TOKEN: 'wrong' },
      `${service.url}/mcp refuses the token. Check the settings, and open ${service.url} in a browser if you need a token.`,
    ],
    [
      'an address at which nothing answers',
      { CANDIDATE_PROFILE_URL: 'http://127.0.0.1:1', CANDIDATE_PROFILE_TOKEN: token },
      'no MCP service answers at http://127.0.0.1:1/mcp. Check the settings, and open http://127.0.0.1:1 in a browser if you need a token.',
    ],
  ] as const)
    test(`with ${given}, tells both the client and the log of the host what to change`, async () => {
      const transport = new StdioClientTransport(startedBy({ args: [join(unpacked, 'bridge.mjs')], env }));
      let logged = '';
      transport.stderr?.on('data', (chunk) => {
        logged += chunk;
      });
      const client = clientOf('legacy');
      await assert.rejects(client.connect(transport), { message });
      await eventually(() => logged === `${message}\n`);
      await client.close();
    });
});

suite('server.json', () => {
  const [npm] = serverJson.packages;
  const [remote] = serverJson.remotes;

  test('says how a client starts the package so that it reads a profile', async () => {
    const args = npm!.packageArguments.map(({ type, name, value }) =>
      type === 'named' ? `${name}=${service.url}` : value!,
    );
    const env = Object.fromEntries(npm!.environmentVariables.map(({ name }) => [name, token]));
    const program = join(root, 'bin/candidate-profile.cjs');
    const transport = { command: process.execPath, args: [program, ...args], env, cwd: newFolder({ after }) };
    await assertReadsProfile(new StdioClientTransport(transport), 'legacy');
  });

  test('says at which URL and with which header a client reads a profile without the package', async () => {
    const url = remote!.url.replace('https://{host}', service.url);
    const headers = Object.fromEntries(remote!.headers.map(({ name }) => [name, `Bearer ${token}`]));
    await assertReadsProfile(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }), 'modern');
  });
});
