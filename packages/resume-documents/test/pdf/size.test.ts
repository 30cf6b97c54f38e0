import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importResume } from 'resume-import/import-resume';
import { themes } from 'resume-profile/resume-design';
import { readFixture } from '../../../resume-import/test/corpus.ts';
import { rendererOf } from './rendered.ts';

test('a resume of two pages takes at most 120 KB in each theme', async () => {
  const { profile } = await importResume(Buffer.from(readFixture('rendercv-sample.yaml')));
  for (const theme of themes) {
    const { bytes, pages } = await rendererOf({ theme })(profile);
    assert.equal(pages.length, 2, theme);
    assert.ok(bytes.length <= 120_000, `${theme}: ${bytes.length} bytes`);
  }
});
