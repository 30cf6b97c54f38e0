import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, suite, type TestContext, test } from 'node:test';
import { fixture, newFolder } from '../support/files.ts';
import { eventually, inheritedEnv, main, runCommand, startService } from '../support/process.ts';

const PROFILE = fixture('profile.yaml');
const service = await startService({ after }, { PROFILE, MCP_MUTATIONS: 'true', LOG_LEVEL: 'silent' });
const CANDIDATE_PROFILE_TOKEN = await service.token();

const info = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
const call = (id: number, name: string, args: object = {}) => [id, 'tools/call', { name, arguments: args }] as const;

/** The requests of a client that then closes standard input, and is owed a response to each. */
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

/** Requests with a subscription, which ends only with the connection. */
const listening = [
  [1, 'subscriptions/listen', { notifications, _meta: meta }],
  [2, 'tools/list', { _meta: meta }],
] as const;

/** Requests for the PDF. */
const askForPdf = [
  [1, 'initialize', info],
  call(2, 'get_resume', { format: 'pdf' }),
  [3, 'resources/read', { uri: 'candidate-profile://profile/resume/pdf' }],
] as const;

/** Runs `mcp` on what a client writes, and returns the responses by their ids. */
async function responsesTo(
  t: TestContext,
  requests: typeof session | typeof listening | typeof askForPdf,
  args: string[],
  env: object,
) {
  const input = requests.map(([id, method, params]) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  const ended = await runCommand(t, ['mcp', ...args], { LOG_LEVEL: 'silent', ...env }, undefined, input.join(''));
  assert.deepEqual([ended.code, ended.stderr], [0, '']);
  const messages = ended.stdout.split('\n').filter((line) => line !== '');
  return new Map(messages.map((line) => JSON.parse(line)).map(({ id, result, error }) => [id, result ?? error]));
}

const local = { PROFILE, MCP_MUTATIONS: 'true', OWNER_EMAIL: 'owner@example.net' };
const remote = { CANDIDATE_PROFILE_TOKEN };

suite('mcp', { concurrency: true }, () => {
  for (const [name, args, env] of [
    ['for the local profile', [], local],
    ['as a bridge', ['--url', service.url], remote],
  ] as const) {
    test(`${name} responds to each request that came before standard input ended`, async (t) => {
      const responses = await responsesTo(t, session, [...args], env);
      assert.deepEqual(
        [...responses.keys()].toSorted((a, b) => a - b),
        session.map(([id]) => id),
      );
      assert.equal(responses.get(22).structuredContent.data.status, 'received');
    });

    test(`${name} does not wait for subscriptions when standard input ends`, async (t) => {
      const responses = await responsesTo(t, listening, [...args], env);
      assert.equal(responses.get(2)?.tools?.length ?? 9, 9);
    });
  }

  test('for the local profile hands out a PDF that opens, as a file: nothing serves a link', async (t) => {
    const responses = await responsesTo(t, askForPdf, [], local);
    const { url } = responses.get(2).structuredContent.data;
    assert.match(url, /^file:\/\/\/.*\/data\/resume-[\w-]{8}\.pdf$/);
    assert.equal(JSON.parse(responses.get(3).contents[0].text).url, url);
    assert.equal(readFileSync(new URL(url)).toString('latin1', 0, 5), '%PDF-');
  });

  test('for the local profile hands out the link to a PDF that the profile has', async (t) => {
    const profile = join(newFolder(t), 'profile.yaml');
    const link = 'https://lena.example/resume.pdf';
    writeFileSync(profile, readFileSync(PROFILE, 'utf8').replace('resume:', `resume:\n  pdf_url: ${link}`));
    const responses = await responsesTo(t, askForPdf, [], { ...local, PROFILE: profile });
    assert.deepEqual(responses.get(2).structuredContent.data, { url: link });
  });

  test('for the local profile says so if the PDF cannot be printed, and what to read instead', async (t) => {
    const template = join(newFolder(t), 'template.typ');
    writeFileSync(template, '#oops');
    const responses = await responsesTo(t, askForPdf, [], { ...local, PDF_TEMPLATE: template });
    const message = 'The resume cannot be printed. Use format json to read it.';
    assert.deepEqual(JSON.parse(responses.get(2).content[0].text), { error: { code: 'UNAVAILABLE', message } });
    assert.equal(responses.get(2).isError, true);
  });

  test('for the local profile answers while the PDF is printed, and ends with what prints it on SIGTERM', async (t) => {
    const folder = newFolder(t);
    const template = join(folder, 'endless.typ');
    writeFileSync(template, '#for i in range(1000000) { for j in range(1000000) {} }');
    const program = spawn(process.execPath, [main, 'mcp'], {
      cwd: folder,
      env: { ...inheritedEnv(), ...local, PDF_TEMPLATE: template },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    t.after(() => program.kill('SIGKILL'));
    const ended = once(program, 'exit');
    const output = createInterface(program.stdout);
    const printing = await eventually(
      () => readFileSync(`/proc/${program.pid}/task/${program.pid}/children`, 'utf8').trim() || false,
    );
    for (const [id, method, params] of session.slice(0, 2)) {
      program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      const [line] = await once(output, 'line');
      assert.equal(JSON.parse(line).id, id);
    }
    assert.match(readFileSync(`/proc/${printing}/cmdline`, 'latin1'), /print-process/);
    program.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    assert.throws(() => readFileSync(`/proc/${printing}/cmdline`), { code: 'ENOENT' });
  });

  test('as a bridge accepts the address of the service or of its /mcp', async (t) => {
    for (const url of [service.url, `${service.url}/`, `${service.url}/mcp`, `${service.url}/mcp/`]) {
      const responses = await responsesTo(t, listening, ['--url', url], remote);
      assert.ok(responses.size > 0, url);
    }
  });

  test('as a bridge without a token fails at once, and says how to get one', async (t) => {
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
