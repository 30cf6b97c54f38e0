import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually, startProcess } from '../process.ts';
import { fixture } from '../service.ts';

const PROFILE = fixture('profile.yaml');
const original = readFileSync(PROFILE, 'utf8');

test('profile.yaml written while the sample is served is taken up', { expectFailure: true }, async (t) => {
  const { url, token, folder } = await startProcess(t);
  const headers = { authorization: `Bearer ${await token()}` };
  const name = async () => ((await (await fetch(`${url}/candidate`, { headers })).json()) as { name: string }).name;
  assert.equal(await name(), 'Dr. Lena Vasquez');
  writeFileSync(join(folder, 'profile.yaml'), original);
  // Within a second, on a machine that does nothing else.
  const deadline = performance.now() + 5_000;
  await eventually(async () => (await name()) === 'Tess Example' || performance.now() > deadline);
  assert.equal(await name(), 'Tess Example');
});
