import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openResumeRenderer } from 'resume-documents/pdf/resume-pdf';
import { plain, sample } from '../../../packages/resume-documents/test/pdf/rendered.ts';
import { openPrinter } from '../../../src/adapters/pdf/printer.ts';
import { childrenOf } from '../../support/child-processes.ts';
import { newFolder } from '../../support/files.ts';
import { eventually, startProcess } from '../../support/process.ts';

/** For tests of something else than these limits. */
const patient = { processorSeconds: 3_600, seconds: 3_600 };

/** Writes a template that takes hours. */
function endlessTemplate(t: TestContext): string {
  const template = join(newFolder(t), 'endless.typ');
  writeFileSync(template, '#for i in range(1000000) { for j in range(1000000) {} }');
  return template;
}

test('a resume is printed by a process of its own, which has ended when the PDF is there', async (t) => {
  const printer = openPrinter(plain, patient);
  t.after(printer.close);
  const { pdf, missingGlyphs, photoFault } = await printer.render(sample, '{}');
  assert.deepEqual([missingGlyphs, photoFault], [[], null]);
  const here = await openResumeRenderer(plain)(sample, '{}');
  assert.equal(hash('sha256', pdf), hash('sha256', here.pdf));
  assert.deepEqual(childrenOf(process.pid), []);
});

test('a reason for which a resume cannot be printed, or the end of the process that prints it, is an error [TRUST-66]', async (t) => {
  const template = join(newFolder(t), 'wrong.typ');
  writeFileSync(template, '#oops');
  const printer = openPrinter({ ...plain, template }, patient);
  t.after(printer.close);
  await assert.rejects(printer.render(sample, '{}'), { message: 'wrong.typ:1:2: unknown variable: oops' });
  const endless = openPrinter({ ...plain, template: endlessTemplate(t) }, patient);
  t.after(endless.close);
  const printed = endless.render(sample, '{}');
  process.kill(Number(childrenOf(process.pid)[0]), 'SIGKILL');
  await assert.rejects(printed, {
    message: 'the process that prints it was killed, as Linux does when memory runs out; try again',
  });
});

test('while a resume is printed that takes hours, the service answers, and ends when it is told to [TRUST-66]', async (t) => {
  const service = await startProcess(t, { PDF_TEMPLATE: endlessTemplate(t) });
  for (const path of ['/healthz', '/readyz']) assert.equal((await fetch(service.url + path)).status, 200);
  await eventually(() => childrenOf(service.pid).length === 1);
  const printing = childrenOf(service.pid)[0]!;
  service.kill('SIGTERM');
  assert.equal(await service.exited(), 0);
  assert.throws(() => readFileSync(`/proc/${printing}/stat`), { code: 'ENOENT' });
});
