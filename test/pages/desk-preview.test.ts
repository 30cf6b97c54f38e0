import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openPrinter } from '../../src/adapters/pdf/printer.ts';
import { openOwnDesk, sample } from '../support/desk.ts';
import { newFolder } from '../support/files.ts';
import { openPrinterHere } from '../support/in-place.ts';
import { hiddenField } from '../support/pages.ts';

const summary = '/desk/profile/edit/summary';

/** A service with a profile file of its own, and its owner at a form of the editor. */
async function openEditor(t: TestContext, text = sample, env: Record<string, string> = {}) {
  const desk = await openOwnDesk(t, text, env, { openPrinter: openPrinterHere });
  /** Posts the form of a page with what is typed, as its script does. */
  async function preview(typed: Record<string, string>, { tab = 'pdf', on = summary } = {}) {
    const revision = hiddenField(await desk.page(on), 'revision');
    const response = await desk.post(`${on}/preview?preview=${tab}`, { revision, ...typed }, on);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    return response.text();
  }
  return { ...desk, preview };
}

const addressIn = (html: string, element: 'img' | 'iframe'): string =>
  new RegExp(`<${element}[^>]* src="([^"]+)"`).exec(html)?.[1] ?? assert.fail(html);

test('what is typed and not saved is shown as pictures of its pages, with their number and paper', async (t) => {
  const { preview, get, file } = await openEditor(t);
  const shown = await preview({ 'candidate.summary': 'Another summary.' });
  assert.match(shown, /With the change that is not saved yet\. 2 pages, A4\./);
  const picture = await get(addressIn(shown, 'img'));
  assert.equal(picture.headers.get('content-type'), 'image/png');
  assert.equal(picture.headers.get('cache-control'), 'no-store');
  const bytes = Buffer.from(await picture.arrayBuffer());
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [720, 1018]);
  assert.equal(readFileSync(file, 'utf8'), sample);
});

test('what visitors would get of it is shown in a frame, in which nothing works', async (t) => {
  const { preview, get, page } = await openEditor(t);
  const framed = await get(
    addressIn(await preview({ 'candidate.summary': 'Nobody reads this.' }, { tab: 'page' }), 'iframe'),
  );
  const text = await framed.text();
  assert.match(text, /Nobody reads this\./);
  assert.match(text, /The answer comes to <bdi>visitor@example\.org<\/bdi>\./);
  assert.doesNotMatch(text, /<script/);
  const policy = framed.headers.get('content-security-policy') ?? '';
  assert.match(policy, /; frame-ancestors 'self'; sandbox allow-same-origin$/);
  assert.doesNotMatch(await page('/desk/profile/yaml'), /Nobody reads this/);
});

test('beside the YAML, the preview is of what is typed, of the draft, or of the file if it has a fault', async (t) => {
  const { preview, page, get, post } = await openEditor(t);
  const yaml = '/desk/profile/yaml';
  const text = sample.replace('years_experience: 14', 'years_experience: 33');
  const shown = await preview({ text: `${text}\r\n` }, { on: yaml });
  assert.match(shown, /With the change that is not saved yet\. 2 pages, A4\./);
  assert.equal((await get(addressIn(shown, 'img'))).status, 200);
  assert.match(await preview({ text: 'x: [' }, { on: yaml }), /This text is not shown while it has a fault\./);
  assert.match(await page(`${yaml}?preview=assistant`), /&quot;years_experience&quot;: 14.*As it is saved\./s);
  const revision = hiddenField(await page(yaml), 'revision');
  const saved = await post(`${yaml}/save`, { revision, text, do: 'draft' }, yaml);
  const draft = await page(saved.headers.get('location')!.replace('#done', '&preview=assistant'));
  assert.match(draft, /&quot;years_experience&quot;: 33.*As the draft is saved\./s);
  const refused = await post(`${yaml}/save`, { revision, text: `${text}more: 1\n`, do: 'publish' }, yaml);
  assert.match(
    await refused.text(),
    /preview-note"[^>]*><p class="notice attention">This text is not shown while it has a fault\.<\/p>.*<img /s,
  );
});

test('no other page may be framed, and the forms frame only pages of this origin', async (t) => {
  const { get } = await openEditor(t);
  const policyOf = async (path: string) =>
    (await get(path, { accept: 'text/html' })).headers.get('content-security-policy') ?? '';
  for (const path of [summary, '/desk/profile', '/desk/profile/yaml'])
    assert.match(await policyOf(path), /frame-src 'self'; frame-ancestors 'none'$/, path);
  for (const path of ['/desk', '/'])
    assert.match(await policyOf(path), /base-uri 'none'; frame-ancestors 'none'$/, path);
});

test('what an assistant would read of it is shown as its tools answer', async (t) => {
  const { preview } = await openEditor(t);
  const shown = await preview({ 'candidate.summary': 'Read by programs.' }, { tab: 'assistant' });
  assert.match(shown, /Assistants can also ask for your availability and for each job, project and section\./);
  for (const name of ['get_candidate', 'list_experience', 'get_resume'])
    assert.match(shown, new RegExp(`<code>${name}<`));
  assert.match(shown, /&quot;summary&quot;: &quot;Read by programs\.&quot;/);
});

test('without JavaScript, links show what is saved: the file, or the draft that is edited', async (t) => {
  const { page, get, post } = await openEditor(t);
  const opened = await page(summary);
  assert.match(opened, /<a href="\/desk\/profile\/edit\/summary\?preview=page" data-tab="page">Page<\/a>/);
  // Nothing waits for a picture that nobody asked for: the browser asks for it.
  assert.match(opened, /As it is saved\. ?<\/p>/);
  assert.equal((await get(addressIn(opened, 'img'))).status, 200);
  assert.match(await page(`${summary}?preview=pdf`), /As it is saved\. 2 pages, A4\./);

  const revision = hiddenField(opened, 'revision');
  const saved = await post(`${summary}/save`, { revision, 'candidate.summary': 'A draft.', do: 'draft' }, summary);
  const draft = saved.headers.get('location') ?? '';
  const id = /draft=(\w+)/.exec(draft)?.[1];
  const shown = await page(`${summary}?draft=${id}&preview=assistant`);
  assert.match(shown, /&quot;summary&quot;: &quot;A draft\.&quot;/);
  assert.match(shown, /As the draft is saved\./);
  assert.match(shown, new RegExp(`href="/desk/profile/edit/summary\\?draft=${id}&amp;preview=page"`));
  assert.match(await page(`${summary}?preview=assistant`), /As it is saved\./);
});

test('the picture of a resume that cannot be printed, or is not kept, says so, and so does its page', async (t) => {
  const template = join(newFolder(t), 'template.typ');
  writeFileSync(template, '#panic("no resume")');
  const { page, get } = await openEditor(t, sample, { PDF_TEMPLATE: template });
  const opened = await page(summary);
  const picture = await get(addressIn(opened, 'img'));
  assert.deepEqual([picture.status, picture.headers.get('content-type')], [404, 'image/svg+xml']);
  assert.match(await picture.text(), /^<svg .*<tspan[^>]*>This text cannot be printed: /);
  assert.match(await page(`${summary}?preview=pdf`), /<p class="notice bad">This text cannot be printed: /);
  assert.match(
    await (await get('/desk/profile/preview/x/1')).text(),
    /This text is not kept any more\. Open this form again\.<\/tspan>/,
  );
  const frame = await get('/desk/profile/preview/x/page?draft=x');
  assert.equal(await frame.text(), 'This text is not kept any more. Open this form again.');
  assert.match(frame.headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/);
});

test('a preview that takes long to print does not hold up its page, nor that of a stranger', async (t) => {
  const template = join(newFolder(t), 'endless.typ');
  writeFileSync(template, '#for i in range(1000000) { for j in range(1000000) {} }');
  const { page, get } = await openOwnDesk(t, sample, { PDF_TEMPLATE: template }, { waitMilliseconds: 50, openPrinter });
  const shown = await page(`${summary}?preview=pdf`);
  assert.match(shown, /<div class="preview-view" data-later>.*<img src="[^"]+\/1".*As it is saved\. </s);
  const picture = await get(addressIn(shown, 'img'));
  assert.equal(picture.status, 503);
  assert.match(await picture.text(), /This text is still being printed\. Load this page again/);
  const stranger = await page(`${summary}?preview=stranger`);
  assert.match(await page(addressIn(stranger, 'iframe')), /<h1[^>]*>Dr\. Lena Vasquez<\/h1>/);
});

test('previews are only for the owner, and those of texts that nobody looked at do not exist', async (t) => {
  const { ask, get, preview, page } = await openEditor(t);
  const picture = addressIn(await preview({ 'candidate.summary': 'Secret.' }), 'img');
  const frame = picture.replace(/1$/, 'page');
  for (const path of [picture, frame]) {
    const response = await ask(path);
    assert.equal(response.status, 403);
    assert.doesNotMatch(await response.text(), /Secret\./);
  }
  assert.equal((await get('/desk/profile/preview/x/1')).status, 404);
  for (const path of [frame, '/desk/profile/preview/x/page'])
    assert.equal((await get(path)).headers.get('cache-control'), 'no-store');
  assert.equal((await get(picture.replace(/1$/, '9'))).status, 404);
  assert.equal((await get(`${summary}/preview`)).headers.get('location'), summary);
  assert.doesNotMatch(await page('/desk'), /Secret/);
});
