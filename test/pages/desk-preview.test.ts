import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openPrinter } from '../../src/adapters/pdf/printer.ts';
import type { Preview } from '../../src/model/profile/printed-preview.ts';
import { sample } from '../support/desk.ts';
import { openEditorDesk, typing } from '../support/editor-desk.ts';
import { newFolder } from '../support/files.ts';
import { openPrinterHere } from '../support/in-place.ts';

/** A service with a profile file of its own, and its owner at the editor. */
async function openEditor(t: TestContext, env: Record<string, string> = {}, options: object = {}) {
  const desk = await openEditorDesk(t, sample, env, { openPrinter: openPrinterHere, ...options });
  return {
    ...desk,
    preview: async (tab: string, view = ''): Promise<Preview> =>
      (await desk.send(`preview?tab=${tab}${view && `&view=${view}`}`)).body,
    /** Types another text in place of one of the sample. */
    type: async (path: string, before: string | number, value: string | number) =>
      assert.equal((await desk.patch([typing(path, before, value)])).status, 200),
  };
}

test('is what is typed shown as pictures of its pages, with their number and paper?', async (t) => {
  const { preview, type, get, file } = await openEditor(t);
  await type('/candidate/name', 'Dr. Lena Vasquez', 'Lena Marie Vasquez');
  const shown = await preview('pdf');
  assert.equal(shown.caption, '2 pages, A4.');
  const picture = await get(shown.pictures![0]!);
  assert.equal(picture.headers.get('content-type'), 'image/png');
  assert.equal(picture.headers.get('cache-control'), 'no-store');
  const bytes = Buffer.from(await picture.arrayBuffer());
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [720, 1018]);
  assert.equal(readFileSync(file, 'utf8'), sample);
});

test('does it say where each text is in the pictures?', async (t) => {
  const { preview } = await openEditor(t);
  const { texts = [] } = await preview('pdf');
  const name = texts.find(({ text }) => text === 'Dr. Lena Vasquez')!;
  assert.equal(name.page, 0);
  // In the middle, near the top.
  assert.equal(Math.round(name.x + name.width / 2), 360);
  assert.ok(name.y > 40 && name.y < 120);
  // A PDF has the parts of a word with a hyphen apart.
  assert.ok(texts.some(({ text }) => text.startsWith('Staff engineer with 14 years building large-scale distributed')));
  assert.deepEqual([...new Set(texts.map(({ page }) => page))], [0, 1]);
});

test('is what visitors would get shown in a frame, in which nothing works?', async (t) => {
  const { preview, type, get, page } = await openEditor(t);
  await type('/candidate/name', 'Dr. Lena Vasquez', 'Nobody Yet');
  const framed = await get((await preview('page')).frame!);
  const text = await framed.text();
  assert.match(text, /Nobody Yet/);
  assert.match(text, /The answer comes to <bdi>visitor@example\.org<\/bdi>\./);
  assert.doesNotMatch(text, /<script/);
  assert.match(
    framed.headers.get('content-security-policy') ?? '',
    /; frame-ancestors 'self'; sandbox allow-same-origin$/,
  );
  assert.match(await (await get((await preview('stranger')).frame!)).text(), /<h1[^>]*>Nobody Yet<\/h1>/);
  assert.doesNotMatch(await page('/'), /Nobody Yet/);
});

test('may no other page be framed, and does the editor frame only pages of this origin?', async (t) => {
  const { get } = await openEditor(t);
  const policyOf = async (path: string) =>
    (await get(path, { accept: 'text/html' })).headers.get('content-security-policy') ?? '';
  assert.match(await policyOf('/desk/profile'), /frame-src 'self'; frame-ancestors 'none'$/);
  for (const path of ['/desk', '/', '/desk/profile/yaml'])
    assert.match(await policyOf(path), /base-uri 'none'; frame-ancestors 'none'$/, path);
});

test('is what an assistant would read shown as its tools answer?', async (t) => {
  const { preview, type } = await openEditor(t);
  await type('/candidate/name', 'Dr. Lena Vasquez', 'Read by programs');
  const { answers = [], caption } = await preview('assistant');
  assert.deepEqual(
    answers.map(({ name }) => name),
    ['get_candidate', 'list_experience', 'get_resume'],
  );
  assert.equal(JSON.parse(answers[0]!.json).name, 'Read by programs');
  assert.match(caption, /^What the first three tools answer\./);
});

test('while there is a fault, is the last readable text shown, and is that said?', async (t) => {
  const { preview, type } = await openEditor(t);
  await type('/candidate/title', 'Staff Software Engineer, Distributed Systems', 'Architect');
  const before = await preview('assistant');
  assert.equal(before.isEarlier, false);
  await type('/candidate/name', 'Dr. Lena Vasquez', ' ');
  const now = await preview('assistant');
  assert.equal(now.isEarlier, true);
  assert.deepEqual(now.answers, before.answers);
});

test('after a start with a fault, is the published text shown?', async (t) => {
  const { preview, type } = await openEditor(t);
  await type('/candidate/name', 'Dr. Lena Vasquez', ' ');
  const { isEarlier, answers = [] } = await preview('assistant');
  assert.equal(isEarlier, true);
  assert.equal(JSON.parse(answers[0]!.json).name, 'Dr. Lena Vasquez');
});

test('can a client tell that a change does not show in what it looks at?', async (t) => {
  const { preview, type } = await openEditor(t);
  const digests = async () => {
    const shown = [];
    for (const tab of ['pdf', 'page', 'stranger', 'assistant']) shown.push((await preview(tab)).digest);
    return shown;
  };
  const before = await digests();
  await type('/availability/status', 'open to opportunities', 'busy');
  const after = await digests();
  assert.deepEqual(
    after.map((digest, index) => digest === before[index]),
    [true, false, false, true],
  );
});

test('is a version for readers shown as its readers get it?', async (t) => {
  const { preview, patch } = await openEditor(t);
  const views = { acme: { title: 'For Acme' } };
  const added = { id: 'a', step: 'a', patch: [{ op: 'add', path: '/views', value: views }] } as const;
  assert.equal((await patch([added])).status, 200);
  assert.match(JSON.stringify((await preview('assistant', 'acme')).answers), /For Acme/);
  assert.doesNotMatch(JSON.stringify((await preview('assistant')).answers), /For Acme/);
  assert.equal((await preview('assistant', 'other')).refusal, 'There is no version of this name.');
});

test('do a resume that cannot be printed, and a picture that is not kept, say so?', async (t) => {
  const template = join(newFolder(t), 'template.typ');
  writeFileSync(template, '#panic("no resume")');
  const { preview, get } = await openEditor(t, { PDF_TEMPLATE: template });
  const { refusal, revision } = await preview('pdf');
  assert.match(refusal!, /^It cannot be printed: /);
  for (const text of [revision, 'x']) assert.equal((await get(`/desk/profile/preview/${text}/1`)).status, 404);
  const frame = await get('/desk/profile/preview/x/page');
  assert.equal(await frame.text(), 'This text is not kept any more. Open the page again.');
  assert.match(frame.headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/);
});

test('does a preview that takes long to print hold up neither its answer nor the page of a stranger?', async (t) => {
  const template = join(newFolder(t), 'endless.typ');
  writeFileSync(template, '#for i in range(1000000) { for j in range(1000000) {} }');
  const { preview, get } = await openEditor(t, { PDF_TEMPLATE: template }, { waitMilliseconds: 50, openPrinter });
  const shown = await preview('pdf');
  assert.equal(shown.isLater, true);
  assert.equal((await get(`/desk/profile/preview/${shown.revision}/1`)).status, 404);
  assert.match(await (await get((await preview('stranger')).frame!)).text(), /<h1[^>]*>Dr\. Lena Vasquez<\/h1>/);
});

test('are previews only for the owner, and those of texts that nobody looked at not there?', async (t) => {
  const { ask, get, preview, type } = await openEditor(t);
  await type('/candidate/name', 'Dr. Lena Vasquez', 'Secret');
  const { frame = '' } = await preview('page');
  const [picture = ''] = (await preview('pdf')).pictures!;
  for (const path of [picture, frame, '/desk/profile/preview?tab=assistant']) {
    const response = await ask(path);
    assert.equal(response.status, 403);
    assert.doesNotMatch(await response.text(), /Secret/);
  }
  assert.equal((await get('/desk/profile/preview/x/1')).status, 404);
  for (const path of [frame, '/desk/profile/preview/x/page'])
    assert.equal((await get(path)).headers.get('cache-control'), 'no-store');
  assert.equal((await get(picture.replace(/1$/, '9'))).status, 404);
});
