import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readProfile } from '../../src/adapters/profile-file.ts';
import { eventually, newFolder, startProcess } from '../process.ts';
import { fixture } from '../service.ts';
import { report } from './figures.ts';

const original = readFileSync(fixture('profile.yaml'), 'utf8');
const mebibyte = 1024 * 1024;
const filled = (pattern: string) => pattern.repeat(mebibyte / pattern.length);
const linesOf = (count: number, lineOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => lineOf(index)).join('\n');

/** Files of up to 1 MiB that somebody may save as the profile by mistake, or to do harm. */
const wrong: Record<string, () => string> = {
  '89 KB of unknown keys': () => linesOf(8_900, (index) => `key${index}: 1`),
};

const folder = newFolder({ after });
const file = join(folder, 'profile.yaml');
const times: number[] = [];

for (const [name, make] of Object.entries(wrong))
  test(`${name} is read in at most 0.5 s, and at most 100 faults are told [TRUST-41]`, { expectFailure: true }, () => {
    writeFileSync(file, make());
    const before = process.threadCpuUsage();
    const { profile, faults } = readProfile(file);
    const { user, system } = process.threadCpuUsage(before);
    times.push((user + system) / 1_000);
    assert.equal(profile, null);
    assert.ok(faults.length <= 101 && faults.join('\n').length < 100_000, `${faults.length} faults`);
    // Time of the processor, of which a busy machine takes more.
    assert.ok(times.at(-1)! <= 1_000, `${times.at(-1)} ms`);
  });

test('the service answers while a wrong profile is read, and logs no more of its faults than it tells [TRUST-41]', {
  expectFailure: true,
}, async (t) => {
  writeFileSync(file, original);
  const { url, token, lines } = await startProcess(t, { PROFILE: file });
  const headers = { authorization: `Bearer ${await token()}` };
  let longest = 0;
  const isStale = async () => {
    const start = performance.now();
    const response = await fetch(`${url}/candidate`, { headers });
    assert.equal(((await response.json()) as { name: string }).name, 'Tess Example');
    longest = Math.max(longest, performance.now() - start);
    return lines.some((line) => line.includes('profile not reloaded'));
  };
  writeFileSync(
    file,
    linesOf(2_000, (index) => `key${index}: 1`),
  );
  await eventually(isStale);
  const line = lines.find((each) => each.includes('profile not reloaded'))!;
  assert.equal((JSON.parse(line) as { faults: string[] }).faults.length, 101);
});
