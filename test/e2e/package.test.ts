import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newFolder } from '../support/files.ts';
import { assertPrintedCommandsWork, paste, shellEnv } from '../support/shell.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** Calls the client without the modules and globals that browsers lack. */
const asInBrowser = `
  import { isBuiltin, registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      if (isBuiltin(specifier)) throw new Error(specifier + ' is not in a browser');
      return next(specifier, context);
    },
  });
  // Node creates these on first use, with the globals that are deleted below.
  const [log] = [console.log, Request, Headers];
  log('called');
  for (const name of ['Buffer', 'process', 'setImmediate', 'global']) delete globalThis[name];
  const { createClient } = await import('candidate-profile/client');
  const fetch = async ({ url }) => ({ ok: true, json: async () => url });
  log(await createClient({ baseUrl: 'http://127.0.0.1', fetch }).getAvailability());
`;

test('the installed package runs: the program, and the client without Node', async (t) => {
  const folder = newFolder(t);
  // Packed from a copy: packing writes to the folder, which other tests read at the same time.
  const source = join(folder, 'source');
  for (const entry of [
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'src',
    'scripts',
    'examples',
    'profile.schema.json',
  ])
    cpSync(join(root, entry), join(source, entry), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  await run('npm', ['pack', '--pack-destination', folder], { cwd: source });
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  await run('tar', ['xzf', archive], { cwd: folder });
  const installed = join(folder, 'app/node_modules/candidate-profile');
  mkdirSync(join(folder, 'app/node_modules'), { recursive: true });
  renameSync(join(folder, 'package'), installed);
  symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'));

  const bin = join(folder, 'app/node_modules/.bin');
  mkdirSync(bin);
  symlinkSync('../candidate-profile/dist/src/main.js', join(bin, 'candidate-profile'));
  chmodSync(join(installed, 'dist/src/main.js'), 0o755); // as npm does

  const cwd = join(folder, 'app');
  const answered = await run(process.execPath, [join(installed, 'dist/src/main.js'), 'call', 'get_availability'], {
    cwd,
  });
  assert.deepEqual(JSON.parse(answered.stdout), { status: 'open to opportunities' });
  await assertPrintedCommandsWork('candidate-profile', cwd, shellEnv(bin));
  const help = await paste('npx candidate-profile --help', cwd);
  assert.match(help.stdout, /^Usage: npx candidate-profile /);

  const program =
    "import { createClient } from 'candidate-profile/client'; console.log(typeof createClient({ baseUrl: 'http://127.0.0.1' }).getCandidate)";
  const imported = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd });
  assert.equal(imported.stdout, 'function\n');

  const called = await run(process.execPath, ['--input-type=module', '--eval', asInBrowser], { cwd });
  assert.equal(called.stdout, 'called\nhttp://127.0.0.1/contact/availability\n');
});
