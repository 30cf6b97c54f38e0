import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openUploadFile } from '../../../src/adapters/upload-file.ts';

test('an upload that cannot be stored is a failure that the owner is told of', async () => {
  const { write, written, close } = openUploadFile('/dev/null/uploads');
  await assert.rejects(write(Buffer.from('x')), { code: 'UNAVAILABLE' });
  await close();
  await assert.rejects(written());
});
