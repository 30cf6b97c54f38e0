import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importProfile } from '../../src/formats/import/import-profile.ts';
import { themes } from '../../src/model/profile/resume-design.ts';
import { readFixture } from '../formats/import/expected.ts';
import { rendererOf } from './rendered.ts';

test('a resume of two pages takes at most 120 KB in each theme', async () => {
  const { profile } = await importProfile(Buffer.from(readFixture('rendercv-sample.yaml')));
  for (const theme of themes) {
    const { bytes, pages } = await rendererOf({ theme })(profile);
    assert.equal(pages.length, 2, theme);
    assert.ok(bytes.length <= 120_000, `${theme}: ${bytes.length} bytes`);
  }
});
