import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileResponse } from '../../../src/surfaces/rest/files.ts';

const file = { bytes: new TextEncoder().encode('0123456789'), type: 'text/plain', name: 'digits.txt' };
const ask = (range: string) => fileResponse(file, new Request('http://127.0.0.1/', { headers: { range } }));

test('a malformed range is answered with the whole file', async () => {
  for (const other of ['x bytes=5-5', 'bytes=5-5,7-7', 'bytes=5-5x', 'bytes=-', 'bytes=6-5', 'bytes=x']) {
    const response = ask(other);
    assert.deepEqual([response.status, await response.text()], [200, '0123456789'], other);
  }
});

test('the name in ASCII has no hyphens in place of letters that were left out', () => {
  const dispositionOf = (name: string) =>
    fileResponse({ ...file, name }, new Request('http://127.0.0.1/')).headers.get('content-disposition');
  assert.equal(
    dispositionOf('Ada-王-Byron-resume.pdf'),
    `inline; filename="Ada-Byron-resume.pdf"; filename*=UTF-8''Ada-%E7%8E%8B-Byron-resume.pdf`,
  );
  assert.equal(
    dispositionOf('王-明-resume.pdf'),
    `inline; filename="resume.pdf"; filename*=UTF-8''%E7%8E%8B-%E6%98%8E-resume.pdf`,
  );
});
