import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { samplePath } from '../../src/service/config/config.ts';
import { openOwnDesk, signIn } from '../support/desk.ts';
import { openTestService } from '../support/in-process.ts';

async function openSampleDesk(t: TestContext, env: Record<string, string> = {}) {
  const service = await openTestService({ PROFILE: samplePath, ...env });
  t.after(service.close);
  return { ...service, desk: await signIn(service) };
}

const page = 'text/html';

test('the page of the sample offers the owner who is signed in to replace it, and nobody else', async (t) => {
  const { ask, desk } = await openSampleDesk(t);
  const offer = /This address shows a sample\. <a href="\/desk\/profile\/import">Put your profile here<\/a>/;
  assert.match(await (await desk.get('/', { accept: page })).text(), offer);
  assert.match(await (await desk.get('/desk')).text(), /<a href="\/desk\/profile\/import">Put your profile here<\/a>/);
  assert.doesNotMatch(await (await ask('/', { headers: { accept: page } })).text(), /Put your profile here/);
  const other = { accept: page, cookie: `desk=${'x'.repeat(43)}` };
  assert.doesNotMatch(await (await ask('/', { headers: other })).text(), /Put your profile here/);
});

test('on the page of their own profile, a signed-in owner finds the way to the desk and the whole page', async (t) => {
  const desk = await openOwnDesk(t);
  const shown = await (await desk.get('/', { accept: page })).text();
  assert.doesNotMatch(shown, /Put your profile here/);
  assert.match(shown, /only you see this line\. <a href="\/desk">Your desk<\/a> · <a href="(\/desk\/profile\/page)">/);
  assert.equal((await desk.get('/desk/profile/page')).status, 303);
});
