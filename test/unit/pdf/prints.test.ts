import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RenderedResume } from 'resume-documents/pdf/resume-pdf';
import type { Profile } from 'resume-profile/profile-document';
import { openPrints, toFault } from '../../../src/adapters/pdf/prints.ts';

const profileOf = (name: string) => ({ candidate: { name }, resume: {} }) as unknown as Profile;
const flawless = { missingGlyphs: [], photoFault: null, linesOver: null };
const hour = 3_600_000;

/**
 * The prints of a printer in this process. Each print is listed when it begins, such as `pdf of Ada`, and ends when the
 * test says so, or when it is cancelled.
 */
function openPrinted(flaws: Partial<RenderedResume> = {}) {
  const begun: string[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const logged: unknown[][] = [];
  const log = (...line: unknown[]) => void logged.push(line);
  const served: { view: string | null; profile: Profile }[] = [];
  const print = async (format: string, { candidate }: Profile, signal: AbortSignal) => {
    begun.push(`${format} of ${candidate.name}`);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    ends.push((error) => (error === undefined ? resolve() : reject(error)));
    signal.addEventListener('abort', () => {
      begun.push(`${candidate.name} cancelled`);
      reject(new Error('it was cancelled'));
    });
    await promise;
    return new TextEncoder().encode(candidate.name);
  };
  const prints = openPrints({
    print: {
      pdf: async (profile, signal) => ({ ...flawless, ...flaws, pdf: await print('pdf', profile, signal), pages: 1 }),
      docx: async (profile, signal) => ({ docx: await print('docx', profile, signal), photoFault: null }),
    },
    served: () => served,
    log: { warn: log, error: log },
  });
  return {
    prints,
    begun,
    logged,
    /** Serves a profile with views, as after a reload. */
    serve(profile: Profile, ...views: Profile[]) {
      served.splice(0, served.length, { view: null, profile });
      for (const view of views) served.push({ view: view.candidate.name, profile: view });
      prints.update();
    },
    /** Ends the print that is under way. */
    async end(error?: Error) {
      ends.at(-1)!(error);
      await nextTurn();
    },
    async pdf(profile: Profile, milliseconds = hour) {
      const printed = await prints.get(profile, 'pdf', milliseconds);
      return printed === null ? null : new TextDecoder().decode(printed.pdf);
    },
  };
}

test('a profile is printed once in a format, however many ask for it', async () => {
  const { prints, begun, serve, end, pdf } = openPrinted();
  const ada = profileOf('Ada');
  serve(ada);
  const asked = [pdf(ada), pdf(ada)];
  await end();
  assert.deepEqual([...(await Promise.all(asked)), await pdf(ada)], ['Ada', 'Ada', 'Ada']);
  const word = prints.get(ada, 'docx', hour);
  await end();
  assert.deepEqual((await word)?.docx, new TextEncoder().encode('Ada'));
  assert.deepEqual(begun, ['pdf of Ada', 'docx of Ada']);
});

test('the print of a profile is never that of the one before, and nobody waits longer than they want to', async () => {
  const { prints, serve, end, pdf } = openPrinted();
  const [ada, grace] = [profileOf('Ada'), profileOf('Grace')];
  serve(ada);
  await end();
  assert.equal(await pdf(ada), 'Ada');
  serve(grace);
  assert.deepEqual([await pdf(grace, 1), prints.stateOf(grace, 'pdf').printed], [null, null]);
  await end();
  assert.equal(await pdf(grace), 'Grace');
});

test('a new text does not wait for the print of an old one, which is cancelled and is no failure', async () => {
  const { begun, logged, serve, end, pdf, prints } = openPrinted();
  const [ada, grace, view] = [profileOf('Ada'), profileOf('Grace'), profileOf('brief')];
  serve(ada, view);
  const [old, oldView] = [pdf(ada), pdf(view)];
  serve(grace);
  assert.deepEqual(await Promise.all([old, oldView]), [null, null]);
  await end();
  assert.equal(await pdf(grace), 'Grace');
  assert.deepEqual(begun, ['pdf of Ada', 'Ada cancelled', 'pdf of Grace']);
  assert.deepEqual([logged, prints.failed()], [[], []]);
});

test('one print is made at a time, and the PDF of the published profile before those that wait', async () => {
  const { prints, begun, serve, end } = openPrinted();
  const [ada, brief] = [profileOf('Ada'), profileOf('brief')];
  serve(ada, brief);
  await end(new Error('EMFILE'));
  for (const format of ['pdf', 'docx'] as const) void prints.get(brief, format, hour);
  prints.retry();
  assert.deepEqual(begun, ['pdf of Ada', 'pdf of brief']);
  await end();
  await end();
  assert.deepEqual(begun, ['pdf of Ada', 'pdf of brief', 'pdf of Ada', 'docx of brief']);
});

/** Fails each attempt as it is due; returns the seconds after which the next one was. */
async function delaysOf(t: TestContext, count: number) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const { prints, begun, serve, end } = openPrinted();
  const ada = profileOf('Ada');
  serve(ada);
  const delays: number[] = [];
  while (delays.length < count) {
    await end(new Error('EMFILE'));
    const { retrySeconds } = prints.stateOf(ada, 'pdf');
    t.mock.timers.tick(retrySeconds * 1_000 - 1);
    assert.equal(begun.length, delays.length + 1);
    t.mock.timers.tick(1);
    delays.push(retrySeconds);
  }
  return { delays, prints, begun, end, ada, serve };
}

test('a print that fails is tried again after 5 s, then after twice as long each time, up to 5 minutes', async (t) => {
  const { delays, prints, end, ada } = await delaysOf(t, 8);
  assert.deepEqual(delays, [5, 10, 20, 40, 80, 160, 300, 300]);
  assert.deepEqual(prints.failed(), [{ view: null, format: 'pdf', fault: 'EMFILE', failures: 8, isTriedNow: true }]);
  await end();
  assert.equal(prints.stateOf(ada, 'pdf').fault, null);
  assert.deepEqual(prints.failed(), []);
});

test('a print is not tried again once its text is replaced, nor after the service has stopped', async (t) => {
  const { begun, end, serve, prints } = await delaysOf(t, 1);
  await end(new Error('EMFILE'));
  serve(profileOf('Grace'));
  await end(new Error('EMFILE'));
  prints.close();
  t.mock.timers.tick(hour);
  assert.deepEqual(begun, ['pdf of Ada', 'pdf of Ada', 'pdf of Grace']);
});

test('after a failure nobody waits for the next attempt, unless it is made at once', async () => {
  const { prints, begun, serve, end, pdf } = openPrinted();
  const ada = profileOf('Ada');
  serve(ada);
  await end(new Error('EMFILE'));
  assert.equal(await pdf(ada), null);
  assert.deepEqual(begun, ['pdf of Ada']);
  assert.deepEqual(prints.failed(), [{ view: null, format: 'pdf', fault: 'EMFILE', failures: 1, isTriedNow: false }]);
  prints.retry();
  const asked = pdf(ada);
  await end();
  assert.equal(await asked, 'Ada');
});

test('what a PDF lacks is logged once for a print, characters by script or code point', async () => {
  const { serve, end, logged } = openPrinted({
    missingGlyphs: ['\u0007', '漢', '\u{1f600}'],
    photoFault: 'does not exist',
  });
  serve(profileOf('Ada'));
  await end();
  const warnings = [
    'the PDF leaves out 1 Chinese character, which no font has; to print them: npm install @embedpdf/fonts-sc',
    'the PDF leaves out U+0007, U+1F600, which no font has',
  ];
  assert.deepEqual(logged, [
    [{ warnings }, 'resume PDF lacks characters that no font has'],
    [{ fault: 'does not exist' }, 'resume PDF printed without the photo'],
  ]);
});

test('a failure is logged with where and what is wrong, without what may quote the profile', async () => {
  for (const [message, fault] of [
    ['my cv.typ:12:34: panicked with: "Ada"', 'my cv.typ:12:34: panicked with'],
    ['layout.typ:3:4: file not found (searched at /home/ada)', 'layout.typ:3:4: file not found'],
    ['layout.typ:3:4: unknown variable: `ada`', 'layout.typ:3:4: unknown variable'],
    ['EACCES: permission denied "/home/ada"', 'EACCES: permission denied'],
    ['PDF/UA-1 error: missing title: Ada', 'PDF/UA-1 error: missing title'],
    ['no font has a glyph: Ada', 'no font has a glyph'],
    ['of ada.txt: 3', 'of ada.txt'],
    ['it took more than 120 seconds; try again', 'it took more than 120 seconds; try again'],
  ] as const)
    assert.equal(toFault(new Error(message)), fault);
  const { prints, serve, end, logged } = openPrinted();
  const ada = profileOf('Ada');
  serve(ada);
  await end(new Error('spawn failed: Ada'));
  void prints.get(ada, 'docx', hour);
  await end(new Error('EMFILE'));
  assert.deepEqual(logged, [
    [{ fault: 'spawn failed' }, 'resume PDF not rendered'],
    [{ fault: 'EMFILE' }, 'resume for Word not printed'],
  ]);
  prints.close();
});
