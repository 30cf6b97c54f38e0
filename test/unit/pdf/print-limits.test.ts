import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openResumeRenderer } from 'resume-documents/pdf/resume-pdf';
import type { Profile } from 'resume-profile/profile-document';
import { called, plain, sample } from '../../../packages/resume-documents/test/pdf/rendered.ts';
import { openPrints } from '../../../src/adapters/pdf/prints.ts';
import { newFolder } from '../../support/files.ts';

/** The prints of a service in a style, and what was logged of them. */
function openLogged(style: Partial<typeof plain> = {}) {
  const logged: unknown[] = [];
  const log = (level: string) => (data: unknown, message?: string) => void logged.push([level, data, message]);
  const render = openResumeRenderer({ ...plain, ...style });
  let profile = sample;
  const prints = openPrints({
    print: { pdf: (printed) => render(printed, '{}'), docx: assert.fail },
    served: () => [{ view: null, profile }],
    log: { warn: log('warn'), error: log('error') },
  });
  return {
    logged,
    /** Serves and prints a profile; returns the PDF, null if that failed, and why. */
    async print(served: Profile) {
      profile = served;
      prints.update();
      await prints.get(served, 'pdf', 300_000);
      const { printed, fault } = prints.stateOf(served, 'pdf');
      return { pdf: printed?.pdf ?? null, fault };
    },
    /** Tries the last profile again. */
    async retry() {
      prints.retry();
      await prints.get(profile, 'pdf', 300_000);
      return prints.stateOf(profile, 'pdf').fault;
    },
  };
}

const broken = { ...sample, resume: { ...sample.resume, phone: 'ada@example.org' } };

/** Writes a template that renders a profile only if its phone number is one, and the error of which quotes it. */
function pickyTemplate(t: TestContext): string {
  const template = join(newFolder(t), 'picky.typ');
  const number = '#let number = int(json(bytes(sys.inputs.profile)).resume.phone.replace(regex("[() -]"), ""))';
  writeFileSync(template, `#import "resume.typ": *\n${number}\n#show: resume\n#name()\n#sections()`);
  return template;
}

test('of a profile that cannot be printed there is no PDF, and the fault quotes nothing of it', async (t) => {
  const { print, logged } = openLogged({ template: pickyTemplate(t) });
  assert.equal((await print(sample)).fault, null);
  const { pdf, fault } = await print(broken);
  assert.equal(pdf, null);
  assert.match(fault!, /^picky\.typ:\d+:\d+: invalid integer$/);
  assert.deepEqual(logged, [['error', { fault }, 'resume PDF not rendered']]);
  assert.equal((await print(called('Zoë'))).fault, null);
});

test('a broken symbolic link in FONT_DIR is ignored', async (t) => {
  const fontDir = newFolder(t);
  symlinkSync('nowhere.ttf', join(fontDir, 'gone.ttf'));
  assert.equal((await openLogged({ fontDir }).print(sample)).fault, null);
});

test('a template that was missing at the first attempt is found by the next', async (t) => {
  const template = join(newFolder(t), 'resume-of-mine.typ');
  const { print, retry } = openLogged({ template });
  assert.equal((await print(sample)).pdf, null);
  writeFileSync(template, '#set document(title: "Mine")\nMine');
  assert.equal(await retry(), null);
});
