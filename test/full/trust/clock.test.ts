import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fixture, newFolder } from '../../support/files.ts';
import { startProcess } from '../../support/process.ts';

test('a token from a clock up to a minute ahead or behind is accepted, and one from further ahead is not [TRUST-32]', async (t) => {
  const folder = newFolder(t);
  const clockFile = join(newFolder(t), 'offset');
  const env = { PROFILE: fixture('profile.yaml'), LIMITS: 'off', BASE_URL: 'http://localhost' };
  const shifted = {
    NODE_OPTIONS: `--import=${new URL('../../support/shifted-clock.ts', import.meta.url)}`,
    CLOCK_OFFSET_FILE: clockFile,
  };
  const { url } = await startProcess(t, env, folder);
  const statuses: Record<string, number> = {};
  // 90 s is over a minute even after slow responses.
  for (const seconds of [-60, 60, 90]) {
    writeFileSync(clockFile, String(seconds));
    const off = await startProcess(t, { ...env, ...shifted }, folder);
    const authorization = `Bearer ${await off.token()}`;
    statuses[seconds] = (await fetch(`${url}/candidate`, { headers: { authorization } })).status;
    off.kill('SIGTERM');
    assert.equal(await off.exited(), 0);
  }
  assert.deepEqual(statuses, { 60: 200, 90: 401, '-60': 200 });
});
