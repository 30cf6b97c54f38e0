import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inventedIn } from '../../../test/support/invented.ts';
import { importResume, resumes } from '../../../test/support/resumes.ts';

for (const resume of resumes)
  test(`nothing in the profile of ${resume.name} is invented`, async () => {
    const { profile } = await importResume(resume);
    assert.deepEqual(await inventedIn(profile, resume), []);
  });

test('a text that is invented would be found', async () => {
  const [resume] = resumes;
  const { profile } = await importResume(resume!);
  const planted = { ...profile, candidate: { ...profile.candidate, summary: 'Head of Nothing, Atlantis.' } };
  assert.deepEqual(await inventedIn(planted, resume!), ['Head of Nothing, Atlantis.']);
});
