import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { samplePath } from '../../src/service/config/config.ts';
import { openOwnDesk, sample, signIn } from '../support/desk.ts';
import { stateIn } from '../support/editor-desk.ts';
import { openTestService } from '../support/in-process.ts';

test('the warnings of check are remarks at their places, as text', async (t) => {
  const text = sample.replace('  title: Staff Software Engineer', '  title: "<script>\\u202e" # Staff');
  const page = await (await openOwnDesk(t, text)).page('/desk/profile');
  assert.doesNotMatch(page, /["“]<script>/);
  const { findings } = stateIn(page).copy;
  assert.deepEqual(
    findings.map(({ kind, pointer }) => [kind, pointer]),
    [
      ['remark', '/owner_email'],
      ['remark', '/candidate/title'],
      ['remark', '/resume/links/0/url'],
    ],
  );
  assert.equal(
    findings[0]!.summary,
    'Where the service writes to you: example.org is an example domain that receives no mail.',
  );
  assert.match(findings[1]!.summary, /^Your title: has invisible characters .*U\+202E after “<script>”/);
});

test('a file with faults opens in the editor, with each fault at its place and its line', async (t) => {
  const desk = await openOwnDesk(t);
  writeFileSync(desk.file, sample.replace('years_experience: 14', 'years_experience: many').concat('more: 1\n'));
  const { findings, unreadable } = stateIn(await desk.page('/desk/profile')).copy;
  assert.deepEqual(
    findings.filter(({ kind }) => kind === 'fault').map(({ pointer, line }) => [pointer, line !== null]),
    [
      ['/candidate/years_experience', true],
      ['/more', true],
    ],
  );
  assert.deepEqual(unreadable, []);
});

test('a file that cannot be read says why, and is corrected as text', async (t) => {
  const desk = await openOwnDesk(t);
  writeFileSync(desk.file, 'candidate: [\n');
  const { copy } = stateIn(await desk.page('/desk/profile'));
  assert.equal(copy.unreadable.length > 0, true);
  assert.equal((await desk.post('/desk/profile/yaml/save', { text: sample, revision: copy.revision })).status, 303);
  assert.deepEqual(stateIn(await desk.page('/desk/profile')).copy.unreadable, []);
});

test('a file that cannot be changed here is shown, and not edited', async (t) => {
  const desk = await openOwnDesk(t);
  chmodSync(desk.file, 0o444);
  const page = await desk.page('/desk/profile');
  assert.match(page, /It cannot be changed here, because it is read-only\./);
  assert.match(page, /<iframe class="whole-page" src="\/desk\/profile\/page"/);
  assert.doesNotMatch(page, /id="editor"/);
});

test('the addresses of the forms of earlier versions lead to the editor', async (t) => {
  const desk = await openOwnDesk(t);
  for (const [path, to] of [
    ['/desk/availability', '/desk/profile'],
    ['/desk/profile/drafts', '/desk/profile/proposals'],
  ] as const) {
    const response = await desk.ask(path, { headers: { cookie: desk.cookie }, redirect: 'manual' });
    assert.deepEqual([response.status, response.headers.get('location')], [303, to], path);
  }
});

test('the sample is never edited: an empty page becomes the own profile', async (t) => {
  const service = await openTestService({ PROFILE: samplePath });
  t.after(service.close);
  const { get } = await signIn(service);
  const { copy } = stateIn(await (await get('/desk/profile?empty')).text());
  assert.deepEqual(copy.base, {});
});

test('the link to the PDF of a profile that cannot be changed here is the one that visitors get', async (t) => {
  const { page, ask, token, file } = await openOwnDesk(t);
  chmodSync(file, 0o444);
  const resume = await ask('/resume?format=pdf', { headers: { authorization: `Bearer ${token}` } });
  const { url } = (await resume.json()) as { url: string };
  assert.ok((await page('/desk/profile')).includes(`href="${url.replaceAll('&', '&amp;')}"`));
});

test('a finding names what it is of', async (t) => {
  const desk = await openOwnDesk(t);
  writeFileSync(desk.file, sample.replace('      - title: Staff Software Engineer\n        start', '      - start'));
  const { findings } = stateIn(await desk.page('/desk/profile')).copy;
  assert.deepEqual(
    findings.filter(({ kind }) => kind === 'fault').map(({ message, summary }) => [message, summary]),
    [['This is missing.', 'Job title of Confluent is missing.']],
  );
});
