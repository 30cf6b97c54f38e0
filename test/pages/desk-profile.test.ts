import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openOwnDesk, sample } from '../support/desk.ts';
import { openPrinterHere } from '../support/in-place.ts';

/** A service with a profile file of its own, and its owner at the desk; `page` is the one of the profile. */
async function openDesk(t: TestContext, text: string, env: Record<string, string> = {}) {
  const desk = await openOwnDesk(t, text, env, { openPrinter: openPrinterHere });
  return { ...desk, desk, page: () => desk.page('/desk/profile') };
}

test('the warnings of check are listed at their fields, as text', async (t) => {
  const { page, file } = await openDesk(
    t,
    sample.replace('  title: Staff Software Engineer', '  title: "<script>\\u202e" # Staff'),
  );
  const text = await page();
  assert.match(text, /<h2>Probably mistakes<\/h2>/);
  assert.match(
    text,
    /<a href="[^"]*#owner_email">Where the service writes to you<\/a>: example\.org is an example domain that receives no mail</,
  );
  assert.match(text, /Your title<\/a>: has invisible characters .*U\+202E after “&lt;script&gt;”/);
  assert.match(text, new RegExp(`<code>${file}</code>`));
  assert.doesNotMatch(text, /<script>|\u202e/);
});

test('while the file has faults the page lists them, and says what is served', async (t) => {
  const { page, file } = await openDesk(t, sample);
  writeFileSync(file, sample.replace('years_experience: 14', 'years_experience: many').concat('more: 1\n'));
  const text = await page();
  assert.match(text, /<h2>2 faults<\/h2>/);
  assert.match(text, /not served\. Visitors get the profile as it was loaded on \w+, \d+ \w+ \d{4} at \d\d:\d\d/);
  assert.match(text, />Years of experience<\/a>: /);
});

test('a theme is chosen by pictures of the resume of the owner, and no choice says which one holds', async (t) => {
  const { desk } = await openDesk(t, sample, { PDF_THEME: 'modern' });
  const text = await (await desk.get('/desk/profile/edit/look')).text();
  const radios = [...text.matchAll(/<input type="radio" name="resume\.theme" value="(\w*)"( checked)?> ([^<]+)</g)];
  assert.deepEqual(
    radios.map(([, value, checked, words]) => [value, checked !== undefined, words]),
    [
      ['', true, 'As the service is set: Modern'],
      ['classic', false, 'Classic'],
      ['modern', false, 'Modern'],
      ['compact', false, 'Compact'],
      ['latex', false, 'LaTeX'],
      ['sidebar', false, 'Sidebar'],
    ],
  );
  const sources = [...text.matchAll(/(?:img src|data-picture|stylesheet" href|module" src)="([^"]+)"/g)]
    .map(([, path]) => path!)
    .filter((path) => !/^\/desk\/profile\/preview\/[\w-]+\/\d/.test(path));
  assert.equal(sources.filter((path) => path.includes('/design/')).length, 18);
  const pictures = sources.filter((path) => /^\/desk\/profile\/preview\/[\w-]+\/design\/theme\/\w+$/.test(path));
  assert.equal(pictures.length, 5);
  const seen = new Set<string>();
  let bytes = gzipSync(text).byteLength;
  assert.ok(bytes < 20_000, String(bytes));
  for (const path of sources) {
    const response = await desk.get(path, { 'accept-encoding': 'gzip' });
    assert.equal(response.status, 200, path);
    const body = Buffer.from(await response.arrayBuffer());
    bytes += body.byteLength;
    if (pictures.includes(path)) seen.add(body.toString('base64'));
  }
  assert.ok(bytes < 100_000, String(bytes));
  assert.equal(seen.size, 5);
  for (const picture of seen) assert.match(picture, /^iVBORw0KGgo/);
  for (const other of ['unknown', '../paper/a5', '../size/9'])
    assert.equal((await desk.get(new URL(other, `http://x${pictures[0]}`).pathname)).status, 404, other);
  assert.equal((await desk.get(pictures[0]!, { cookie: '' })).status, 403);
});

test('a resume longer than its pages is a warning at its field', async (t) => {
  const volunteer = `  volunteer:\n${'    - role: Cook\n'.repeat(40)}`;
  const { page, opened } = await openDesk(t, sample.replace('resume:\n', `resume:\n  pages: 1\n${volunteer}`));
  await opened.prints.get(opened.profile.current(), 'pdf', 300_000);
  assert.match(
    await page(),
    /Pages at most<\/a>: the PDF is about \d+ lines too long for 1 page, in the smallest type/,
  );
});

test('a picture of a theme is that of the text that is edited: the file as it is now, or a draft', async (t) => {
  const { desk, file } = await openDesk(t, sample);
  const pictureIn = async (form: string) => {
    const path = /<img src="([^"]+\/design\/theme\/classic[^"]*)"/.exec(await (await desk.get(form)).text())![1]!;
    const response = await desk.get(path.replaceAll('&amp;', '&'));
    assert.equal(response.headers.get('content-type'), 'image/png');
    return Buffer.from(await response.arrayBuffer());
  };
  const form = '/desk/profile/edit/look';
  const before = await pictureIn(form);
  assert.deepEqual(await pictureIn(form), before);
  const text = sample.replace('name: Dr. Lena Vasquez', 'name: Grace Hopper');
  const fields = { text, revision: '', do: 'draft' };
  const draft = (await desk.post('/desk/profile/yaml/save', fields)).headers.get('location')!;
  const ofDraft = await pictureIn(`${form}?draft=${/draft=(\w+)/.exec(draft)![1]}`);
  assert.notDeepEqual(ofDraft, before);
  assert.deepEqual(await pictureIn(form), before);
  writeFileSync(file, text);
  assert.deepEqual(await pictureIn(form), ofDraft);
});

test('the link to the PDF is the one that visitors get', async (t) => {
  const { page, ask, token } = await openDesk(t, sample);
  const resume = await ask('/resume?format=pdf', { headers: { authorization: `Bearer ${token}` } });
  const { url } = (await resume.json()) as { url: string };
  assert.match(await page(), new RegExp(`href="${url.replaceAll('&', '&amp;').replaceAll('?', '\\?')}"`));
});
