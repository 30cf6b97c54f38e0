import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { sample } from '../support/desk.ts';
import { draftIn, fieldsOf, openEditor, typedAt } from '../support/editor-form.ts';
import { hiddenField } from '../support/pages.ts';

const edit = '/desk/profile/edit';
const confluent = `${edit}/experience/0`;

/** The lines that are in one text and not in the other. */
function changeOf(before: string, after: string) {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return { removed: old.filter((line) => !now.includes(line)), added: now.filter((line) => !old.includes(line)) };
}

test('each form opens, and published as it is changes nothing', async (t) => {
  const { page, send, now } = await openEditor(t);
  const outline = await page('/desk/profile');
  const addresses = new Set([...outline.matchAll(/href="(\/desk\/profile\/edit\/[^"#]+)"/g)].map(([, path]) => path!));
  assert.equal(addresses.size, 24);
  for (const address of addresses) {
    const shown = await page(address);
    const { to } = await send(shown, 'publish');
    assert.equal(to, `${address}?done=same#done`, address);
  }
  assert.equal(now(), sample);
  assert.match(await page(`${confluent}?done=same`), /Nothing was changed, so there is nothing to publish\./);
});

test('what is changed in a form is the only change in the file, and served at once', async (t) => {
  const { page, send, now } = await openEditor(t);
  const shown = await page(confluent);
  assert.equal(typedAt(shown, 'experience.0.roles.0.title'), 'Staff Software Engineer');
  const { to } = await send(shown, 'publish', { 'experience.0.roles.0.title': 'Principal: Storage' });
  assert.equal(to, `${confluent}?done=published#done`);
  assert.deepEqual(changeOf(sample, now()), {
    removed: ['      - title: Staff Software Engineer'],
    added: ['      - title: "Principal: Storage"'],
  });
  assert.match(await page(to), /Published\. Visitors get it from now on\./);
  assert.match(await page('/desk/profile/history'), /2 versions/);
});

test('entries are added, moved and removed without being saved, and the focus is where one goes on', async (t) => {
  const { page, send, now } = await openEditor(t);
  const lines = 'experience.0.roles.0.accomplishments';
  const shown = await page(confluent);
  const [first, second] = [typedAt(shown, `${lines}.0`), typedAt(shown, `${lines}.1`)];
  const moved = (await send(shown, `down ${lines}.0`)).text;
  assert.deepEqual([typedAt(moved, `${lines}.0`), typedAt(moved, `${lines}.1`)], [second, first]);
  assert.match(moved, new RegExp(`value="up ${lines}\\.1" aria-label="Up: line 2" autofocus>`));
  assert.match(moved, /Not saved yet\./);
  const added = (await send(moved, `add ${lines}`)).text;
  assert.match(added, new RegExp(`<textarea id="${lines}\\.2"[^>]* autofocus>`));
  const role = (await send(added, 'add experience.0.roles', { [`${lines}.2`]: 'Shipped it' })).text;
  assert.match(role, /<input id="experience\.0\.roles\.2\.title"[^>]* autofocus/);
  assert.equal(typedAt(role, `${lines}.2`), 'Shipped it');
  const removed = (await send(role, 'remove experience.0.roles.1')).text;
  assert.equal(typedAt(removed, 'experience.0.roles#'), '2');
  const { to } = await send(removed, 'publish', {
    'experience.0.roles.1.title': 'Intern',
    'experience.0.roles.1.start_date': '2019',
    'experience.0.roles.1.end_date': '2019-12',
  });
  assert.equal(to, `${confluent}?done=published#done`);
  const { added: written } = changeOf(sample, now());
  assert.deepEqual(written.map((line) => line.trim()), ['company_start_date: 2019', '- Shipped it', '- title: Intern', 'start_date: 2019', 'end_date: 2019-12', 'accomplishments: []']); // biome-ignore format: one line
});

test('each fault stands at its field in words, and a draft can have it', async (t) => {
  const { page, send, now } = await openEditor(t);
  const { status, text } = await send(await page(confluent), 'publish', {
    'experience.0.company_start_date': '',
    'experience.0.roles.1.end_date': '2019-03',
    'experience.0.url': 'acme',
  });
  assert.equal(status, 409);
  assert.match(text, /<title>Not saved: /);
  assert.match(text, /<p class="bad small" id="experience\.0\.company_start_date-fault">This is missing\.<\/p>/);
  assert.match(text, /id="experience\.0\.roles\.1\.end_date-fault">This is before “From”\. Enter a later date\.</);
  assert.match(text, /id="experience\.0\.url-fault">Write an address that begins with https:/);
  assert.match(text, /<details class="rare" open>/);
  assert.match(text, /<a href="#experience\.0\.company_start_date">There from<\/a>/);
  assert.equal(typedAt(text, 'experience.0.roles.1.end_date'), '2019-03');
  const { to } = await send(text, 'draft');
  const draft = await page(to);
  assert.match(draft, /Saved as a draft: nobody sees it until you publish it\..*With 3 places to mend: <a href=/s);
  assert.match(draft, /This is before “From”/);
  assert.equal(now(), sample);
  const mended = await send(draft, 'publish', {
    'experience.0.company_start_date': '2020-02-01',
    'experience.0.roles.1.end_date': '2021',
    'experience.0.url': 'www.confluent.example/about',
  });
  assert.equal(mended.to, `${confluent}?done=published#done`);
  assert.match(now(), /^ {4}url: https:\/\/www\.confluent\.example\/about$/m);
  assert.match(await page('/desk/profile/drafts'), /Nothing is saved as a draft\./);
});

test('what a file says in other words than a form is shown as it is meant, and stays as it is written', async (t) => {
  const text = sample
    .replace(/phone: .*/, 'phone: +4930123456')
    .replace('company_start_date: 2020-02-01', 'company_start_date: Feb 2020');
  const { page, send, now } = await openEditor(t, text);
  assert.equal(typedAt(await page(`${edit}/contact`), 'resume.phone'), '+4930123456');
  const shown = await page(confluent);
  assert.equal(typedAt(shown, 'experience.0.company_start_date'), '2020-02');
  const { to } = await send(shown, 'publish', { 'experience.0.company': 'Confluent, Inc.' });
  assert.equal(to, `${confluent}?done=published#done`);
  assert.equal(now(), text.replace('company: Confluent', 'company: Confluent, Inc.'));
});

test('a press of Enter checks the form, and saves and moves nothing', async (t) => {
  const { page, send, now } = await openEditor(t);
  const shown = await page(confluent);
  const [, first] = /<button[^>]* value="([^"]+)"/.exec(/<form class="part-form".*/s.exec(shown)![0])!;
  assert.equal(first, 'check');
  for (const button of ['check', 'nonsense', '', 'add nothing', 'up experience.0.roles.9', 'remove x.constructor']) {
    const { status, text } = await send(shown, button, {
      'experience.0.company': 'Acme',
      'experience.0.roles.0.start_date': 'soon',
    });
    assert.equal(status, 200, button);
    assert.equal(typedAt(text, 'experience.0.company'), 'Acme', button);
    assert.equal(typedAt(text, 'experience.0.roles#'), '2', button);
    assert.equal(
      /This is not a date\. Write one such as March 2018/.test(text),
      ['check', 'nonsense', ''].includes(button),
      button,
    );
  }
  assert.equal(now(), sample);
});

test('a file that was changed in between is not overwritten: the form says which of its fields changed', async (t) => {
  const { page, send, now, file } = await openEditor(t);
  const shown = await page(confluent);
  const byHand = sample
    .replace('title: Staff Software Engineer\n        start', 'title: Principal Engineer\n        start')
    .replace('years_experience: 14', 'years_experience: 15');
  writeFileSync(file, byHand);
  const { status, text } = await send(shown, 'publish', {
    'experience.0.company': 'Confluent Inc.',
    'experience.0.roles.0.title': 'Distinguished Engineer',
  });
  assert.equal(status, 409);
  assert.match(
    text,
    /role="alert"><p>Not published: the profile was changed since you opened this form\. What you typed is below/,
  );
  assert.match(
    text,
    /Changed there in this form: Title of <em><bdi>Principal Engineer<\/bdi><\/em> changed\.<\/p>\s*<ul>\s*<li>Job title: in the file <bdi>“Principal Engineer”<\/bdi>, below <bdi>“Distinguished Engineer”/,
  );
  assert.match(text, /All that was changed<\/summary>.*years_experience: 15/s);
  assert.equal(now(), byHand);
  const { to } = await send(text, 'publish', { 'experience.0.roles.0.title': 'Principal Engineer' });
  assert.equal(to, `${confluent}?done=published#done`);
  assert.deepEqual(changeOf(byHand, now()), { removed: ['    company: Confluent'].map((line) => byHand.split('\n').find((one) => one.includes('company: Confluent')) ?? line), added: [now().split('\n').find((one) => one.includes('Confluent Inc.'))] }); // biome-ignore format: one line
});

test('a file that became unreadable meanwhile: the form is kept, and can be a draft', async (t) => {
  const { page, send, now, file } = await openEditor(t);
  const shown = await page(confluent);
  writeFileSync(file, `${sample}x: [\n`);
  const { status, text } = await send(shown, 'publish', { 'experience.0.company': 'Acme' });
  assert.equal(status, 409);
  assert.match(text, /Not saved: the profile was changed elsewhere since you opened this form, and has a fault\./);
  assert.equal(typedAt(text, 'experience.0.company'), 'Acme');
  const { to } = await send(text, 'draft');
  assert.equal(typedAt(await page(to), 'experience.0.company'), 'Acme');
  assert.equal(now(), `${sample}x: [\n`);
});

test('a file with faults opens in forms if they can show it, and otherwise says what is wrong', async (t) => {
  const { page, get, file } = await openEditor(t);
  writeFileSync(file, sample.replace('years_experience: 14', 'years_experience: many'));
  assert.match(await page(`${edit}/summary`), /id="candidate\.years_experience-fault"/);
  assert.match(
    await page(confluent),
    /Elsewhere in the profile:<\/p><ul><li><a href="\/desk\/profile\/edit\/summary#candidate\.years_experience">Years of experience<\/a>: /,
  );
  assert.match(
    await page('/desk/profile'),
    /<a href="[^"]*#candidate\.years_experience">Years of experience<\/a>: must be/,
  );
  for (const text of [
    `${sample}x: [\n`,
    '',
    'just text',
    sample.replace(/^experience:[\s\S]*?\n(?=\w)/m, 'experience: none\n'),
    sample.replace(/^resume:[\s\S]*$/m, 'resume: [1]\n'),
  ]) {
    // biome-ignore format: one line
    writeFileSync(file, text);
    const part = text.includes('resume: [1]') ? `${edit}/skills` : `${edit}/experience`;
    const response = await get(part);
    assert.equal(response.status, 409, text.slice(-50));
    const shown = await response.text();
    assert.match(shown, /<h1>Only as YAML<\/h1>.*<li class="row">.*Edit as YAML/s);
  }
  for (const path of ['nothing', 'experience/x', 'experience/99', 'skills/0', 'contact?draft=nope'])
    assert.equal((await get(`${edit}/${path}`)).status, 404, path);
});

test('the sample is not edited by mistake: with a draft, each form leads to that of the draft', async (t) => {
  const { page, get, send, post } = await openEditor(t, sample, { PROFILE: '' });
  const id = draftIn((await send(await page(`${edit}/summary`), 'draft', { 'candidate.years_experience': '3' })).to);
  for (const form of ['contact', 'experience', 'experience/2']) {
    const { status, headers } = await get(`${edit}/${form}`);
    assert.deepEqual([status, headers.get('location')], [303, `${edit}/${form.replace('/2', '')}?draft=${id}`]);
  }
  const overview = await page('/desk/profile');
  assert.match(overview, /Yours is a draft, saved <time.*visitors get the sample until you publish it\./s);
  assert.match(overview, new RegExp(`href="/desk/profile/edit/look\\?draft=${id}"`));
  assert.match(overview, /As the draft is saved\./);
  assert.doesNotMatch(overview, /Probably|Put your profile here/);
  await post(`/desk/profile/drafts/${id}/remove`, {}, '/desk/profile/drafts');
  assert.equal((await get(`${edit}/contact`)).status, 200);
});

test('the address for notices cannot be taken out, without which the service would not start again', async (t) => {
  const { page, send, now, post } = await openEditor(t);
  const shown = await page(`${edit}/contact`);
  const refused = await send(shown, 'publish', { owner_email: '' });
  assert.equal(refused.status, 409);
  assert.match(
    refused.text,
    /id="owner_email-fault">Write an address: messages to you and requests for access go there\./,
  );
  const yaml = '/desk/profile/yaml';
  const without = sample.replace(/^owner_email: .*$/m, '');
  const revision = hiddenField(await page(yaml), 'revision');
  const ofText = await (await post(`${yaml}/save`, { revision, text: without, do: 'publish' }, yaml)).text();
  assert.match(ofText, /1 fault.*owner_email: must be set, so that notices can reach you/s);
  const twice = await send(shown, 'publish', { owner_email: '', 'resume.email': 'lena at example' });
  assert.match(twice.text, /id="resume\.email-fault">.*id="owner_email-fault">/s);
  assert.equal(now(), sample);

  const set = await openEditor(t, sample, { OWNER_EMAIL: 'owner@example.net' });
  const { to } = await set.send(await set.page(`${edit}/contact`), 'publish', { owner_email: '' });
  assert.equal(to, `${edit}/contact?done=published#done`);
});

test('a draft is gone on in form by form; two windows keep two drafts, and a removed one loses nothing', async (t) => {
  const { page, send, post, now } = await openEditor(t);
  const { to } = await send(await page(confluent), 'draft', { 'experience.0.company': 'One' });
  const id = draftIn(to);
  const opened = await page(`${edit}/summary?draft=${id}`);
  assert.match(
    opened,
    /This is a draft, which you alone see\..*href="\/desk\/profile\/edit\/contact\?draft=|href="\/desk\/profile\/edit\/contact\?draft=/s,
  );
  const saved = await send(opened, 'draft', { 'candidate.years_experience': '15' });
  assert.equal(saved.to, `${edit}/summary?draft=${id}&done=saved#done`);
  const beside = await send(opened, 'draft', { 'candidate.years_experience': '16' });
  assert.match(beside.to, /&done=beside#done$/);
  assert.equal(typedAt(await page(beside.to), 'candidate.years_experience'), '16');
  assert.match(await page('/desk/profile/drafts'), new RegExp(`href="/desk/profile/edit/summary\\?draft=${id}">`));

  const published = await send(await page(saved.to), 'publish');
  assert.equal(published.to, `${edit}/summary?done=published#done`);
  assert.match(now(), /years_experience: 15[\s\S]*company: One/);

  const other = draftIn(beside.to);
  const left = await page(beside.to);
  await post(`/desk/profile/drafts/${other}/remove`, {}, '/desk/profile/drafts');
  const lost = await send(left, 'publish', { 'candidate.years_experience': '17' });
  assert.equal(lost.status, 409);
  assert.match(lost.text, /Not saved: the draft is not there any more: it was published or removed\./);
  assert.equal(typedAt(lost.text, 'candidate.years_experience'), '17');
  assert.equal((await send(lost.text, 'draft')).status, 303);
});

test('a text of 20,000 characters is saved, of which the line breaks count as one each', async (t) => {
  const { page, send } = await openEditor(t);
  const text = `${'x\r\n'.repeat(9_999)}xx`;
  const saved = await send(await page(`${edit}/summary`), 'draft', { 'candidate.summary': text });
  assert.equal(saved.status, 303);
  const long = await send(await page(saved.to), 'draft', { 'candidate.summary': `${text}x` });
  assert.equal(long.status, 413);
  assert.match(long.text, /id="candidate\.summary-fault">This is longer than 20,000 characters\. Shorten it\./);
  assert.ok(typedAt(long.text, 'candidate.summary')?.endsWith('xxx'));
});

test('a form with many lines is saved although it sends the views of each', async (t) => {
  const views = Array.from({ length: 12 }, (_, index) => `  view-${index}: {}\n`).join('');
  const lines = Array.from({ length: 200 }, (_, index) => `          - Line ${index}\n`).join('');
  const { page, send, now } = await openEditor(
    t,
    `${sample.replace('        accomplishments:\n', `        accomplishments:\n${lines}`)}views:\n${views}`,
  );
  const { to } = await send(await page(confluent), 'publish', { 'experience.0.company': 'Acme' });
  assert.equal(to, `${confluent}?done=published#done`);
  assert.match(now(), /company: Acme/);
});

test('a list that is too long for a form is edited as YAML', async (t) => {
  const awards = `  awards:\n${Array.from({ length: 700 }, (_, index) => `    - title: Award ${index}\n`).join('')}`;
  const { page } = await openEditor(t, sample.replace('resume:\n', `resume:\n${awards}`));
  const shown = await page(`${edit}/awards`);
  assert.match(
    shown,
    /This has more than 2,000 fields, too many for a form\. <a href="\/desk\/profile\/yaml">Edit it as YAML<\/a>/,
  );
  assert.doesNotMatch(shown, /value="publish"/);
});

test('after the first publish a form leads to the visitors’ page, later to the version before', async (t) => {
  const { page, send, get } = await openEditor(t);
  const summary = `${edit}/summary`;
  const published = async (years: string) =>
    page((await send(await page(summary), 'publish', { 'candidate.years_experience': years })).to);
  assert.match(
    await published('15'),
    /Published\. .*So far, only this computer can open your page: <a href="\/desk\/share">.*<a href="\/desk\/profile\/page" target="_blank">See your page<\/a>. <a href="\/desk\/profile\/history\/1">Undo it<\/a>/,
  );
  const { headers } = await get('/desk/profile/page');
  assert.match(await page(headers.get('location')!), /<title>Dr\. Lena Vasquez/);
  const unkept = await openEditor(t, sample, { KEEP_HISTORY: '0' });
  const { to } = await unkept.send(await unkept.page(summary), 'publish', { 'candidate.years_experience': '15' });
  assert.match(await unkept.page(to), /See your page<\/a><\/p>/);
});

test('a language is given by its name in English or in itself, or by its code', async (t) => {
  const { page, send, now } = await openEditor(t);
  for (const [typed, written] of [
    ['Portuguese', 'pt'],
    ['français', 'fr'],
    ['de-AT', 'de-AT'],
  ] as const) {
    await send(await page(`${edit}/order`), 'publish', { 'resume.language': typed });
    assert.match(now(), new RegExp(`^  language: ${written}$`, 'm'));
  }
});

test('a file with a character that no database keeps is edited in forms, but cannot be saved as a draft', async (t) => {
  const { page, send, now } = await openEditor(t, sample.replace('Confluent\n', 'Confluent # \0\n'));
  const shown = await page(`${edit}/summary`);
  const draft = await send(shown, 'draft', { 'candidate.years_experience': '15' });
  assert.equal(draft.status, 409);
  assert.match(draft.text, /Not saved: It has the character U\+0000, which a draft cannot have\./);
  const published = await send(shown, 'publish', { 'candidate.years_experience': '15' });
  assert.equal(published.to, `${edit}/summary?done=published#done`);
  assert.match(now(), /years_experience: 15.*Confluent # \0\n/s);
  assert.match(await page('/desk/profile/history'), /No version is kept\./);
});

test('a draft that is published into a changed file has both, after it said what it would change', async (t) => {
  const { page, send, now, file } = await openEditor(t);
  const { to } = await send(await page(confluent), 'draft', { 'experience.0.roles.1.title': 'Typed here' });
  const byHand = sample
    .replace(
      '    roles:\n',
      '    roles:\n      - title: Advisor\n        start_date: 2024\n        accomplishments: []\n',
    )
    .replace('years_experience: 14', 'years_experience: 15');
  writeFileSync(file, byHand);
  const refused = await send(await page(to), 'publish', { 'experience.0.location': 'Bern' });
  assert.equal(refused.status, 409);
  assert.match(refused.text, /What publishing your draft would change in it:.*class="added">.*Typed here/s);
  assert.doesNotMatch(refused.text, /class="removed">[^\n]*Advisor/);
  assert.equal(typedAt(refused.text, 'experience.0.roles.0.title'), 'Advisor');
  assert.equal(now(), byHand);
  assert.equal((await send(refused.text, 'publish')).to, `${confluent}?done=published#done`);
  assert.deepEqual(changeOf(byHand, now()).added, ['      - title: Typed here', '    location: Bern']);
});

test('a colour says whether it can be read, and which one is used in its place', async (t) => {
  const { page, send, now } = await openEditor(t);
  const words = (shown: string, name: string) =>
    new RegExp(`id="${name}-contrast" role="status">([^<]*)<`).exec(shown)?.[1];
  const look = await page(`${edit}/look`);
  assert.deepEqual([words(look, 'accent'), words(look, 'resume.accent')], ['', '']);
  const checked = (await send(look, 'check', { accent: '#0b5d6b', 'resume.accent': '#FFA500' })).text;
  assert.equal(words(checked, 'accent'), 'Readable: its contrast is 6.7 to 1. On dark pages it is #6cc1d0.');
  assert.equal(words(checked, 'resume.accent'), 'Hard to read, at 1.7 to 1: darkened to #996300, which has 4.5 to 1.');
  const wrong = (await send(look, 'check', { accent: 'teal' })).text;
  assert.equal(words(wrong, 'accent'), '');
  assert.match(wrong, /id="accent-fault">/);
  const { to } = await send(look, 'publish', { accent: '#0b5d6b' });
  assert.deepEqual(changeOf(sample, now()), { removed: [], added: ['accent: "#0b5d6b"'] });
  await send(await page(to), 'publish', { accent: '' });
  assert.equal(now(), sample);
});

test('a section that is removed or called otherwise is so in the order and in the views, too', async (t) => {
  const before = [
    '  order: [Choirs, skills, Talks] # as I like it',
    '  sections:',
    '    - { title: Talks, entries: [{ text: Oslo }] }',
    '    - { title: Choirs, entries: [{ text: Sang }] }',
  ];
  const text = `${sample.replace(/^resume:\n/m, `$&${before.join('\n')}\n`)}views:\n  short: { hide: [Talks, Choirs] }\n`;
  const { page, send, now } = await openEditor(t, text);
  const renamed = await send(await page(`${edit}/sections`), 'publish', { 'resume.sections.0.title': 'Speeches' });
  assert.equal(renamed.to, `${edit}/sections?done=published#done`);
  assert.match(now(), /order: \[ ?Choirs, skills, Speeches ?\] # as I like it\n/);
  assert.match(now(), /hide: \[ ?Speeches, Choirs ?\]/);
  const without = await send(await page(`${edit}/sections`), 'remove resume.sections.1');
  assert.equal((await send(without.text, 'publish')).to, `${edit}/sections?done=published#done`);
  assert.match(now(), /order: \[ ?skills, Speeches ?\] # as I like it\n/);
  assert.match(now(), /hide: \[ ?Speeches ?\]/);
});

test('what was removed in a form is put back by the next action, until something else is done', async (t) => {
  const { page, send, now } = await openEditor(t);
  for (const [form, name, words] of [
    ['experience', 'experience.1', 'Dropbox'],
    ['experience/0', 'experience.0.roles.0', 'Staff Software Engineer'],
    ['experience/0', 'experience.0.roles.0.accomplishments.1', 'Authored the internal'],
  ] as const) {
    const shown = await page(`${edit}/${form}`);
    const without = (await send(shown, `remove ${name}`)).text;
    assert.match(without, new RegExp(`role="status">Removed: “<bdi>${words}`), name);
    assert.ok(typedAt(shown, `${name}@`) === typedAt((await send(without, `restore ${name}`)).text, `${name}@`));
    const back = await send((await send(without, `restore ${name}`)).text, 'publish');
    assert.equal(back.to, `${edit}/${form}?done=same#done`, name);
    const added = (await send(without, `add ${name.replace(/\.\d$/, '')}`)).text;
    assert.doesNotMatch(added, /Put it back/);
    const held = (text: string) => fieldsOf(text).filter(([field]) => field !== 'form_token');
    assert.deepEqual(held((await send(added, `restore ${name}`)).text), held(added));
  }
  assert.equal(now(), sample);
});

test('sections are moved by the titles that people see, and only what is needed for their order is written', async (t) => {
  const { page, send, now } = await openEditor(
    t,
    sample.replace('resume:\n', 'resume:\n  titles: {projects: Built}\n'),
  );
  const before = now();
  const titles = (shown: string) =>
    [...shown.matchAll(/<div class="line movable"><bdi>([^<]*)</g)].map(([, title]) => title);
  const shown = await page(`${edit}/order`);
  assert.deepEqual(titles(shown), ['Summary', 'Experience', 'Built', 'Skills', 'Education', 'Certifications', 'Languages', 'Publications']); // biome-ignore format: one line
  const moved = (await send(shown, 'up resume.order.2')).text;
  assert.deepEqual(titles(moved).slice(0, 3), ['Summary', 'Built', 'Experience']);
  assert.match(moved, /aria-label="Up: Built" autofocus>/);
  const { to } = await send(moved, 'publish');
  assert.equal(to, `${edit}/order?done=published#done`);
  assert.deepEqual(changeOf(before, now()), { removed: [], added: ['  order:', '    - projects'] });
  const again = await page(to);
  assert.deepEqual(titles(again).slice(0, 3), ['Summary', 'Built', 'Experience']);
  await send((await send(again, 'down resume.order.1')).text, 'publish');
  assert.equal(now(), before);
});
