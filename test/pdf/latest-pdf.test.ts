import assert from 'node:assert/strict';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLatestPdf } from '../../src/adapters/pdf/latest-pdf.ts';
import { openResumePdf } from '../../src/adapters/pdf/resume-pdf.ts';
import { newFolder } from '../support/process.ts';
import { called, plain, sample } from './printed.ts';

/** The latest PDF, and what was logged about it. */
function openLogged(style: Partial<typeof plain> = {}) {
  const logged: unknown[] = [];
  const log = (level: string) => (data: unknown, message?: string) => void logged.push([level, data, message]);
  const latest = openLatestPdf(openResumePdf({ ...plain, ...style }), { warn: log('warn'), error: log('error') });
  return { latest, logged };
}

const broken = { ...sample, experience: [{ ...sample.experience[0]!, company_start_date: '2020-ada@example.org-01' }] };

test('a profile that cannot be printed leaves the last good PDF in place, and says why without its words', async () => {
  const { latest, logged } = openLogged();
  await latest.print(sample, '{}');
  const good = await latest.current();
  assert.deepEqual([latest.fault(), latest.hasPrinted()], [null, true]);
  await latest.print(broken, '{}');
  assert.ok((await latest.current()) === good);
  assert.match(latest.fault()!, /^layout\.typ:\d+:\d+: invalid integer$/);
  assert.equal(latest.hasPrinted(), true);
  assert.deepEqual(logged, [['error', { fault: latest.fault() }, 'resume PDF not printed']]);
  await latest.print(called('Zoë'), '{}');
  assert.ok((await latest.current()) !== good);
  assert.equal(latest.fault(), null);
});

test('without a good one there is none', async () => {
  const { latest } = openLogged();
  void latest.print(broken, '{}');
  assert.equal(await latest.current(), null);
  assert.equal(latest.hasPrinted(), false);
});

test('the first is waited for', async () => {
  const { latest } = openLogged();
  void latest.print(sample, '{}');
  assert.equal((await latest.current())?.length, (await openResumePdf(plain)(sample, '{}')).pdf.length);
});

test('characters that no font has are logged once a printing, by code point', async () => {
  const { latest, logged } = openLogged();
  await latest.print(called('Zoë \u{1f600} 漢'), '{}');
  const characters = ['U+6F22', 'U+1F600'];
  assert.deepEqual(logged, [['warn', { characters }, 'resume PDF lacks characters that no font has']]);
});

test('a template that asks for a file named after a private detail does not tell it', async (t) => {
  const template = join(newFolder(t), 'my cv.typ');
  writeFileSync(template, '#let p = json(bytes(sys.inputs.profile)).resume.phone; #image("cv of " + p + ".png")');
  const { latest } = openLogged({ template });
  await latest.print(sample, '{}');
  assert.match(latest.fault()!, /^my cv\.typ:1:\d+: file not found$/);
});

test('what is no font in FONT_DIR is passed over', async (t) => {
  const fontDir = newFolder(t);
  symlinkSync('nowhere.ttf', join(fontDir, 'gone.ttf'));
  const { latest } = openLogged({ fontDir });
  await latest.print(sample, '{}');
  assert.equal(latest.fault(), null);
});

test('what kept the printer from opening may be mended while serving', async (t) => {
  const template = join(newFolder(t), 'resume-of-mine.typ');
  const { latest } = openLogged({ template });
  await latest.print(sample, '{}');
  assert.equal(latest.hasPrinted(), false);
  writeFileSync(template, '#set document(title: "Mine")\nMine');
  await latest.print(called('Zoë'), '{}');
  assert.equal(latest.fault(), null);
  rmSync(template);
});
