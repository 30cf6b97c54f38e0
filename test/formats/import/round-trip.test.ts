import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readProfile } from '../../../src/adapters/profile/profile-file.ts';
import { toJsonResume } from '../../../src/formats/export/json-resume.ts';
import { importProfile } from '../../../src/formats/import/import-profile.ts';
import type { Profile } from '../../../src/model/profile-document.ts';
import { newFolder } from '../../support/process.ts';
import { fixture } from '../../support/service.ts';

/** What comes back of a profile that was exported as JSON Resume and imported again. */
async function throughJsonResume(t: Parameters<typeof newFolder>[0], profile: Profile): Promise<Profile> {
  const path = join(newFolder(t), 'resume.json');
  writeFileSync(path, JSON.stringify(toJsonResume(profile, '1.0.0')));
  return (await importProfile(path, '2026-11-21')).profile;
}

const sample = readProfile(fileURLToPath(new URL('../../../examples/profile.yaml', import.meta.url))).profile!;
const small = readProfile(fixture('profile.yaml')).profile!;

test('the sample comes back whole but for the address that only the service writes to', async (t) => {
  const { owner_email: _, ...expected } = sample;
  const { owner_email: __, ...back } = await throughJsonResume(t, sample);
  assert.deepEqual(back, expected);
});

test('a stay that is longer than its roles keeps its own dates', async (t) => {
  const [now, past] = small.experience;
  const stays = [
    { ...now!, company_start_date: '2018-06-01' },
    { ...past!, company_start_date: '2012-01-01', company_end_date: '2018-06-15' },
  ];
  const back = await throughJsonResume(t, { ...small, experience: stays });
  assert.deepEqual(
    back.experience.map((entry) => [entry.id, entry.company_start_date, entry.company_end_date, entry.current]),
    [
      ['exp_now', '2018-06-01', null, true],
      ['exp_past', '2012-01-01', '2018-06-15', false],
    ],
  );
});
