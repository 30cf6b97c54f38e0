import assert from 'node:assert/strict';
import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isFull } from '../../support/figures.ts';
import { newFolder } from '../../support/files.ts';
import { packPackage, run, runProgram } from '../../support/installed-package.ts';

// `test/release/installed-package.test.ts` installs the package as npm does, which needs the registry.
test('the packed program and its client run with the packages of the checkout', {
  skip: !isFull && 'in full only',
}, async (t) => {
  const folder = newFolder(t);
  await run('tar', ['xzf', await packPackage(folder), '-C', folder]);
  const installed = join(folder, 'candidate-profile');
  renameSync(join(folder, 'package'), installed);
  symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(folder, 'node_modules'));

  const launcher = join(installed, 'bin/candidate-profile.cjs');
  const called = await runProgram(process.execPath, [launcher, 'call', 'get_availability'], folder);
  assert.deepEqual(JSON.parse(called.stdout), { status: 'open to opportunities' });

  const program = `
    import { createClient } from ${JSON.stringify(join(installed, 'dist/src/client.js'))};
    const fetch = async ({ url }) => ({ ok: true, json: async () => url });
    console.log(await createClient({ baseUrl: 'http://127.0.0.1', fetch }).getAvailability());`;
  const { stdout } = await runProgram(process.execPath, ['--input-type=module', '--eval', program], folder);
  assert.equal(stdout, 'http://127.0.0.1/contact/availability\n');
});
