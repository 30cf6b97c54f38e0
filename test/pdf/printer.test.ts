import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openPrinter } from '../../src/adapters/pdf/printer.ts';
import { openResumeRenderer } from '../../src/adapters/pdf/resume-pdf.ts';
import { newFolder } from '../support/files.ts';
import { startProcess } from '../support/process.ts';
import { plain, sample } from './rendered.ts';

/** Writes a template that takes hours. */
function endlessTemplate(t: TestContext): string {
  const template = join(newFolder(t), 'endless.typ');
  writeFileSync(template, '#for i in range(1000000) { for j in range(1000000) {} }');
  return template;
}

/** The processes that this one has started and that have not ended. */
const childrenOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);

test('a resume is printed by a process of its own, which has ended when the PDF is there', async (t) => {
  const printer = openPrinter(plain, { seconds: 60 });
  t.after(printer.close);
  const { pdf, missingGlyphs, photoFault } = await printer.render(sample, '{}');
  assert.deepEqual([missingGlyphs, photoFault], [[], null]);
  assert.deepEqual(Buffer.from(pdf), Buffer.from((await openResumeRenderer(plain)(sample, '{}')).pdf));
  assert.deepEqual(childrenOf(process.pid), []);
});

test('a resume that takes too long to be printed ends with a reason, its process with it, and the next is printed [TRUST-66]', async (t) => {
  const template = endlessTemplate(t);
  const printer = openPrinter({ ...plain, template }, { seconds: 2 });
  t.after(printer.close);
  await assert.rejects(printer.render(sample, '{}'), {
    message: 'it took more than 2 seconds; shorten the profile, or simplify PDF_TEMPLATE',
  });
  assert.deepEqual(childrenOf(process.pid), []);
  writeFileSync(template, '#set document(title: "Short")\nShort');
  assert.equal((await printer.render(sample, '{}')).photoFault, null);
});

test('a reason for which a resume cannot be printed, or the end of the process that prints it, is an error [TRUST-66]', async (t) => {
  const template = join(newFolder(t), 'wrong.typ');
  writeFileSync(template, '#oops');
  const printer = openPrinter({ ...plain, template }, { seconds: 60 });
  t.after(printer.close);
  await assert.rejects(printer.render(sample, '{}'), { message: 'wrong.typ:1:2: unknown variable: oops' });
  const endless = openPrinter({ ...plain, template: endlessTemplate(t) }, { seconds: 60 });
  t.after(endless.close);
  const printed = endless.render(sample, '{}');
  process.kill(Number(childrenOf(process.pid)[0]), 'SIGKILL');
  await assert.rejects(printed, { message: 'the process that prints it ended by SIGKILL' });
});

test('while a resume is printed that takes hours, the service answers, and ends when it is told to [TRUST-66]', async (t) => {
  const service = await startProcess(t, { PDF_TEMPLATE: endlessTemplate(t) });
  for (const path of ['/healthz', '/readyz']) assert.equal((await fetch(service.url + path)).status, 200);
  assert.equal(childrenOf(service.pid).length, 1);
  const printing = childrenOf(service.pid)[0]!;
  service.kill('SIGTERM');
  assert.equal(await service.exited(), 0);
  assert.throws(() => readFileSync(`/proc/${printing}/stat`), { code: 'ENOENT' });
});
