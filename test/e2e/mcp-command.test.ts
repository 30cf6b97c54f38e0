import assert from 'node:assert/strict';
import { after, suite, type TestContext, test } from 'node:test';
import { runCommand, startProcess } from '../support/process.ts';
import { fixture } from '../support/service.ts';

const PROFILE = fixture('profile.yaml');
const service = await startProcess({ after }, { PROFILE, MCP_MUTATIONS: 'true', LOG_LEVEL: 'silent' });
const CANDIDATE_PROFILE_TOKEN = await service.token();

const info = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
const call = (id: number, name: string, args: object = {}) => [id, 'tools/call', { name, arguments: args }] as const;

/** What a client writes that closes standard input at once, and has an answer to each of its requests due. */
const session = [
  [1, 'initialize', info],
  ...Array.from({ length: 20 }, (_, n) => call(n + 2, 'get_resume')),
  call(22, 'create_contact', contact),
] as const;

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const notifications = { resourceSubscriptions: ['candidate-profile://profile/candidate'] };

/** The same with a subscription, to which there is no answer as long as both ends stay. */
const listening = [
  [1, 'subscriptions/listen', { notifications, _meta: meta }],
  [2, 'tools/list', { _meta: meta }],
] as const;

/** Runs `mcp` on what a client writes, and returns the answers by their ids. */
async function answersTo(t: TestContext, requests: typeof session | typeof listening, args: string[], env: object) {
  const input = requests.map(([id, method, params]) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  const ended = await runCommand(t, ['mcp', ...args], { LOG_LEVEL: 'silent', ...env }, undefined, input.join(''));
  assert.deepEqual([ended.code, ended.stderr], [0, '']);
  const messages = ended.stdout.split('\n').filter((line) => line !== '');
  return new Map(messages.map((line) => JSON.parse(line)).map(({ id, result, error }) => [id, result ?? error]));
}

const here = { PROFILE, MCP_MUTATIONS: 'true', OWNER_EMAIL: 'owner@example.net' };
const there = { CANDIDATE_PROFILE_TOKEN };

suite('mcp', { concurrency: true }, () => {
  for (const [name, args, env] of [
    ['for the profile here', [], here],
    ['as a bridge', ['--url', service.url], there],
  ] as const) {
    test(`${name} answers what was asked before standard input ended`, async (t) => {
      const answers = await answersTo(t, session, [...args], env);
      assert.deepEqual(
        [...answers.keys()].toSorted((a, b) => a - b),
        session.map(([id]) => id),
      );
      assert.equal(answers.get(22).structuredContent.data.status, 'received');
    });

    test(`${name} does not wait for subscriptions when standard input ends`, async (t) => {
      const answers = await answersTo(t, listening, [...args], env);
      assert.equal(answers.get(2)?.tools?.length ?? 9, 9);
    });
  }

  test('as a bridge takes the address of the service or of its /mcp', async (t) => {
    for (const url of [service.url, `${service.url}/`, `${service.url}/mcp`, `${service.url}/mcp/`]) {
      const answers = await answersTo(t, listening, ['--url', url], there);
      assert.ok(answers.size > 0, url);
    }
  });

  test('as a bridge says at once that a token is missing, and how to get one', async (t) => {
    for (const env of [{}, { CANDIDATE_PROFILE_TOKEN: '' }]) {
      const ended = await runCommand(t, ['mcp', '--url', 'http://127.0.0.1:1/mcp'], env);
      assert.deepEqual([ended.code, ended.stdout], [2, '']);
      assert.equal(
        ended.stderr,
        `candidate-profile: a token is missing: set CANDIDATE_PROFILE_TOKEN or --token. This prints one:
  curl -s http://127.0.0.1:1/auth/token -H 'content-type: application/json' -d '{"email":"you@example.org"}'
`,
      );
    }
  });
});
