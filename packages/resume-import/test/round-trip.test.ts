import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importResume } from 'resume-import/import-resume';
import { toJsonResume } from 'resume-profile/json-resume';
import { readProfileAt } from './corpus.ts';
import { assertRestored } from './restored.ts';

test('a profile with every key comes back from JSON Resume as it was', async () => {
  await assertRestored(readProfileAt('examples/every-section.yaml'));
});

test('a company whose dates are wider than those of its roles keeps them through JSON Resume', async () => {
  const small = readProfileAt('test/fixtures/profile.yaml');
  const [now, past] = small.experience;
  const tenures = [
    { ...now!, company_start_date: '2018-06-01' },
    { ...past!, company_start_date: '2012-01-01', company_end_date: '2018-06-15' },
  ];
  const exported = toJsonResume({ ...small, experience: tenures }, '1.0.0');
  const { profile: back } = await importResume(Buffer.from(JSON.stringify(exported)));
  assert.deepEqual(
    back.experience.map((entry) => [entry.id, entry.company_start_date, entry.company_end_date, entry.current]),
    [
      ['exp_now', '2018-06-01', null, true],
      ['exp_past', '2012-01-01', '2018-06-15', false],
    ],
  );
});
