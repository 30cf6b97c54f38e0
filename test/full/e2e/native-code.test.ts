import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture } from '../../support/files.ts';
import { eventually, runCommand, startProcess } from '../../support/process.ts';

const hooks = new URL('../../support/without-native-code.ts', import.meta.url);
const env = { NODE_OPTIONS: `--import=${hooks}`, PROFILE: fixture('profile.yaml') };
const remedy = 'install the packages again with npm ci, or npm install, and leave out no optional dependencies';
const platform = `${process.platform}-${process.arch}`;

test('without code for this platform, check and doctor say what cannot be made, and what to do', async (t) => {
  const checked = await runCommand(t, ['check'], env);
  assert.equal(checked.code, 0);
  const lines = [
    `the PDF cannot be rendered: @myriaddreamin/typst-ts-node-compiler has no code for ${platform}; ${remedy}`,
    `the picture of links cannot be drawn: @resvg/resvg-js has no code for ${platform}; ${remedy}`,
  ];
  for (const line of lines) assert.ok(checked.stdout.includes(`warning: ${line}\n`), checked.stdout);
  const { stdout } = await runCommand(t, ['doctor'], env);
  for (const line of [
    `warn  pdf: @myriaddreamin/typst-ts-node-compiler has no code for ${platform}; ${remedy}`,
    `warn  picture: @resvg/resvg-js has no code for ${platform}; ${remedy}`,
  ])
    assert.ok(stdout.split('\n').includes(line), stdout);
});

test('without code for this platform the service serves all else, and logs why there is no PDF', async (t) => {
  const service = await startProcess(t, env);
  const readiness = async () => (await (await fetch(`${service.url}/readyz`)).json()) as Record<string, string>;
  await eventually(async () => (await readiness()).pdf === 'unavailable');
  assert.ok(
    service.lines.some((line) => line.includes(`has no code for ${platform}; ${remedy}`)),
    service.lines.join(),
  );
  const headers = { authorization: `Bearer ${await service.token()}` };
  assert.equal((await fetch(`${service.url}/candidate`, { headers })).status, 200);
});
