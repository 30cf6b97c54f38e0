import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('the tests find at least 90 % of the changes that Stryker makes to the code', async () => {
  const script = fileURLToPath(new URL('../../scripts/mutation.ts', import.meta.url));
  // It prints its progress, which says that it does not hang.
  const [code] = await once(spawn(process.execPath, [script], { stdio: 'inherit' }), 'exit');
  assert.equal(code, 0);
});
