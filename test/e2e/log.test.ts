import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import { type Cleanup, fixture, newFolder } from '../support/files.ts';
import { openPipe } from '../support/pipe.ts';
import { eventually, inheritedEnv, main, runCommand, startProcess } from '../support/process.ts';

const PROFILE = fixture('profile.yaml');
const logModule = new URL('../../src/service/log.ts', import.meta.url).href;

/** Starts node with stderr in a file or pipe, as `2>>` does. */
function startNode(t: Cleanup, args: readonly string[], stderr: string) {
  const fd = openSync(stderr, 'a');
  const env = { ...inheritedEnv(), PROFILE, PORT: '0', LIMITS: 'off' };
  const child = spawn(process.execPath, args, { cwd: newFolder(t), env, stdio: ['ignore', 'pipe', fd] });
  closeSync(fd);
  t.after(() => void child.kill('SIGKILL'));
  return Object.assign(child, { ended: once(child, 'close') });
}

async function startService(t: Cleanup, stderr: string) {
  const service = startNode(t, [main, 'serve'], stderr);
  const [line] = (await once(createInterface(service.stdout!), 'line')) as [string];
  return Object.assign(service, { url: line.replace('Listening on ', '') });
}

/** Asks for the candidate without a token, which is logged. Returns the status and the id of the request. */
async function ask(url: string) {
  const { status, headers } = await fetch(`${url}/candidate`);
  return { status, request: headers.get('x-request-id') };
}

const messagesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).msg);

/** Returns the arguments with which node runs a script that has a log. */
const toArguments = (script: string) => [
  '--input-type=module',
  '--eval',
  `import { openLog } from '${logModule}'; const log = openLog('info', 'json'); ${script}`,
];

suite('The log', { concurrency: 2 }, () => {
  test('has a line for each call as for any other event', async (t) => {
    const call = `{ operation: 'get_candidate', surface: 'rest', caller: 'a "b" ✓', code: 'OK', milliseconds: 0.125 }`;
    for (const record of [call, call.replace('}', ", request: 'request-1' }")]) {
      const file = join(newFolder(t), 'log');
      await startNode(t, toArguments(`log.call(${record}); log.info(${record}, 'call');`), file).ended;
      const [own, usual] = readFileSync(file, 'utf8')
        .replace(/"time":"[^"]+"/g, '"time":""')
        .split('\n');
      assert.equal(own, usual);
      assert.match(own!, /^\{"level":"info","time":"","operation":"get_candidate",.*"msg":"call"\}$/);
    }
    const file = join(newFolder(t), 'log');
    await startNode(t, toArguments(`openLog('warn', 'json').call(${call});`), file).ended;
    assert.equal(readFileSync(file, 'utf8'), '');
  });

  for (const [name, fault] of [
    ['an uncaught exception', "() => { throw new Error('unforeseen'); }"],
    ['an unhandled rejection', "() => void Promise.reject(new Error('unforeseen'))"],
  ] as const)
    test(`has a line for ${name}, after those of earlier calls`, async (t) => {
      const preload = `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', ${fault})`)}`;
      const service = await startProcess(t, { PROFILE, NODE_OPTIONS: `--import=${preload}` });
      const { request } = await ask(service.url);
      service.kill('SIGUSR2');
      assert.equal(await service.exited(), 1);
      const at = service.lines.findIndex((line) => line.includes('"fatal"'));
      const [call, fatal] = service.lines.slice(at - 1, at + 1).map((line) => JSON.parse(line));
      assert.equal(call.request, request);
      assert.deepEqual([fatal.level, fatal.msg, fatal.err.message], ['fatal', 'uncaught error', 'unforeseen']);
      assert.match(fatal.err.stack, /^Error: unforeseen\n {4}at /);
    });

  test('has an error that is logged immediately before SIGKILL, and what was logged before it', async (t) => {
    const file = join(newFolder(t), 'log');
    const script = `
      log.info('first');
      log.error('second');
      log.info('third');
      process.kill(process.pid, 'SIGKILL');`;
    await startNode(t, toArguments(script), file).ended;
    assert.deepEqual(messagesOf(readFileSync(file, 'utf8')), ['first', 'second']);
  });

  test('is complete if its pipe is read only when the process exits', async (t) => {
    const path = join(newFolder(t), 'pipe');
    execFileSync('mkfifo', [path]);
    const script = `
      process.once('exit', () => process.getBuiltinModule('fs').writeSync(1, 'exits\\n'));
      for (let index = 0; index < 1_000; index += 1) log.info('x'.repeat(200));
      process.exit();`;
    // The shell reads the pipe as soon as the program has written to its standard output.
    const reading = '"$@" 2<>"$0" | { read -r line; cat "$0"; }';
    const { stdout } = await promisify(execFile)(
      'sh',
      ['-c', reading, path, process.execPath, ...toArguments(script)],
      { timeout: 60_000 },
    );
    assert.equal(messagesOf(stdout).length, 1_000);
  });

  test('of a start that fails precedes the reason', async (t) => {
    const server = createServer().listen(0, '127.0.0.1');
    t.after(() => void server.close());
    await once(server, 'listening');
    const METRICS_PORT = String((server.address() as AddressInfo).port);
    const env = { PROFILE, PORT: '0', METRICS_PORT, OWNER_EMAIL: 'owner@example.org' };
    const { code, stderr } = await runCommand(t, ['serve'], env);
    const [line, ...others] = stderr.trimEnd().split('\n');
    const { level, msg } = JSON.parse(line!);
    assert.match(`${level}: ${msg}`, /^warn: notices reach nobody/);
    assert.deepEqual([others.length, others[0]?.startsWith('METRICS_PORT: ')], [1, true]);
    assert.equal(code, 1);
  });

  test('does not stop the service while nobody reads its pipe; the lines arrive when it is read', async (t) => {
    const pipe = openPipe(t);
    pipe.fill();
    const { url } = await startService(t, pipe.path);
    const asked = await Promise.all(Array.from({ length: 50 }, () => ask(url)));
    assert.deepEqual(new Set(asked.map(({ status }) => status)), new Set([401]));
    let text = '';
    await eventually(() => {
      text += pipe.read();
      return asked.every(({ request }) => text.includes(`"request":"${request}"`));
    });
  });

  test('does not keep the service from ending while nobody reads its pipe', async (t) => {
    const pipe = openPipe(t);
    pipe.fill();
    const service = await startService(t, pipe.path);
    await ask(service.url);
    service.kill('SIGTERM');
    assert.deepEqual(await service.ended, [0, null]);
  });
});
