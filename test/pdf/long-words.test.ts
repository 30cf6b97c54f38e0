import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fixture, newFolder } from '../support/files.ts';
import { runCommand } from '../support/process.ts';

// The library that writes the PDF ends the process at a word of more than 65,535 bytes.
test('a word too long for the PDF writer does not end the process: check warns that the PDF cannot be rendered', async (t) => {
  const file = join(newFolder(t), 'profile.yaml');
  for (const word of ['ж'.repeat(60_000), `a${'\u200b'.repeat(30_000)}`]) {
    writeFileSync(file, readFileSync(fixture('profile.yaml'), 'utf8').replace('Lisbon', word));
    const { code, stdout } = await runCommand(t, ['check', file]);
    assert.equal(code, 0);
    assert.ok(
      stdout.includes('warning: the PDF cannot be rendered: a word is longer than 60000 bytes\n'),
      stdout.slice(0, 500),
    );
  }
});
