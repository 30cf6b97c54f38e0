import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formTokensOf } from '../../../src/adapters/tokens/signatures.ts';
import { invokerFor } from '../../../src/operations/owner/operation.ts';
import type { DeskServices } from '../../../src/operations/owner/services.ts';
import { hostPolicyOf } from '../../../src/surfaces/request.ts';
import { addScrubTo } from '../../../src/surfaces/web/desk/erasure.ts';
import { openDeskRouter } from '../../../src/surfaces/web/desk/router.ts';
import type { Site } from '../../../src/surfaces/web/page.ts';
import { formPost, formTokenOf } from '../../support/desk.ts';
import { textOf } from '../../support/pages.ts';

const site = {
  baseUrl: 'http://127.0.0.1:3000',
  hasOauth: true,
  path: (path: string) => path,
  assets: () => ({ style: '', script: () => '', image: () => '', fonts: { text: [], code: '' } }),
} satisfies Site;

test('an erasing that leaves bytes in the database says why, and its form tries again until none are left', async () => {
  const faults = ['The disk is full; try again when that is solved.', null];
  const tokens = formTokensOf({ secrets: () => [Buffer.alloc(32)], now: () => new Date() });
  const desk = openDeskRouter({
    site,
    guard: { policy: hostPolicyOf(site.baseUrl, [], [], () => true), tokens, limitRefused: () => null },
    sessionOf: async () => ({ id: 'session', isOfCode: false }),
    hasProfile: () => true,
    askToSignIn: async () => assert.fail('signed out'),
    pending: async () => ({}),
    now: () => new Date(),
  });
  const answer = addScrubTo(desk, {
    site,
    section: 'Readers',
    path: '/desk/readers',
    run: invokerFor({ scrub: async () => faults.shift() ?? null } as DeskServices),
  });
  desk.action('/desk/readers/erase', async ({ formToken }) => answer('The file is in use; try again.', formToken));
  const post = (path: string, form_token: string) =>
    desk.http.request(`${site.baseUrl}${path}`, formPost({ form_token }), { address: '192.0.2.1', requestId: null });

  const page = await post('/desk/readers/erase', tokens.issue('session'));
  assert.equal(page.status, 503);
  const html = await page.text();
  assert.match(textOf(html), /Not all is erased yet It is gone from the desk\. The file is in use; try again\./);
  assert.match(html, /action="\/desk\/readers\/scrub"/);
  const again = await post('/desk/readers/scrub', formTokenOf(html));
  assert.match(textOf(await again.text()), /The disk is full; try again when that is solved\./);
  const done = await post('/desk/readers/scrub', formTokenOf(html));
  assert.equal(done.headers.get('location'), '/desk/readers?done=erased');
});
