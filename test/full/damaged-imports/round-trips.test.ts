import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { assertRestored } from '../../../packages/resume-import/test/restored.ts';
import { readProfile } from '../../../src/adapters/profile/profile-file.ts';
import { samplePath } from '../../../src/service/config/config.ts';
import { fixture } from '../../support/files.ts';
import { profileOf } from './random-profile.ts';

test('the sample and each profile that was imported come back from JSON Resume as they were', async () => {
  await assertRestored(readProfile(samplePath).profile!);
  const imported = readdirSync(fixture('import')).filter((name) => name.endsWith('.expected.yaml'));
  assert.ok(imported.length > 5);
  for (const name of imported) await assertRestored(readProfile(fixture(`import/${name}`)).profile!, name);
});

test('a profile of any texts, dates and optional keys comes back from JSON Resume as it was', async () => {
  for (let seed = 1; seed <= 100; seed++) await assertRestored(profileOf(seed), `seed ${seed}`);
});
