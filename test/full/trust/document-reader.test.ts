import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, readlinkSync, writeSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { documentPath } from '../../../packages/resume-import/test/documents.ts';
import { toZipOf } from '../../../packages/resume-import/test/zip-writer.ts';
import { openDocumentReader, openResumeReader } from '../../../src/adapters/document/document-reader.ts';
import { childrenOf } from '../../support/child-processes.ts';
import { newFolder } from '../../support/files.ts';
import { pdfOf } from '../../support/pdf-of.ts';
import { eventually } from '../../support/process.ts';

const line = (text: string) => Buffer.from(`BT /F 12 Tf 72 700 Td (${text}) Tj ET`);

/** For tests of something else than these limits. */
const patient = { processorSeconds: 3_600, seconds: 3_600 };
const { read } = openDocumentReader(patient);

test('a document is read by a process of its own, which has ended when the text is there [TRUST-76]', async () => {
  const document = await read(pdfOf(line('Ada Lovelace')));
  assert.equal(document.kind === 'PDF' && document.pages[0]!.runs[0]!.text, 'Ada Lovelace');
  assert.deepEqual(childrenOf(process.pid), []);
});

test('a process that reads a document has its code and 20 s of the processor, no folder and no variable [TRUST-76]', async () => {
  const reading = openDocumentReader().read(pdfOf(Buffer.from(line('word ').toString().repeat(10_000))));
  const [child] = childrenOf(process.pid);
  const at = (name: string) => readFileSync(`/proc/${child}/${name}`, 'utf8').split('\0').filter(Boolean);
  // A shell sets the limits, and becomes the process.
  await eventually(() => readlinkSync(`/proc/${child}/exe`) === process.execPath);
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  assert.deepEqual(at('cmdline').slice(1), [
    '--disallow-code-generation-from-strings',
    '--permission',
    `--allow-fs-read=${root}src/`,
    `--allow-fs-read=${root}packages/`,
    `--allow-fs-read=${root}node_modules/`,
    `--allow-fs-read=${root}package.json`,
    '--max-old-space-size=512',
    `${root}src/adapters/document/read-process.ts`,
  ]);
  assert.match(at('limits').join(), /^Max cpu time +20 +21 +seconds/m);
  assert.equal(readlinkSync(`/proc/${child}/cwd`), `${root}src/adapters/document`);
  // Requests are answered first.
  assert.equal(getPriority(Number(child)), 5);
  // If memory runs out, Linux ends it first.
  assert.equal(readFileSync(`/proc/${child}/oom_score_adj`, 'utf8'), '1000\n');
  assert.deepEqual(
    at('environ').filter((variable) => !/^(NODE_C\w+|PWD|SHLVL|_)=/.test(variable)),
    [],
  );
  await reading;
});

const faults: [name: string, file: () => Buffer, message: string][] = [
  [
    'a PDF with a password',
    () => readFileSync(documentPath('with-password.pdf')),
    'is a PDF that asks for a password; save it without one, and import that file',
  ],
  [
    'a PDF that is cut off',
    () => readFileSync(documentPath('rendercv-classic.pdf')).subarray(0, 2000),
    'is a damaged PDF',
  ],
  ['a PDF of nothing but its first line', () => Buffer.from('%PDF-1.7\n'), 'is a damaged PDF'],
  [
    'a scan',
    () => pdfOf(Buffer.from('0 0 100 100 re f')),
    'is a PDF without text, such as a scan; import the file that it was printed from, or let a program for text recognition (OCR) add the text',
  ],
  ['a Word document without its parts', () => toZipOf({ 'word/document.xml': '<oops' }), 'is a damaged Word document'],
  ['a file of more than 20 MiB', () => Buffer.alloc(20 * 1024 ** 2 + 1), 'is larger than 20 MiB'],
];

for (const [name, file, message] of faults)
  test(`${name} is refused in a sentence [TRUST-76]`, async () => {
    await assert.rejects(read(file()), { message });
    assert.deepEqual(childrenOf(process.pid), []);
  });

test('a whole resume is read with the same limits, from a file that is written and open [TRUST-76]', async (t) => {
  const write = (content: Buffer) => {
    const descriptor = openSync(join(newFolder(t), 'resume'), 'wx+');
    t.after(() => closeSync(descriptor));
    writeSync(descriptor, content);
    return { descriptor, length: content.length };
  };
  const slow = openResumeReader({ ...patient, processorSeconds: 1 });
  const busy = slow.read(write(pdfOf(Buffer.from(line('word ').toString().repeat(400_000)))), '/');
  await assert.rejects(busy, { message: 'cannot be read: it took more than 1 second of processor time' });
  const reader = openResumeReader({ ...patient, mebibytes: 256 });
  const bomb = pdfOf(Buffer.alloc(700 * 1024 ** 2, ' '));
  assert.ok(bomb.length < 1024 ** 2);
  await assert.rejects(reader.read(write(bomb), '/'), {
    message: 'cannot be read: it takes more than 256 MiB of memory',
  });
  // One that fails does not hold up the next.
  const { account } = await reader.read(write(readFileSync(documentPath('moderncv.pdf'))), '/');
  assert.equal(account?.format, 'PDF');
  assert.deepEqual(childrenOf(process.pid), []);
});

test('a script in a PDF is not run, its attachments and links are not opened [TRUST-76]', async () => {
  const script = '<< /S /JavaScript /JS (app.alert\\(1\\); this.submitForm\\("http://127.0.0.1:9/"\\);) >>';
  const launch = '<< /S /Launch /F (/bin/sh) >>';
  const file = pdfOf(line('Ada Lovelace'), [script, launch], '/OpenAction 6 0 R /AA << /WC 7 0 R >>');
  const document = await read(file);
  assert.deepEqual(document.kind === 'PDF' && [document.attachedProfile, document.pages[0]!.runs.length], [null, 1]);
});
