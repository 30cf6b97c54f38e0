import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faithOf, importResume, keptOf, resumes } from '../../support/resumes.ts';

test('an import keeps at least 95 % of what a resume says, and more than 90 % of each section', async () => {
  const kept = keptOf(await Promise.all(resumes.map(importResume)));
  assert.ok(kept.at(-1)!.share >= 95, `${kept.at(-1)!.share} %`);
  // Values outside a section count in the sum alone.
  const low = kept.filter(({ section, share }) => section !== 'other' && share <= 90);
  assert.deepEqual(low, []);
});

test('every heading of a resume is printed as it is written there, and all sections are in its order', async () => {
  for (const resume of resumes)
    for (const aspect of ['headings', 'order of sections'] as const) {
      const [kept, values] = faithOf([await importResume(resume)], aspect).split('/');
      assert.equal(kept, values ?? '–', `${resume.name}: ${aspect}`);
    }
});
