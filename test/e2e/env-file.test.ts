import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fixture, newFolder } from '../support/files.ts';
import { runCommand } from '../support/process.ts';

const PROFILE = fixture('profile.yaml');

test('every command warns about a misspelled setting and a line that sets nothing, without their values', async (t) => {
  const folder = newFolder(t);
  writeFileSync(
    join(folder, '.env'),
    ['# Mail', 'SMTP_ULR=smtp://me:secret@mail.example.org', `PROFILE=${PROFILE}`, 'secret'].join('\n'),
  );
  for (const args of [['openapi'], ['call', 'get_candidate'], ['--version']]) {
    const { code, stderr } = await runCommand(t, args, {}, folder);
    assert.deepEqual(stderr.trimEnd().split('\n'), [
      '.env:2: warning: SMTP_ULR is not a setting; did you mean SMTP_URL?',
      '.env:4: warning: is not NAME=VALUE, and is ignored',
    ]);
    assert.equal(code, 0);
  }
});
