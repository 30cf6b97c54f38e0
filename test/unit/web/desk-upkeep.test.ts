import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from 'hono/html';
import type { Upkeep } from '../../../src/model/upkeep.ts';
import { timesIn } from '../../../src/surfaces/web/desk/time.ts';
import { upkeepRows } from '../../../src/surfaces/web/desk/upkeep.ts';
import type { Site } from '../../../src/surfaces/web/page.ts';
import { textOf } from '../../support/pages.ts';
import { noon } from '../../support/store.ts';

const site = { path: (path: string) => path } as Site;
const commands = { backUp: () => 'candidate-profile backup backup-2026-11-21.db', doctor: 'candidate-profile doctor' };
const daysFromNoon = (days: number) => new Date(noon.getTime() + days * 86_400_000);

const well: Upkeep = {
  deadLetters: 0,
  isMailDegraded: false,
  isProfileStale: false,
  failedPrints: [],
  certificateExpiresAt: daysFromNoon(22),
  backedUpAt: daysFromNoon(-7),
  ownerWarning: null,
};

async function sentences(upkeep: Partial<Upkeep>): Promise<string[]> {
  const rows = await Promise.all(upkeepRows({ ...well, ...upkeep }, commands, site, html``, timesIn('UTC', noon)));
  return rows.map((row) => textOf(String(row)));
}

test('a service that is well has nothing to do', async () => {
  assert.deepEqual(await sentences({}), []);
  assert.deepEqual(await sentences({ certificateExpiresAt: null }), []);
});

test('dead letters are listed with why and a way to retry, and mail that waits if none is dead', async () => {
  assert.deepEqual(await sentences({ deadLetters: 1, isMailDegraded: true }), [
    'One e-mail to you could not be sent. See why Try again',
  ]);
  assert.deepEqual(await sentences({ deadLetters: 2 }), ['2 e-mails to you could not be sent. See why Try again']);
  assert.deepEqual(await sentences({ isMailDegraded: true }), [
    'E-mails to you are not getting through. They are tried again. See why',
  ]);
});

test('for a made-up address of the owner, the desk says what to set', async () => {
  const ownerWarning = { found: 'notices reach nobody: it is an example', remedy: 'set OWNER_EMAIL' };
  assert.deepEqual(await sentences({ ownerWarning }), [
    'Notices reach nobody: it is an example. What to do Set OWNER_EMAIL.',
  ]);
});

test('the desk reports a profile with faults, and says that the last one without is served', async () => {
  assert.deepEqual(await sentences({ isProfileStale: true }), [
    'The profile, as it is now, cannot be served. Visitors see the last version that could. See the faults',
  ]);
});

test('prints that failed three times are listed by their fault, with a way to try them again', async () => {
  const failed = { view: null, format: 'pdf', fault: 'it took more than 20 seconds of processor time' } as const;
  const print = { ...failed, failures: 3, isTriedNow: false };
  assert.deepEqual(await sentences({ failedPrints: [{ ...print, failures: 2 }] }), []);
  assert.deepEqual(await sentences({ failedPrints: [print] }), [
    'The PDF cannot be printed: it took more than 20 seconds of processor time. Visitors who ask for it are told so, and can read the profile. Print again',
  ]);
  const ofView = { ...print, view: 'brief', format: 'docx' } as const;
  const template = { ...print, view: 'public', fault: 'my.typ:1:2: unknown variable', isTriedNow: true };
  assert.deepEqual(await sentences({ failedPrints: [print, ofView, template] }), [
    'The PDF and the document for Word of the view “brief” cannot be printed: it took more than 20 seconds of processor time. Visitors who ask for them are told so, and can read the profile. Print again',
    'The PDF of the public part cannot be printed: my.typ:1:2: unknown variable. Visitors who ask for it are told so, and can read the profile. Printing again …',
  ]);
});

test('the desk warns of a certificate 21 days before it expires, as doctor does', async () => {
  const [expiring] = await sentences({ certificateExpiresAt: daysFromNoon(21) });
  assert.match(
    expiring!,
    /^The certificate of this site expires on Saturday, 12 December 2026 at \d\d:00\. How to renew it /,
  );
  assert.match(expiring!, / candidate-profile doctor$/);
  const [expired] = await sentences({ certificateExpiresAt: noon });
  assert.match(expired!, /^The certificate of this site expired on Saturday, 21 November 2026 at \d\d:00\./);
});

test('the desk warns of a backup older than a week with its age, and of one that was never made', async () => {
  const how =
    'How to back up Run this on the server, while the service goes on. Copy the signing key and the profile, too. candidate-profile backup backup-2026-11-21.db';
  assert.deepEqual(await sentences({ backedUpAt: daysFromNoon(-9) }), [`The last backup is 9 days old. ${how}`]);
  assert.deepEqual(await sentences({ backedUpAt: null }), [`There is no backup yet. ${how}`]);
  assert.deepEqual(await sentences({ backedUpAt: undefined }), []); // PostgreSQL, which others back up
});
