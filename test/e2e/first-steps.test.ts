import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually, startProcess } from '../process.ts';
import { fixture } from '../service.ts';

const PROFILE = fixture('profile.yaml');
const original = readFileSync(PROFILE, 'utf8');

test('profile.yaml written while the sample is served is taken up', async (t) => {
  const { url, token, folder } = await startProcess(t);
  const headers = { authorization: `Bearer ${await token()}` };
  const name = async () => ((await (await fetch(`${url}/candidate`, { headers })).json()) as { name: string }).name;
  assert.equal(await name(), 'Dr. Lena Vasquez');
  writeFileSync(join(folder, 'profile.yaml'), original);
  await eventually(async () => (await name()) === 'Tess Example');
});

test('while profile.yaml has a fault the sample goes on; once taken up it is followed like any profile', async (t) => {
  const { url, token, folder, lines } = await startProcess(t);
  const headers = { authorization: `Bearer ${await token()}` };
  const get = async (path: string) =>
    (await (await fetch(url + path, { headers })).json()) as { name: string; profile: string };
  const isProfile = (state: string) => eventually(async () => (await get('/readyz')).profile === state);
  const file = join(folder, 'profile.yaml');

  writeFileSync(file, original.replace('id: cand_test', 'id: 1'));
  await isProfile('stale');
  assert.equal((await get('/candidate')).name, 'Dr. Lena Vasquez');
  assert.deepEqual(lines.map((line) => JSON.parse(line)).find(({ level }) => level === 'error')?.faults, [
    `${file}:4:7: candidate.id: must be a string`,
  ]);

  writeFileSync(file, original);
  await isProfile('ok');
  assert.equal((await get('/candidate')).name, 'Tess Example');

  rmSync(file);
  await isProfile('stale');
  assert.equal((await get('/candidate')).name, 'Tess Example');
});
