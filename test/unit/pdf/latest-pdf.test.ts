import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLatestPdf } from '../../../src/adapters/pdf/latest-pdf.ts';
import type { RenderedResume } from '../../../src/adapters/pdf/resume-pdf.ts';
import type { Profile } from '../../../src/model/profile/profile-document.ts';

const profile = { resume: {} } as Profile;

/** The latest PDF of a renderer that returns or throws the next item of a list at each call. */
function open(...next: (RenderedResume | Error | Promise<RenderedResume>)[]) {
  const logged: unknown[][] = [];
  const log = (level: string) => (data: unknown, message?: string) => void logged.push([level, data, message]);
  const render = async () => {
    const result = next.shift()!;
    if (result instanceof Error) throw result;
    return result;
  };
  return { latest: openLatestPdf(render, { warn: log('warn'), error: log('error') }), logged };
}

const pdf = (
  byte: number,
  missingGlyphs: string[] = [],
  photoFault: RenderedResume['photoFault'] = null,
): RenderedResume => ({
  pdf: new Uint8Array([byte]),
  pages: 1,
  photo: null,
  missingGlyphs,
  photoFault,
  linesOver: null,
});

test('null is returned before the first rendering', async () => {
  const { latest } = open();
  assert.deepEqual([await latest.current(), latest.hasPdf(), latest.fault()], [null, false, null]);
});

test('a request waits for a rendering only before the first PDF', async () => {
  const { promise, resolve } = Promise.withResolvers<RenderedResume>();
  const { latest, logged } = open(pdf(1), promise);
  void latest.render(profile, '{}');
  assert.deepEqual(await latest.current(), new Uint8Array([1]));
  const second = latest.render(profile, '{}');
  assert.deepEqual(await latest.current(), new Uint8Array([1]));
  resolve(pdf(2));
  await second;
  assert.deepEqual(await latest.current(), new Uint8Array([2]));
  assert.deepEqual(logged, []);
});

test('characters that no font has are logged by script and package of fonts, or as U+ and at least four digits', async () => {
  const { latest, logged } = open(pdf(1, ['\u0007', '漢', '\u{1f600}']));
  await latest.render(profile, '{}');
  const warnings = [
    'the PDF leaves out 1 Chinese character, which no font has; to print them: npm install @embedpdf/fonts-sc',
    'the PDF leaves out U+0007, U+1F600, which no font has',
  ];
  assert.deepEqual(logged, [['warn', { warnings }, 'resume PDF lacks characters that no font has']]);
});

test('why the photo is not printed is logged once for each rendering', async () => {
  const { latest, logged } = open(pdf(1, [], 'does not exist'));
  await latest.render(profile, '{}');
  assert.deepEqual(logged, [['warn', { fault: 'does not exist' }, 'resume PDF printed without the photo']]);
  assert.deepEqual(latest.flaws().photoFault, 'does not exist');
});

test('a fault says where and what is wrong, and leaves out what may quote the profile', async () => {
  for (const [message, fault] of [
    ['my cv.typ:12:34: panicked with: "Ada"', 'my cv.typ:12:34: panicked with'],
    ['layout.typ:3:4: file not found (searched at /home/ada)', 'layout.typ:3:4: file not found'],
    ['layout.typ:3:4: unknown variable: `ada`', 'layout.typ:3:4: unknown variable'],
    ['EACCES: permission denied "/home/ada"', 'EACCES: permission denied'],
    ['PDF/UA-1 error: missing title: Ada', 'PDF/UA-1 error: missing title'],
    ['no font has a glyph: Ada', 'no font has a glyph'],
    ['of ada.txt: 3', 'of ada.txt'],
  ] as const) {
    const { latest, logged } = open(new Error(message));
    await latest.render(profile, '{}');
    assert.equal(latest.fault(), fault);
    assert.deepEqual(logged, [['error', { fault }, 'resume PDF not rendered']]);
  }
});
