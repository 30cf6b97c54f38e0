import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { plain, sample } from '../../../packages/resume-documents/test/pdf/rendered.ts';
import { openPrinter } from '../../../src/adapters/pdf/printer.ts';
import { childrenOf, isRunning } from '../../support/child-processes.ts';
import { fixture, newFolder } from '../../support/files.ts';
import { openTestService } from '../../support/in-process.ts';
import { eventually } from '../../support/process.ts';

/** For tests of something else than these limits. */
const patient = { processorSeconds: 3_600, seconds: 3_600 };

/** Writes a template that takes hours. */
function endlessTemplate(t: TestContext): string {
  const template = join(newFolder(t), 'endless.typ');
  writeFileSync(template, '#for i in range(1000000) { for j in range(1000000) {} }');
  return template;
}

const importOf = (name: string, file: string) =>
  `import { ${name} } from ${JSON.stringify(new URL(`../../../src/adapters/pdf/${file}`, import.meta.url))};\n`;

test('a print that takes too much processor time ends with a reason and its process; the next is printed [TRUST-66]', async (t) => {
  const template = endlessTemplate(t);
  const printer = openPrinter({ ...plain, template }, { ...patient, processorSeconds: 2 });
  t.after(printer.close);
  await assert.rejects(printer.render(sample, '{}'), {
    message: 'it took more than 2 seconds of processor time',
  });
  assert.deepEqual(childrenOf(process.pid), []);
  writeFileSync(template, '#set document(title: "Short")\nShort');
  assert.equal((await printer.render(sample, '{}')).photoFault, null);
});

test('a resume of many pages is previewed within a few seconds of processor time', async (t) => {
  const printer = openPrinter(plain, { ...patient, processorSeconds: 10 });
  t.after(printer.close);
  const jobs = Array.from({ length: 40 }, () => sample.experience).flat();
  const experience = jobs.map((job, index) => ({ ...job, id: `job_${index}` }));
  const { pages, pictures } = await printer.preview({ ...sample, experience });
  assert.deepEqual([pages, pictures.length], [19, 5]);
});

test('a document of Word whose process is killed is told to be unprinted, and is printed again by itself [TRUST-66]', async (t) => {
  const path = join(newFolder(t), 'profile.yaml');
  writeFileSync(path, `${readFileSync(fixture('profile.yaml'), 'utf8')}  downloads: [pdf, docx]\n`);
  const service = await openTestService({ PROFILE: path }, { openPrinter });
  t.after(() => service.close());
  const link = service.opened.links.docx.at(new Date(), null).slice(service.baseUrl.length);
  const asked = service.ask(link);
  process.kill(Number(await eventually(() => childrenOf(process.pid)[0] ?? false)), 'SIGKILL');
  const refused = await asked;
  assert.equal(refused.status, 503);
  const message = 'The resume cannot be printed at the moment.';
  assert.deepEqual(await refused.json(), { error: { code: 'UNAVAILABLE', message } });
  await eventually(async () => (await service.ask(link)).status === 200);
});

test('a service that has no file descriptor left to print with says so, and prints the next time [TRUST-66]', () => {
  const program = `${importOf('openPrinter', 'printer.ts')}
    import { closeSync, openSync } from 'node:fs';
    const print = () => openPrinter(${JSON.stringify(plain)}).render(${JSON.stringify(sample)}, '{}');
    await print();
    const opened = [];
    try {
      for (;;) opened.push(openSync('/dev/null'));
    } catch {}
    await print().catch(({ message }) => console.log(message));
    opened.forEach((fd) => closeSync(fd));
    console.log((await print()).pages);
    process.exit();`;
  const args = ['-c', 'ulimit -n 80 && exec "$@"', 'bash', process.execPath, '--input-type=module', '--eval', program];
  assert.equal(
    execFileSync('bash', args, { encoding: 'utf8' }),
    'the process that prints it cannot be started, by EMFILE\n2\n',
  );
});

test('a process that prints without an end is gone when its time is over if the service is killed [TRUST-66]', async (t) => {
  const style = { ...plain, template: endlessTemplate(t) };
  const program = `${importOf('openPrinter', 'printer.ts')}
    await openPrinter(${JSON.stringify(style)}, { processorSeconds: 5 }).render(${JSON.stringify(sample)}, '{}');`;
  const service = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
  const ended = once(service, 'exit');
  const printing = await eventually(() => childrenOf(service.pid!)[0] ?? false);
  t.after(() => isRunning(printing) && process.kill(Number(printing), 'SIGKILL'));
  // It prints as soon as it has loaded Typst.
  await eventually(() => readFileSync(`/proc/${printing}/maps`, 'utf8').includes('typst'));
  assert.ok(isRunning(printing));
  service.kill('SIGKILL');
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  await eventually(() => !isRunning(printing));
});
