import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toJsonResume } from 'resume-documents/json-resume';
import { importProfile } from 'resume-import/import-resume';
import { readProfile } from '../../../src/adapters/profile/profile-file.ts';
import { everySectionPath, fixture } from '../../../test/support/files.ts';
import { assertRestored } from './restored.ts';

const whole = readProfile(everySectionPath).profile!;

test('a profile with every key comes back from JSON Resume as it was', async () => {
  await assertRestored(whole);
});

test('references that are not printed stay with the owner', async () => {
  const references = { ...whole.resume.references!, print: false };
  const exported = JSON.stringify(toJsonResume({ ...whole, resume: { ...whole.resume, references } }, '1.0.0'));
  const { profile } = await importProfile(Buffer.from(exported));
  assert.equal(profile.resume.references, undefined);
});

test('a company whose dates are wider than those of its roles keeps them through JSON Resume', async () => {
  const small = readProfile(fixture('profile.yaml')).profile!;
  const [now, past] = small.experience;
  const tenures = [
    { ...now!, company_start_date: '2018-06-01' },
    { ...past!, company_start_date: '2012-01-01', company_end_date: '2018-06-15' },
  ];
  const exported = toJsonResume({ ...small, experience: tenures }, '1.0.0');
  const { profile: back } = await importProfile(Buffer.from(JSON.stringify(exported)));
  assert.deepEqual(
    back.experience.map((entry) => [entry.id, entry.company_start_date, entry.company_end_date, entry.current]),
    [
      ['exp_now', '2018-06-01', null, true],
      ['exp_past', '2012-01-01', '2018-06-15', false],
    ],
  );
});

test('nothing of our own export is lost', async () => {
  const { lossReport } = await importProfile(Buffer.from(JSON.stringify(toJsonResume(whole, '1.0.0'))));
  assert.deepEqual(
    lossReport.notCarriedOver.filter(({ isContent }) => isContent !== false),
    [],
  );
});
