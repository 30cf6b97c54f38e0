import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelOf } from '../../src/surfaces/web/desk/editor/labels.ts';
import { parts } from '../../src/surfaces/web/desk/editor/parts.ts';
import { openOwnDesk } from '../support/desk.ts';
import { openEditor } from '../support/editor-form.ts';
import { openVisitor } from '../support/pages.ts';
import { secretProfile } from '../support/secret-profile.ts';

const form = '/desk/profile/edit/readers';

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' ,', ',')
    .replaceAll(' .', '.');

/** The labels that a page lists below a heading. */
function listedIn(page: string, heading: string): string[] {
  const [, list = ''] = new RegExp(`<(dt|h2|p)>${heading}(.*?)(</dd>|</p>)`, 's').exec(page)?.slice(1) ?? [];
  return [...list.matchAll(/<a href="[^"]+">([^<]+)<\/a>/g)].map(([, label]) => label!);
}

/** The labels of all fields that a person sees, by who sees them. */
const sectionsOf = (page: string) => ({
  programs: listedIn(page, 'On the page, in the PDF, and for their programs'),
  people: listedIn(page, 'On the page and in the PDF alone'),
  owner: listedIn(page, 'Nobody but you</h2>'),
  unwritten: [...listedIn(page, 'For those with access: '), ...listedIn(page, 'For you alone: ')],
});

test('each field that says something of the candidate is listed once, with who can see it', async (t) => {
  const { page } = await openOwnDesk(t);
  const shown = await page(form);
  const { programs, people, owner, unwritten } = sectionsOf(shown);
  assert.deepEqual(programs, ['Years of experience', 'Areas of expertise', 'Companies', 'Projects', 'Skills']);
  assert.deepEqual(people, [
    ...['E-mail address', 'Phone', 'Links', 'Education', 'Certifications', 'Languages', 'Publications'],
  ]);
  assert.deepEqual(owner, ['Where the service writes to you']);
  const anybody = ['candidate.name', 'candidate.title', 'candidate.location', 'candidate.summary', 'availability.status', 'resume.language', 'accent']; // biome-ignore format: one line
  const all = parts
    .filter(({ name }) => name !== 'readers' && name !== 'look')
    .flatMap(({ paths }) => paths)
    .filter((path) => !anybody.includes(path) && path !== 'candidate.id')
    .map((path) => labelOf(path).label);
  assert.deepEqual([...programs, ...people, ...owner, ...unwritten].toSorted(), all.toSorted());
});

test('beside each field that can be public stands what a stranger gets, of the summary its first sentence', async (t) => {
  const { page } = await openOwnDesk(t);
  const shown = textOf(await page(form));
  assert.match(shown, /Name “Dr\. Lena Vasquez”/);
  assert.match(
    shown,
    /Summary “Staff engineer with 14 years building large-scale distributed storage and streaming systems\.”/,
  );
  assert.match(shown, /How many jobs and projects there are 3 jobs, 2 projects, and the pages of the PDF/);
  assert.match(shown, /They also get the whole summary\./);
});

test('a field that is unticked is private again, and one that programs may read is served to them', async (t) => {
  const { page, send, ask, token } = await openEditor(t);
  const landing = async () => (await ask('/', { headers: { accept: 'text/html' } })).text();
  const education = async () => (await ask('/background', { headers: { authorization: `Bearer ${token}` } })).status;
  assert.match(await landing(), /San Francisco, California/);
  assert.equal(await education(), 404);
  const { to } = await send(await page(form), 'publish', { public: 'name', background: 'on' });
  assert.equal(to, `${form}?done=published#done`);
  assert.doesNotMatch(await landing(), /San Francisco, California|Staff/);
  assert.equal(await education(), 200);
  const { programs, people } = sectionsOf(await page(form));
  assert.ok(programs.includes('Education') && programs.includes('Where you live'), String(programs));
  assert.deepEqual(people, ['E-mail address', 'Phone', 'Links']);
});

test('programs do not get a field that the page lists as private or not for programs', async (t) => {
  const { profile } = secretProfile([], 2);
  const secrets = JSON.parse(JSON.stringify(profile)) as Record<string, unknown>;
  const { page, ask, token } = await openOwnDesk(t, JSON.stringify({ ...secrets, background: false }));
  const { programs, people, owner } = sectionsOf(await page(form));
  const authorization = `Bearer ${token}`;
  const read = async (path: string) => (await ask(path, { headers: { authorization } })).text();
  const answers = (await Promise.all(['/candidate', '/experience', '/projects', '/contact/availability', '/resume'].map(read))).join(); // biome-ignore format: one line
  const of = (label: string) => parts.flatMap(({ paths }) => paths).find((path) => labelOf(path).label === label)!;
  const secretOf = (path: string) => {
    const value = path.split('.').reduce((inner: unknown, key) => (inner as Record<string, unknown>)[key], secrets);
    return /zqsecret2[ -][\w ]+|[\w]+@example\.\w+|https:[^"]+/.exec(JSON.stringify(value))?.[0];
  };
  for (const path of programs.map(of).filter((one) => one !== 'candidate.years_experience'))
    assert.ok(answers.includes(secretOf(path)!), path);
  for (const path of [...people, ...owner].map(of)) {
    const secret = secretOf(path);
    if (secret !== undefined) assert.ok(!answers.includes(secret), `${path}: ${secret}`);
  }
  assert.deepEqual(owner, ['Where the service writes to you', 'Notes for yourself']);
});

test('the page as a stranger gets it is shown in a frame, of the draft that is edited, in its colour', async (t) => {
  const { page, get, send } = await openEditor(t);
  const frameIn = (shown: string) => /<iframe src="([^"]+)"/.exec(shown)![1]!;
  const opened = await page(form);
  assert.match(opened, /data-tab="stranger" aria-current="true"/);
  const framed = await get(frameIn(opened));
  assert.match(
    framed.headers.get('content-security-policy') ?? '',
    /frame-ancestors 'self'; sandbox allow-same-origin$/,
  );
  const text = await framed.text();
  assert.match(text, /Open the profile/);
  assert.match(text, /a PDF of two pages/);
  assert.doesNotMatch(text, /<script|Confluent/);

  const look = await send(await page('/desk/profile/edit/look'), 'draft', { accent: '#aa0000' });
  const draft = /draft=\w+/.exec(look.to)![0];
  const { to } = await send(await page(`${form}?${draft}`), 'draft', { public: 'title' });
  for (const tab of ['stranger', 'page']) {
    const ofDraft = await (await get(frameIn(await page(`${to}&preview=${tab}`)))).text();
    const [, style] = /<link rel="stylesheet" href="(\/desk[^"]+)">/.exec(ofDraft)!;
    const response = await get(style!);
    assert.equal(response.headers.get('content-type'), 'text/css; charset=utf-8');
    assert.match(await response.text(), /^:root\{--accent:#aa0000;--accent-dark:#\w+\}$/);
    if (tab === 'stranger') assert.doesNotMatch(ofDraft, /Lena Vasquez/);
  }
});

test('Word ticked without the PDF is offered beside the PDF, which the hint says', async (t) => {
  const { page, send, now, ask } = await openEditor(t);
  const shown = await page(form);
  assert.match(textOf(shown), /Files that the page offers The PDF always; tick Word to add it\./);
  const { to } = await send(shown, 'publish', { 'resume.downloads': 'docx' });
  assert.equal(to, `${form}?done=published#done`);
  assert.match(now(), /^ {2}downloads:\n {4}- docx$/m);
  const profile = await (await openVisitor({ ask }).getAccess()).text();
  assert.match(profile, /Download PDF<.*<a href="\/profile\/docx">Download as Word<\/a>/s);
});
