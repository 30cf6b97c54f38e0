import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { newFolder, resumeFile } from '../../support/files.ts';
import { processName } from '../../support/process.ts';
import { assertPrintedCommandsWork, newCheckout, paste } from '../../support/shell.ts';

suite('Printed commands work as printed', { concurrency: 2 }, () => {
  test('in a checkout, by npm', async (t) => {
    const name = 'npm run --silent cli --';
    const folder = newCheckout(t);
    await assertPrintedCommandsWork(name, folder);

    const imported = await paste(`${name} import '${resumeFile('jsonresume-sample.json')}' --out ada.yaml`, folder);
    const check = imported.stderr.trimEnd().split('\n').at(-1);
    assert.equal(check, `  ${name} check ada.yaml`);
    const document = readFileSync(join(folder, 'ada.yaml'), 'utf8');
    assert.ok(document.includes(`To check it: ${name} check ada.yaml\n`), document);
    await paste(check, folder);
  });

  test('in any other folder, by node', (t) => assertPrintedCommandsWork(processName, newFolder(t)));
});
