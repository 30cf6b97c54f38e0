import assert from 'node:assert/strict';
import { readSync, writeSync } from 'node:fs';
import { test } from 'node:test';
import { openUploadFile } from '../../../src/adapters/upload-file.ts';
import { newFolder } from '../../support/files.ts';

test('an upload that cannot be stored is a failure that the owner is told of', async () => {
  const { write, written, close } = openUploadFile('/dev/null/uploads');
  await assert.rejects(write(Buffer.from('x')), { code: 'UNAVAILABLE' });
  await close();
  await assert.rejects(written());
});

test('the process that reads an upload gets a file that it cannot write', async (t) => {
  const { write, written, close } = openUploadFile(newFolder(t));
  t.after(close);
  await write(Buffer.from('resume'));
  const { descriptor, length } = (await written())!;
  const content = Buffer.alloc(length);
  readSync(descriptor, content);
  assert.equal(String(content), 'resume');
  assert.throws(() => writeSync(descriptor, 'x'), { code: 'EBADF' });
});
