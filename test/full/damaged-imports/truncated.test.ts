import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importResume } from 'resume-import/import-resume';
import { readFixture } from '../../../packages/resume-import/test/corpus.ts';

const refusalOf = (bytes: Buffer) =>
  importResume(bytes).then(
    () => null,
    (error: Error) => error.message,
  );

test('a JSON resume that was cut off is refused in one line', async () => {
  const whole = Buffer.from(readFixture('reactive-resume-4.json').trimEnd());
  for (let length = 20; length < whole.length; length += 97)
    assert.match((await refusalOf(whole.subarray(0, length)))!, /^is neither JSON nor YAML: line \d+: .+$/);
});

test('a YAML resume that was cut off is imported up to there, or refused in one line', async () => {
  const whole = Buffer.from(readFixture('rendercv-hard.yaml'));
  for (let length = 200; length < whole.length; length += 97)
    assert.match(
      (await refusalOf(whole.subarray(0, length))) ?? '',
      /^$|^is neither JSON nor YAML: line \d+: .+$|^is a RenderCV file without sections/,
    );
});

test('a resume that is partly overwritten is imported or refused in one line', async () => {
  const whole = Buffer.from(readFixture('jsonresume-legacy.json'));
  for (let length = 1; length < whole.length; length += 97) {
    const damaged = Buffer.from(whole);
    damaged.set(whole.subarray(0, 3), length);
    for (const bytes of [whole.subarray(0, length), damaged, whole.subarray(length)])
      assert.match((await refusalOf(bytes)) ?? '', /^$|^(is|holds|cannot) .+$/);
  }
});
