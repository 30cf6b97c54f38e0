import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProfile } from '../../../src/adapters/profile/profile-file.ts';
import { toJsonResume } from '../../../src/formats/export/json-resume.ts';
import { importProfile } from '../../../src/formats/import/import-profile.ts';
import { fixture } from '../../support/files.ts';

const small = readProfile(fixture('profile.yaml')).profile!;

test('a company whose dates are wider than those of its roles keeps them through JSON Resume', async () => {
  const [now, past] = small.experience;
  const tenures = [
    { ...now!, company_start_date: '2018-06-01' },
    { ...past!, company_start_date: '2012-01-01', company_end_date: '2018-06-15' },
  ];
  const exported = toJsonResume({ ...small, experience: tenures }, '1.0.0');
  const { profile: back } = await importProfile(Buffer.from(JSON.stringify(exported)), '2026-11-21');
  assert.deepEqual(
    back.experience.map((entry) => [entry.id, entry.company_start_date, entry.company_end_date, entry.current]),
    [
      ['exp_now', '2018-06-01', null, true],
      ['exp_past', '2012-01-01', '2018-06-15', false],
    ],
  );
});
