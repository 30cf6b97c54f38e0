import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { rendererOf, sample } from '../../../packages/resume-documents/test/pdf/rendered.ts';
import { fixture, newFolder } from '../../support/files.ts';
import { runCommand } from '../../support/process.ts';

/** A profile with a summary. */
function writeProfile(t: TestContext, summary: string): string {
  const file = join(newFolder(t), 'profile.yaml');
  writeFileSync(file, readFileSync(fixture('profile.yaml'), 'utf8').replace('Builds things that last.', summary));
  return file;
}

// The library that writes the PDF ends the process at a word of more than 65,535 bytes.
test('a word too long for the PDF writer does not end the process: check warns of it', async (t) => {
  // A profile can have such a word only in a script without spaces.
  for (const word of ['漢'.repeat(25_000), 'ก'.repeat(30_000)]) {
    const { code, stdout } = await runCommand(t, ['check', writeProfile(t, word)]);
    assert.equal(code, 0);
    assert.ok(
      stdout.includes('warning: the PDF cannot be rendered: a word is longer than 60000 bytes\n'),
      stdout.slice(0, 500),
    );
  }
});

// The library that shapes words ends the process at a syllable of more than 255 characters.
test('a word of hundreds of joined Indic letters does not end the process, and an ordinary text is printed', async (t) => {
  for (const word of ['क्'.repeat(300), `क${'ि'.repeat(300)}`]) {
    const { code, stdout } = await runCommand(t, ['check', writeProfile(t, word)]);
    assert.equal(code, 0);
    const warning = 'warning: the PDF cannot be rendered: a word of an Indic script is longer than 200 characters\n';
    assert.ok(stdout.includes(warning), stdout.slice(0, 500));
  }
  const { stdout } = await runCommand(t, ['check', writeProfile(t, 'नई दिल्ली, भारत।'.repeat(40))]);
  assert.doesNotMatch(stdout, /the PDF/);
});

test('a number with a hyphen is not divided at its comma or after its sign', async () => {
  const render = rendererOf();
  // At some length of the text before it, each sign of the word would be the last of a line.
  for (const word of ['1,000-bed', '$18-million', '2.5-fold'])
    for (let letters = 1; letters <= 12; letters += 1) {
      const before = `${'word '.repeat(18)}${'i'.repeat(2 * letters)}`;
      const { pages } = await render({
        ...sample,
        candidate: { ...sample.candidate, summary: `${before} ${word} and more words` },
      });
      assert.ok(
        pages[0]!.lines.some((line) => line.includes(word)),
        `${word} after ${letters}`,
      );
    }
});
