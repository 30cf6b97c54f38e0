import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readProfileText } from 'resume-profile/profile-reader';
import { samplePath } from '../../src/service/config/config.ts';
import { openOwnDesk, signIn } from '../support/desk.ts';
import { openTestService } from '../support/in-process.ts';

const answers = {
  name: 'Ada King',
  title: 'Analyst',
  location: 'London',
  email: 'ada@ada.org',
  company: 'Engines Ltd',
  role: '',
  since: '2021-03',
  skills: 'Analysis, Mathematics, Notes',
};

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

test('a few answers make a draft, which opens at the job', async (t) => {
  const { desk, opened } = await openSampleDesk(t);
  const begun = await desk.post('/desk/profile/new/save', answers, '/desk/profile/new');
  assert.equal(begun.status, 303);
  assert.match(begun.headers.get('location')!, /^\/desk\/profile\/edit\/experience\/0\?draft=\w+&done=saved$/);
  const [draft] = await opened.store.profileDrafts.list(new Date());
  const { text } = (await opened.store.profileDrafts.find(draft!.id, new Date()))!;
  const { profile, faults } = readProfileText(text);
  assert.deepEqual(faults, []);
  assert.deepEqual(
    [profile!.candidate.name, profile!.owner_email, profile!.experience[0]!.roles[0]!.title, profile!.resume.skills],
    ['Ada King', 'ada@ada.org', 'Analyst', ['Analysis', 'Mathematics', 'Notes']],
  );
  // As `init` does with the answers that are left out.
  assert.equal(profile!.background, true);
  assert.match(await (await desk.get(begun.headers.get('location')!)).text(), /Saved as a draft: nobody sees it/);
});

test('without a company the draft has no job, and opens at the summary', async (t) => {
  const { desk } = await openSampleDesk(t);
  const begun = await desk.post('/desk/profile/new/save', { ...answers, company: '', since: '' }, '/desk/profile/new');
  assert.match(begun.headers.get('location')!, /^\/desk\/profile\/edit\/summary\?draft=/);
});

test('wrong answers come back, each with what is wrong, and nothing is stored', async (t) => {
  const { desk, opened } = await openSampleDesk(t);
  const wrong = { ...answers, name: ' ', email: 'ada@', since: 'March', skills: 'a"<b>' };
  const refused = await desk.post('/desk/profile/new/save', wrong, '/desk/profile/new');
  assert.equal(refused.status, 422);
  const text = await refused.text();
  for (const [name, said] of [
    ['name', 'This is required.'],
    ['email', 'This must be a valid email address.'],
    ['since', 'This must be a date: YYYY-MM-DD, YYYY-MM or YYYY.'],
  ])
    assert.ok(text.includes(`<p class="bad small" id="${name}-fault">${said}</p>`), text);
  assert.match(text, /name="skills" value="a&quot;&lt;b&gt;"/);
  assert.deepEqual(await opened.store.profileDrafts.list(new Date()), []);
});
