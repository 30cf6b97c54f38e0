import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fixture, newFolder } from '../support/files.ts';
import { eventually, runCommand, startService } from '../support/process.ts';

const PROFILE = fixture('profile.yaml');
const original = readFileSync(PROFILE, 'utf8');

test('profile.yaml replaces the sample as soon as it is valid, and is then reloaded as any profile', async (t) => {
  const { url, token, folder, lines } = await startService(t);
  const headers = { authorization: `Bearer ${await token()}` };
  const get = async (path: string) =>
    (await (await fetch(url + path, { headers })).json()) as { name: string; profile: string };
  const isProfile = (state: string) => eventually(async () => (await get('/readyz')).profile === state);
  const file = join(folder, 'profile.yaml');

  writeFileSync(file, original.replace('id: cand_test', 'id: [1]'));
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

/** The warnings in the log so far. */
const warningsIn = (lines: readonly string[]) =>
  lines.map((line) => JSON.parse(line)).flatMap(({ level, msg }) => (level === 'warn' ? [msg] : []));

test('a service that others can reach warns at its start if only this machine can reach its BASE_URL', async (t) => {
  const env = { PROFILE, HOST: '0.0.0.0', OWNER_EMAIL: 'owner@lenavasquez.dev' };
  const { url, lines, printed } = await startService(t, env);
  const warningAt = (baseUrl: string) =>
    `other machines can connect (HOST=0.0.0.0), but not open addresses that begin with ${baseUrl}; set BASE_URL to the public address`;
  const warning = warningAt(url.replace('0.0.0.0', '127.0.0.1'));
  await eventually(() => warningsIn(lines).length > 0);
  assert.deepEqual(warningsIn(lines), [warning]);
  assert.ok(printed.includes(`  Warning  ${warning}`), printed.join('\n'));
  const { code, stdout } = await runCommand(t, ['doctor'], env);
  assert.ok(stdout.includes(`warn  address: ${warningAt('http://127.0.0.1:3000')}\n`), stdout);
  assert.equal(code, 0);
});

test('an owner address at an example domain gets a warning from serve, doctor and check', async (t) => {
  const { lines } = await startService(t);
  const found = 'notices reach nobody: example.org is an example domain that receives no mail';
  const warning = `${found}; set OWNER_EMAIL, or owner_email in the profile`;
  await eventually(() => warningsIn(lines).length > 0);
  assert.deepEqual(warningsIn(lines), [warning]);
  const doctor = await runCommand(t, ['doctor']);
  assert.ok(doctor.stdout.includes(`warn  profile: ${warning}\n`), doctor.stdout);
  const check = await runCommand(t, ['check']);
  assert.match(
    check.stdout,
    /\n?.+:10:14: warning: owner_email: example\.org is an example domain that receives no mail\n/,
  );
  assert.deepEqual([doctor.code, check.code], [0, 0]);
});

test('doctor fails what the start refuses if others can connect, and only warns of it otherwise', async (t) => {
  const folder = newFolder(t);
  const file = join(folder, 'profile.yaml');
  writeFileSync(file, original.replace(/^ {2}name: .*$/m, '  name: ""'));
  const profileLines = async (env: Record<string, string>) =>
    (await runCommand(t, ['doctor'], env, folder)).stdout.split('\n').filter((line) => / {2}profile: /.test(line));
  const found = (level: string) => [
    `ok    profile: ${file} is valid`,
    `${level}  profile: notices reach nobody: example.org is an example domain that receives no mail; set OWNER_EMAIL, or owner_email in the profile`,
    `${level}  profile: visitors see no name; write candidate.name in the profile`,
  ];
  assert.deepEqual(await profileLines({}), found('warn'));
  assert.deepEqual(await profileLines({ HOST: '0.0.0.0' }), found('fail'));
  assert.deepEqual(await profileLines({ HOST: '0.0.0.0', ALLOW_SAMPLE: 'true' }), found('warn'));
});
