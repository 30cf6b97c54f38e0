import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLatestPdf } from '../../../src/adapters/pdf/latest-pdf.ts';
import type { PrintedResume } from '../../../src/adapters/pdf/resume-pdf.ts';
import type { Profile } from '../../../src/model/profile-document.ts';

const profile = {} as Profile;

/** The latest PDF of a printer that does what is next in a list. */
function open(...next: (PrintedResume | Error | Promise<PrintedResume>)[]) {
  const logged: unknown[][] = [];
  const log = (level: string) => (data: unknown, message?: string) => void logged.push([level, data, message]);
  const printer = async () => {
    const result = next.shift()!;
    if (result instanceof Error) throw result;
    return result;
  };
  return { latest: openLatestPdf(printer, { warn: log('warn'), error: log('error') }), logged };
}

const pdf = (byte: number, unprintable: string[] = []): PrintedResume => ({ pdf: new Uint8Array([byte]), unprintable });

test('before the first printing there is none', async () => {
  const { latest } = open();
  assert.deepEqual([await latest.current(), latest.hasPrinted(), latest.fault()], [null, false, null]);
});

test('a printing that takes its time is waited for only while there is no other', async () => {
  const { promise, resolve } = Promise.withResolvers<PrintedResume>();
  const { latest, logged } = open(pdf(1), promise);
  void latest.print(profile, '{}');
  assert.deepEqual(await latest.current(), new Uint8Array([1]));
  const second = latest.print(profile, '{}');
  assert.deepEqual(await latest.current(), new Uint8Array([1]));
  resolve(pdf(2));
  await second;
  assert.deepEqual(await latest.current(), new Uint8Array([2]));
  assert.deepEqual(logged, []);
});

test('a character that no font has is named by its code point, of at least four digits', async () => {
  const { latest, logged } = open(pdf(1, ['\u0007', '漢', '\u{1f600}']));
  await latest.print(profile, '{}');
  const characters = ['U+0007', 'U+6F22', 'U+1F600'];
  assert.deepEqual(logged, [['warn', { characters }, 'resume PDF lacks characters that no font has']]);
});

test('a fault says where and what, and leaves out what may be quoted', async () => {
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
    await latest.print(profile, '{}');
    assert.equal(latest.fault(), fault);
    assert.deepEqual(logged, [['error', { fault }, 'resume PDF not printed']]);
  }
});
