import assert from 'node:assert/strict';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openLatestPdf } from '../../src/adapters/pdf/latest-pdf.ts';
import { openResumeRenderer } from '../../src/adapters/pdf/resume-pdf.ts';
import { newFolder } from '../support/files.ts';
import { called, plain, sample } from './rendered.ts';

/** The latest PDF, and what was logged about it. */
function openLogged(style: Partial<typeof plain> = {}) {
  const logged: unknown[] = [];
  const log = (level: string) => (data: unknown, message?: string) => void logged.push([level, data, message]);
  const latest = openLatestPdf(openResumeRenderer({ ...plain, ...style }), { warn: log('warn'), error: log('error') });
  return { latest, logged };
}

const broken = { ...sample, resume: { ...sample.resume, phone: 'ada@example.org' } };

/** Writes a template that renders a profile only if its phone number is one, and the error of which quotes it. */
function pickyTemplate(t: TestContext): string {
  const template = join(newFolder(t), 'picky.typ');
  const number = '#let number = int(json(bytes(sys.inputs.profile)).resume.phone.replace(regex("[() -]"), ""))';
  writeFileSync(template, `#import "resume.typ": *\n${number}\n#show: resume\n#name()\n#sections()`);
  return template;
}

test('a profile that cannot be rendered leaves the last PDF in place, and the fault quotes nothing of it', async (t) => {
  const { latest, logged } = openLogged({ template: pickyTemplate(t) });
  await latest.render(sample, '{}');
  const good = await latest.current();
  assert.deepEqual([latest.fault(), latest.hasPdf()], [null, true]);
  await latest.render(broken, '{}');
  assert.ok((await latest.current()) === good);
  assert.match(latest.fault()!, /^picky\.typ:\d+:\d+: invalid integer$/);
  assert.equal(latest.hasPdf(), true);
  assert.deepEqual(logged, [['error', { fault: latest.fault() }, 'resume PDF not rendered']]);
  await latest.render(called('Zoë'), '{}');
  assert.ok((await latest.current()) !== good);
  assert.equal(latest.fault(), null);
});

test('null is returned if no profile could be rendered', async (t) => {
  const { latest } = openLogged({ template: pickyTemplate(t) });
  void latest.render(broken, '{}');
  assert.equal(await latest.current(), null);
  assert.equal(latest.hasPdf(), false);
});

test('a request waits for the first PDF', async () => {
  const { latest } = openLogged();
  void latest.render(sample, '{}');
  assert.equal((await latest.current())?.length, (await openResumeRenderer(plain)(sample, '{}')).pdf.length);
});

test('characters that no font has are logged once for each rendering, by code point', async () => {
  const { latest, logged } = openLogged();
  await latest.render(called('Zoë \u{13000}'), '{}');
  const warnings = ['the PDF leaves out U+13000, which no font has'];
  assert.deepEqual(logged, [['warn', { warnings }, 'resume PDF lacks characters that no font has']]);
});

test('a fault about a missing file leaves out what its name quotes of the profile', async (t) => {
  const template = join(newFolder(t), 'my cv.typ');
  writeFileSync(template, '#let p = json(bytes(sys.inputs.profile)).resume.phone; #image("cv of " + p + ".png")');
  const { latest } = openLogged({ template });
  await latest.render(sample, '{}');
  assert.match(latest.fault()!, /^my cv\.typ:1:\d+: file not found$/);
});

test('a broken symbolic link in FONT_DIR is ignored', async (t) => {
  const fontDir = newFolder(t);
  symlinkSync('nowhere.ttf', join(fontDir, 'gone.ttf'));
  const { latest } = openLogged({ fontDir });
  await latest.render(sample, '{}');
  assert.equal(latest.fault(), null);
});

test('a template that was missing at the first rendering is found by the next', async (t) => {
  const template = join(newFolder(t), 'resume-of-mine.typ');
  const { latest } = openLogged({ template });
  await latest.render(sample, '{}');
  assert.equal(latest.hasPdf(), false);
  writeFileSync(template, '#set document(title: "Mine")\nMine');
  await latest.render(called('Zoë'), '{}');
  assert.equal(latest.fault(), null);
  rmSync(template);
});
