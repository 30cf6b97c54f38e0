import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { WorkingCopy } from '../../src/model/profile/working-copy.ts';
import { confirmLink, sample } from '../support/desk.ts';
import { openEditorDesk, openTab, stateIn, typing } from '../support/editor-desk.ts';
import { newFolder } from '../support/files.ts';
import { runCommand, startProcess } from '../support/process.ts';

const title = '/candidate/title';
const wasTitle = 'Staff Software Engineer, Distributed Systems';
const titleIn = (text: string) => /^ {2}title: (.*)$/m.exec(text)?.[1];

test('the page of the editor has the published text as values, and no changes', async (t) => {
  const desk = await openEditorDesk(t);
  const { copy, fields, paths } = await desk.state();
  assert.equal((copy.base as { candidate: { title: string } }).candidate.title, wasTitle);
  assert.deepEqual([copy.changes, copy.unpublished, copy.conflicts, copy.unreadable], [[], 0, [], []]);
  assert.equal(fields['experience.roles.title']?.kind, 'text');
  assert.deepEqual([paths.profile, paths.yaml], ['/desk/profile', '/desk/profile/yaml']);
  assert.match(await desk.page('/desk/profile'), /<noscript>.*<a href="\/desk\/profile\/yaml">/s);
});

test('a change is there after a reload, in no file, and published once the owner says so', async (t) => {
  const desk = await openEditorDesk(t);
  const { status, body } = await desk.patch([typing(title, wasTitle, 'Charge Nurse')]);
  assert.deepEqual([status, body.unpublished], [200, 1]);
  assert.equal(desk.now(), sample);
  const { copy } = await desk.state();
  assert.equal(copy.revision, body.revision);
  assert.equal(copy.changes.length, 1);
  assert.deepEqual(
    (await desk.differences()).map(({ words }) => words),
    ['Title changed'],
  );
  const published = await desk.publish();
  assert.deepEqual([published.status, published.body.published, published.body.pageUrl], [200, true, desk.baseUrl]);
  assert.equal(desk.now(), sample.replace(wasTitle, 'Charge Nurse'));
  assert.deepEqual((await desk.copy()).changes, []);
});

test('undo and redo mark a step, and undoing all gives the first bytes', async (t) => {
  const desk = await openEditorDesk(t);
  const first = typing(title, wasTitle, 'Nurse');
  await desk.patch([first, { ...typing(title, 'Nurse', 'Charge Nurse'), step: first.step }]);
  const undone = await desk.patch([{ undo: first.step }]);
  assert.deepEqual([undone.status, undone.body.unpublished], [200, 0]);
  assert.deepEqual(
    (await desk.copy()).changes.map(({ isUndone }) => isUndone),
    [true, true],
  );
  assert.equal((await desk.patch([{ redo: first.step }])).body.unpublished, 1);
  await desk.patch([{ undo: first.step }]);
  await desk.publish();
  assert.equal(desk.now(), sample);
});

test('what is typed on in one text is stored as one change, and each part is known', async (t) => {
  const desk = await openEditorDesk(t);
  const step = 'text';
  const parts = ['N', 'Nu', 'Nurse'].map((now, index, all) => ({
    ...typing(title, all[index - 1] ?? wasTitle, now),
    step,
  }));
  for (const part of parts) assert.equal((await desk.patch([part])).status, 200);
  assert.equal((await desk.copy()).changes.length, 1);
  const { revision } = await desk.copy();
  for (const part of parts) assert.equal((await desk.patch([part])).body.revision, revision);
  await desk.patch([{ undo: step }]);
  assert.deepEqual(await desk.differences(), []);
});

test('a change and its undo that are sent together are both there', async (t) => {
  const desk = await openEditorDesk(t);
  const { step, ...event } = typing(title, wasTitle, 'Nurse');
  await desk.patch([{ step, ...event }, { undo: step }]);
  const { changes, unpublished } = await desk.copy();
  assert.deepEqual([changes.map(({ isUndone }) => isUndone), unpublished], [[true], 0]);
});

test('a request without a revision, or with an old one, changes nothing', async (t) => {
  const desk = await openEditorDesk(t);
  const { revision } = await desk.copy();
  const events = [typing(title, wasTitle, 'Nurse')];
  assert.equal((await desk.send('changes', 'PATCH', { events })).status, 428);
  assert.equal((await desk.patch(events)).status, 200);
  const late = await desk.patch([typing('/candidate/location', 'Berlin', 'Bern')], revision);
  assert.equal(late.status, 412);
  assert.equal(late.body.changes.length, 1);
  assert.equal((late.body.base as { candidate: { title: string } }).candidate.title, wasTitle);
});

test('events whose answer was lost are answered again, whatever the revision, and are there once [TRUST-80]', async (t) => {
  const desk = await openEditorDesk(t);
  const { revision } = await desk.copy();
  const event = typing(title, wasTitle, 'Nurse', 'one');
  const first = await desk.patch([event], revision);
  const again = await desk.patch([event], revision);
  assert.deepEqual([again.status, again.body.revision], [200, first.body.revision]);
  assert.equal((await desk.copy()).changes.length, 1);
  const both = await desk.patch([event, typing(title, 'Nurse', 'Charge Nurse', 'two')], revision);
  assert.deepEqual([both.status, both.body.known], [412, ['one']]);
  await desk.publish();
  const late = await desk.patch([event], revision);
  assert.deepEqual([late.status, (await desk.copy()).unpublished], [200, 0]);
});

test('a change that does not fit is refused by its id, and those before it are kept', async (t) => {
  const desk = await openEditorDesk(t);
  const { status, body } = await desk.patch([
    typing(title, wasTitle, 'Nurse'),
    typing(title, 'Doctor', 'Surgeon', 'wrong'),
    typing(title, 'Nurse', 'Charge Nurse'),
  ]);
  assert.deepEqual([status, body.failed], [409, 'wrong']);
  const copy = await desk.copy();
  assert.equal(copy.changes.length, 1);
  const [{ step }] = copy.changes as unknown as [{ step: string }];
  await desk.patch([typing(title, 'Nurse', 'Charge Nurse', 'later')]);
  const undone = await desk.patch([{ undo: step }]);
  assert.deepEqual([undone.status, undone.body.failed], [409, step]);
});

test('a body that is no event, a text that cannot be stored and a profile that is too large are refused', async (t) => {
  const desk = await openEditorDesk(t);
  const sendAs = async (value: unknown) => (await desk.patch([typing(title, wasTitle, value)])).status;
  assert.equal((await desk.patch([{ jump: 'x' } as never])).status, 400);
  assert.equal(await sendAs('a\0b'), 422);
  assert.equal(await sendAs('\ud800'), 422);
  assert.equal(await sendAs(JSON.parse(`${'['.repeat(90)}${']'.repeat(90)}`)), 422);
  assert.equal(await sendAs('x'.repeat(1_045_000)), 413);
  assert.equal(await sendAs('x'.repeat(1_100_000)), 413);
  assert.deepEqual((await desk.copy()).changes, []);
});

test('without a session or its form token, or from another site, nothing is read or changed', async (t) => {
  const desk = await openEditorDesk(t);
  const stranger = openTab(desk, { cookie: 'none=1' });
  const { status, body } = await stranger.send('changes');
  assert.deepEqual([status, body.error.code], [401, 'UNAUTHORIZED']);
  const { revision } = await desk.copy();
  const send = (headers: Record<string, string>) =>
    desk.send(
      'changes',
      'PATCH',
      { events: [typing(title, wasTitle, 'X')] },
      { 'if-match': `"${revision}"`, ...headers },
    );
  assert.equal((await send({ 'x-form-token': 'forged' })).status, 403);
  assert.equal((await send({ 'sec-fetch-site': 'cross-site' })).status, 403);
  assert.equal((await send({})).status, 200); // with the token of the refusal
  await desk.post('/desk/sign-out-everywhere');
  assert.equal((await desk.patch([typing(title, 'X', 'Y')], 'any')).status, 401);
});

test('two browsers that change different fields both keep their change [TRUST-81]', async (t) => {
  const desk = await openEditorDesk(t);
  const other = await desk.otherBrowser();
  const { revision, base } = await other.copy();
  const { location } = (base as { candidate: { location: string } }).candidate;
  await desk.patch([typing(title, wasTitle, 'Nurse')]);
  const theirs = typing('/candidate/location', location, 'Bern');
  const stale = await other.patch([theirs], revision);
  assert.equal(stale.status, 412);
  assert.equal((await other.patch([theirs], stale.body.revision)).status, 200);
  await desk.publish();
  assert.match(desk.now(), /title: Nurse\n {2}location: Bern\n/);
});

test('a file that another program changed is merged, and keeps its comments [TRUST-81]', async (t) => {
  const desk = await openEditorDesk(t);
  await desk.patch([typing(title, wasTitle, 'Nurse')]);
  const { revision } = await desk.copy();
  writeFileSync(desk.file, `# Edited by hand\n${sample.replace('Lena Vasquez', 'Lena V.')}`);
  const { status, body } = await desk.publish({ revision });
  assert.deepEqual([status, body.reason], [409, 'changed']);
  const copy = await desk.copy();
  assert.notEqual(copy.revision, revision);
  assert.deepEqual([copy.unpublished, copy.changes.length, copy.conflicts], [1, 1, []]);
  await desk.publish();
  assert.match(desk.now(), /^# Edited by hand\n/);
  assert.match(desk.now(), /Lena V\./);
  assert.equal(titleIn(desk.now()), 'Nurse');
});

test('a file that another program is still writing is merged only when it is whole [TRUST-81]', async (t) => {
  const desk = await openEditorDesk(t);
  await desk.patch([typing(title, wasTitle, 'Nurse')]);
  for (const part of ['', sample.slice(0, sample.indexOf('projects:'))]) {
    writeFileSync(desk.file, part);
    assert.deepEqual(
      (await desk.copy()).conflicts.map(({ pointer }) => pointer),
      [''],
    );
  }
  writeFileSync(desk.file, sample);
  assert.deepEqual((await desk.copy()).conflicts, []);
  assert.deepEqual(
    (await desk.differences()).map(({ words }) => words),
    ['Title changed'],
  );
});

test('who undoes a step that another browser has dropped gets the copy as it is', async (t) => {
  const desk = await openEditorDesk(t);
  const change = typing(title, wasTitle, 'Nurse');
  const { body } = await desk.patch([change]);
  const other = await desk.otherBrowser();
  await other.patch([{ undo: change.step }]);
  const { status } = await other.patch([typing(title, wasTitle, 'Doctor')]);
  assert.equal(status, 200);
  const late = await desk.patch([{ redo: change.step }], body.revision);
  assert.deepEqual([late.status, late.body.changes.length], [412, 1]);
  assert.equal((await desk.patch([{ redo: change.step }])).status, 200);
});

test('erasing the history leaves no earlier text in the working copy', async (t) => {
  const desk = await openEditorDesk(t);
  await desk.patch([typing(title, wasTitle, 'Nurse')]);
  writeFileSync(desk.file, sample.replace('Lena Vasquez', 'Lena V.'));
  await desk.post('/desk/profile/history/erase');
  const { baseText, changes } = (await desk.opened.store.workingCopy.load())!;
  assert.deepEqual([baseText, changes.length], [desk.now(), 1]);
});

test('a field that both changed is shown with both values, to choose before it is published [TRUST-81]', async (t) => {
  for (const [choice, expected] of [
    ['mine', 'Nurse'],
    ['theirs', 'Doctor'],
  ] as const) {
    const desk = await openEditorDesk(t);
    await desk.patch([typing(title, wasTitle, 'Nurse')]);
    writeFileSync(desk.file, sample.replace(wasTitle, 'Doctor'));
    const { conflicts } = await desk.copy();
    assert.deepEqual(conflicts, [{ pointer: title, mine: 'Nurse', theirs: 'Doctor' }]);
    const early = await desk.publish();
    assert.deepEqual([early.status, early.body.reason], [409, 'changed']);
    const chosen = await desk.send('changes/choose', 'POST', { pointer: title, value: choice });
    assert.deepEqual([chosen.status, (chosen.body as WorkingCopy).conflicts], [200, []]);
    assert.equal((await desk.publish()).status, 200);
    assert.equal(titleIn(desk.now()), expected);
  }
});

test('what both changed stays to choose when its job is moved, when that is undone, and beside another', async (t) => {
  const desk = await openEditorDesk(t);
  const { base } = await desk.copy();
  const { experience } = base as { experience: { summary: string }[] };
  const [first, second] = ['/experience/0/summary', '/experience/1/summary'] as const;
  await desk.patch([typing(first, experience[0]!.summary, 'Mine'), typing(second, experience[1]!.summary, 'My own')]);
  const theirs = experience.reduce((text, { summary }) => text.replace(summary.slice(0, 12), 'Theirs'), sample);
  writeFileSync(desk.file, theirs);
  const pointers = async () => (await desk.copy()).conflicts.map(({ pointer }) => pointer);
  assert.deepEqual(await pointers(), [first, second]);
  const patch = [{ op: 'add', path: '/experience/0', value: { company: 'Casco Bay', summary: '' } }] as const;
  await desk.patch([{ id: 'new', step: 'new', patch }]);
  assert.deepEqual(await pointers(), [second, '/experience/2/summary']);
  await desk.patch([{ undo: 'new' }]);
  assert.deepEqual(await pointers(), [first, second]);
  await desk.write('a: [');
  await desk.send('changes/choose', 'POST', { pointer: first, value: 'mine' });
  assert.deepEqual(await pointers(), [first, second]);
});

test('a file that is no text is said to be unreadable, and not shown as an empty resume', async (t) => {
  const desk = await openEditorDesk(t);
  writeFileSync(desk.file, Buffer.from([0xff, 0xfe, 0]));
  const { unreadable, revision } = await desk.copy();
  assert.match(unreadable[0]!.message, /UTF-8/);
  const { status } = await desk.patch([typing(title, null, 'Nurse')], revision);
  assert.deepEqual([status, (await desk.copy()).changes], [409, []]);
});

test('a file that cannot be read any more is not overwritten unless the owner says so [TRUST-81]', async (t) => {
  const desk = await openEditorDesk(t);
  await desk.patch([typing(title, wasTitle, 'Nurse')]);
  writeFileSync(desk.file, 'a: [');
  assert.deepEqual(
    (await desk.copy()).conflicts.map(({ pointer }) => pointer),
    [''],
  );
  assert.equal((await desk.publish()).status, 409);
  assert.equal(desk.now(), 'a: [');
  await desk.send('changes/choose', 'POST', { pointer: '', value: 'mine' });
  assert.equal((await desk.publish()).status, 200);
  assert.equal(desk.now(), sample.replace(wasTitle, 'Nurse'));
});

test('a faulty change is kept, said where it is, and not published', async (t) => {
  const desk = await openEditorDesk(t);
  const { body } = await desk.patch([typing('/experience/0/roles/0/start_date', '2022-04-01', 'long ago')]);
  const [fault] = body.findings.filter(({ kind }: { kind: string }) => kind === 'fault');
  assert.equal(fault.pointer, '/experience/0/roles/0/start_date');
  assert.match(fault.summary, /^From of Staff Software Engineer is not a date\. /);
  const { status, body: refusal } = await desk.publish();
  assert.deepEqual([status, refusal.reason], [409, 'faulty']);
});

test('an end before its start can be swapped by its mend, a licence that ends in future made the end', async (t) => {
  const desk = await openEditorDesk(t);
  const { base } = await desk.copy();
  const { resume } = base as { resume: { certifications: { date: unknown }[] } };
  const licence = '/resume/certifications/0/date';
  await desk.patch([typing(licence, resume.certifications[0]!.date, '2028-03')]);
  const mendOf = async (pointer: string) =>
    (await desk.copy()).findings.find((finding) => finding.pointer === pointer)?.mend;
  const mend = await mendOf(licence);
  assert.equal(mend?.label, 'Make it the end');
  await desk.patch([{ id: 'mend', step: 'mend', patch: mend.patch }]);
  assert.equal(await mendOf(licence), undefined);
  assert.match(readFileSync(desk.file, 'utf8'), /certifications/);
});

test('a freelancer without a company is offered to be self-employed', async (t) => {
  const desk = await openEditorDesk(t);
  const role = '/experience/0/roles/0/title';
  const { experience } = (await desk.copy()).base as { experience: [{ company: string; roles: [{ title: string }] }] };
  const company = '/experience/0/company';
  await desk.patch([
    typing(role, experience[0].roles[0].title, 'Freelance model maker'),
    typing(company, experience[0].company, ''),
  ]);
  const { mend } = (await desk.copy()).findings.find(({ pointer }) => pointer === company)!;
  assert.equal(mend?.label, 'Write “Self-employed”');
  assert.equal((await desk.patch([{ id: 'mend', step: 'mend', patch: mend.patch }])).status, 200);
});

test('each difference can be taken back alone', async (t) => {
  const desk = await openEditorDesk(t);
  const job = { company: 'Casco Bay', roles: [{ title: 'Nurse', start_date: '2019' }] };
  const add = { id: 'j', step: 'j', patch: [{ op: 'add', path: '/experience/0', value: job } as const] };
  await desk.patch([add, typing(title, wasTitle, 'Nurse')]);
  const [name, added] = await desk.differences();
  assert.deepEqual([name!.words, added!.words], ['Title changed', 'Job Casco Bay added']);
  await desk.patch([{ id: 'back', step: 'back', patch: added!.patch }]);
  assert.deepEqual(
    (await desk.differences()).map(({ words }) => words),
    ['Title changed'],
  );
  await desk.publish();
  assert.equal(desk.now(), sample.replace(wasTitle, 'Nurse'));
});

test('after publishing the version before, a change stays in the working copy and can be published again', async (t) => {
  const desk = await openEditorDesk(t);
  await desk.patch([typing(title, wasTitle, 'Nurse')]);
  const { body } = await desk.publish();
  const published = desk.now();
  const undone = await desk.send('publish/undo', 'POST', { version: body.undoVersion });
  assert.deepEqual([undone.status, undone.body.unpublished, undone.body.conflicts], [200, 1, []]);
  assert.equal(desk.now(), sample);
  await desk.publish();
  assert.equal(desk.now(), published);
});

test('what is typed while a publish is undone stays, beside what was published', async (t) => {
  const desk = await openEditorDesk(t);
  await desk.patch([typing(title, wasTitle, 'Nurse')]);
  const { undoVersion } = (await desk.publish()).body;
  const { profileDocument } = desk.opened.owner;
  const { publish } = profileDocument;
  const other = await desk.otherBrowser();
  profileDocument.publish = async (...published) => {
    const refusal = await publish(...published);
    const patch = [{ op: 'add', path: '/resume/order', value: ['skills'] }] as const;
    await other.patch([{ id: 'order', step: 'order', patch }]);
    return refusal;
  };
  assert.equal((await desk.send('publish/undo', 'POST', { version: undoVersion })).status, 200);
  assert.equal(desk.now(), sample);
  assert.deepEqual(
    (await desk.differences()).map(({ words }) => words),
    ['Title changed', 'Order of the sections changed'],
  );
});

test('what was acknowledged is there after the service was killed [TRUST-80]', async (t) => {
  const folder = newFolder(t);
  const file = join(folder, 'profile.yaml');
  writeFileSync(file, sample);
  const env = { PROFILE: file, LOG_LEVEL: 'error', OWNER_EMAIL: 'owner@example.net' };
  const service = await startProcess(t, env, folder);
  const printed = await runCommand(t, ['desk'], { ...env, PORT: new URL(service.url).port }, folder);
  const cookie = await confirmLink(printed.stdout.trim());
  const tabAt = (url: string) => openTab({ ask: (path, init) => fetch(url + path, init) }, { cookie });
  const tab = tabAt(service.url);
  const { revision } = await tab.copy();
  const { status } = await tab.patch([typing(title, wasTitle, 'Nurse', 'typed')], revision);
  service.kill('SIGKILL');
  await service.exited();
  const again = await startProcess(t, env, folder);
  const copy = await tabAt(again.url).copy();
  assert.equal(status, 200);
  assert.deepEqual(
    copy.changes.map(({ id }) => id),
    ['typed'],
  );
  const { copy: shown } = stateIn(await (await fetch(`${again.url}/desk/profile`, { headers: { cookie } })).text());
  assert.equal(shown.revision, copy.revision);
});
