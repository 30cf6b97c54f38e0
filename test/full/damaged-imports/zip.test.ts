import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { suite, test } from 'node:test';
import { openZip } from 'resume-import/source/zip';
import { toZipOf } from '../../../packages/resume-import/test/zip-writer.ts';

const skills = 'Name\nAnalysis\n';

suite('A damaged ZIP archive', () => {
  const whole = toZipOf({ 'Skills.csv': skills.repeat(200), 'Languages.csv': 'Name\nEnglish\n', 'x/y.html': '<html>' });
  const read = async (bytes: Buffer) => Promise.all((await openZip(bytes)).map((file) => file.read()));

  test('is refused in one line wherever it is cut off', async () => {
    assert.equal((await read(whole)).length, 3);
    for (let length = 0; length < whole.length; length += 5)
      await assert.rejects(read(whole.subarray(0, length)), /^Error: is a ZIP archive that cannot be read: [^\n]+$/);
  });

  test('is refused in one line if it is noise', async () => {
    const noise = createHash('shake256', { outputLength: 2000 }).update('noise').digest();
    for (let length = 0; length < 2000; length += 50)
      await assert.rejects(
        read(Buffer.concat([Buffer.from('PK\x03\x04'), noise.subarray(0, length)])),
        /^Error: is a ZIP archive that cannot be read: [^\n]+$/,
      );
  });

  test('is read or refused in one line, whichever byte is wrong', async () => {
    for (let index = 0; index < whole.length; index += 3) {
      const bytes = Buffer.from(whole);
      bytes[index]! ^= 0xff;
      await read(bytes).catch(({ message }) => assert.match(message, /^is a ZIP archive [^\p{Cc}]+$/u));
    }
  });
});
