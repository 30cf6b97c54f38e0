import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { bundleCode } from '../../../scripts/bundle/code.ts';

test('the script of the editor is one file of at most 70 kB, compressed', async (t) => {
  const input = 'src/surfaces/web/desk/editor/client/main.ts';
  const [chunk, ...others] = await bundleCode({ input, platform: 'browser' }, { minify: true });
  const { length } = gzipSync(chunk!.code, { level: 9 });
  t.diagnostic(`${length} bytes`);
  assert.deepEqual([others, chunk!.imports], [[], []]);
  assert.ok(length <= 70_000, `${length} bytes`);
});
