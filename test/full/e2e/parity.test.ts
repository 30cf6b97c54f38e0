import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createClient } from '../../../src/client.ts';
import { operations } from '../../../src/operations/index.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { writeOfferingProfile } from '../../support/background-profile.ts';
import { databaseSettings } from '../../support/database.ts';
import { isFull } from '../../support/figures.ts';
import { clientOf, type Era } from '../../support/mcp-service.ts';
import { calls } from '../../support/parity-cases.ts';
import { main, runCommand, startService } from '../../support/process.ts';
import {
  assertParity,
  assertResources,
  overClient,
  overMcp,
  overRest,
  type Surface,
  witnessOf,
} from '../../support/surfaces.ts';

// The surfaces that need a port or a process of their own; the others are in test/contract/parity.test.ts.

const settings = { PROFILE: writeOfferingProfile({ after }), MCP_MUTATIONS: 'true', LOG_LEVEL: 'silent' };
const service = await startService({ after }, settings);
const { url, folder } = service;
const token = await service.token();
const dataDir = join(folder, 'data');
const witness = witnessOf(fetch, url, dataDir);

/** The settings of commands that use the data of the service; the port makes the same addresses. */
const database = await databaseSettings(dataDir);
const local = { ...settings, ...database, DATA_DIR: dataDir, PORT: new URL(url).port };
const remote = ['--url', url, '--token', token];

const overHttp = () =>
  new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
const overStdio = (args: readonly string[]) =>
  new StdioClientTransport({ command: process.execPath, args: [main, 'mcp', ...args], env: local, cwd: folder });

const connect = async (era: Era, transport: Transport) => {
  const client = clientOf(era);
  await client.connect(transport);
  after(() => client.close());
  return client;
};

/** Runs the first or the last case of each operation as a command. */
const onCommandLine = (position: 0 | -1, options: readonly string[], offered: readonly Operation[]): Surface => ({
  calls: offered.map(({ name }) => calls.filter(({ operation }) => operation === name).at(position)!),
  async answer({ operation, input }) {
    const fields = Object.entries(input).flatMap(([field, value]) => [`--${field}`, String(value)]);
    const ended = await runCommand({ after }, ['call', operation, ...fields, ...options], local);
    if (ended.code === 0) return JSON.parse(ended.stdout);
    const [, code, message] = /^([A-Z_]+): (.+)\n$/.exec(ended.stderr) ?? assert.fail(ended.stderr);
    assert.deepEqual([ended.code, ended.stdout], [code === 'BAD_REQUEST' ? 2 : 1, '']);
    return { error: { code, message } };
  },
});

// Connected before there is a test: while a file waits, the tests that it has so far end, and `after` closes the clients.
const clients = [
  ['2026-07-28 on a port', await connect('modern', overHttp())],
  ['2025-11-25 on a port', await connect('legacy', overHttp())],
  ['on stdio', await connect('modern', overStdio([]))],
  ['over the bridge', await connect('legacy', overStdio(remote))],
] as const;

// Each command is a process. On PostgreSQL, a full run alone makes those that only read the profile.
const isShort = database.DATABASE_URL !== undefined && !isFull;
const commands = operations.filter(({ kind }: Operation) => !isShort || kind !== 'read');

// The owner on local data has no token, of which something could be kept.
for (const [name, surface] of [
  ['REST on a port', overRest(fetch, url, token)],
  ['the typed client on a port', overClient(createClient({ baseUrl: url, token }))],
  [
    'the command line on local data',
    onCommandLine(
      0,
      [],
      commands.filter(({ kind }) => kind !== 'own'),
    ),
  ],
  ['the command line with --url', onCommandLine(-1, remote, commands)],
] as const)
  test(`every operation has the same answers over ${name} [SERVICE-3]`, { concurrency: 2 }, (t) =>
    assertParity(t, surface, witness),
  );

for (const [name, client] of clients) {
  test(`every operation has the same answers over MCP ${name} [SERVICE-3] [MCP-6] [MCP-11] [MCP-12] [MCP-14] [MCP-15]`, (t) =>
    assertParity(t, overMcp(client), witness));

  test(`each resource of MCP ${name} is the data of its REST endpoint, pretty-printed [MCP-2] [MCP-3] [MCP-5]`, () =>
    assertResources(client, witness));
}
