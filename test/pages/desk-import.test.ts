import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { samplePath } from '../../src/service/config/config.ts';
import { formTokenOf, signIn } from '../support/desk.ts';
import { fixture } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';

const resume = readFileSync(fixture('import/jsonresume-new-grad.json'));

/** What is left of uploads in DATA_DIR. */
const uploadsIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('.upload'));

async function openDesk(t: TestContext) {
  const service = await openTestService({ PROFILE: samplePath });
  t.after(service.close);
  const desk = await signIn(service);
  const upload = async (
    content: string | Buffer,
    name = 'resume.json',
    { headers = {}, form_token }: { headers?: Record<string, string>; form_token?: string } = {},
  ) => {
    const form = new FormData();
    form.set('form_token', form_token ?? formTokenOf(await (await desk.get('/desk/profile/import')).text()));
    form.set('resume', new File([new Uint8Array(Buffer.from(content))], name));
    const response = await service.ask('/desk/profile/import/read', {
      method: 'POST',
      headers: { cookie: desk.cookie, 'sec-fetch-site': 'same-origin', ...headers },
      body: form,
      redirect: 'manual',
    });
    return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() };
  };
  const drafts = async () =>
    [...(await (await desk.get('/desk/profile/drafts')).text()).matchAll(/yaml\?draft=(\w+)/g)].map(([, id]) => id);
  return { ...service, desk, upload, drafts };
}

test('the page of the sample leads to the page on which a resume is chosen', async (t) => {
  const { desk } = await openDesk(t);
  assert.match(
    await (await desk.get('/desk/profile')).text(),
    /<a href="\/desk\/profile\/import">Put your profile here</,
  );
  const page = await (await desk.get('/desk/profile/import')).text();
  assert.match(page, /enctype="multipart\/form-data"/);
  assert.match(page, /<input type="file" id="resume" name="resume" required/);
});

test('a resume becomes a draft; the page says what was found and where to look, also when it is loaded again', async (t) => {
  const { desk, upload, folder } = await openDesk(t);
  const { status, location } = await upload(resume);
  assert.equal(status, 303);
  assert.match(location, /^\/desk\/profile\/import\?draft=\w+$/);
  for (const _ of [1, 2]) {
    const page = await (await desk.get(location)).text();
    assert.match(page, /<bdi>resume\.json<\/bdi><\/h2>\n<p>Read as JSON Resume\.<\/p>/);
    assert.match(page, /<th scope="row">Work<\/th><td>\d+ employers?, \d+ roles?/);
    assert.match(page, /<a class="button" href="\/desk\/profile\/edit\/[\w/]+\?draft=\w+#[\w.]+">Look through it<\/a>/);
  }
  assert.deepEqual(uploadsIn(folder), []);
});

for (const [name, format] of [
  ['moderncv.pdf', 'PDF'],
  ['word-columns.docx', 'Word document'],
])
  test(`${name} is read, too`, async (t) => {
    const { desk, upload } = await openDesk(t);
    const { location } = await upload(readFileSync(fixture(`documents/${name}`)), name);
    assert.match(await (await desk.get(location)).text(), new RegExp(`<p>Read as ${format}\\.</p>`));
  });

test('another file takes the draft away', async (t) => {
  const { desk, upload, drafts } = await openDesk(t);
  const { location } = await upload(resume);
  const id = location.split('=')[1]!;
  assert.ok((await drafts()).includes(id));
  const removed = await desk.post('/desk/profile/import/remove', { draft: id });
  assert.equal(removed.headers.get('location'), '/desk/profile/import');
  assert.deepEqual(await drafts(), []);
});

test('a profile document opens as a draft as it is', async (t) => {
  const { desk, upload } = await openDesk(t);
  const text = `# Mine\n${readFileSync(fixture('profile.yaml'), 'utf8')}`;
  const { location } = await upload(text, 'profile.yaml');
  assert.match(location, /^\/desk\/profile\/yaml\?draft=/);
  assert.match(await (await desk.get(location)).text(), /# Mine\n/);
});

for (const [what, content, status, said] of [
  ['an empty file', '', 422, /resume\.json is empty\. Nothing is stored/],
  [
    'a text that is no resume',
    'Dear all, lunch is at noon.',
    422,
    /resume\.json is plain text; what can be imported is/,
  ],
  ['JSON that is no resume', '{"lunch": "noon"}', 422, /resume\.json is an object with the members lunch; what can be/],
  [
    'a broken ZIP',
    Buffer.from('PK\x03\x04broken'),
    422,
    /resume\.json is a ZIP archive that cannot be read: .*truncated\. Nothing is stored/,
  ],
  ['a broken PDF', '%PDF-1.7 broken', 422, /resume\.json is a damaged PDF\. Nothing is stored/],
  [
    '20 MB of a video',
    Buffer.alloc(21 * 1024 ** 2, 'x'),
    413,
    /resume\.json is larger than 20 MiB\. Nothing is stored/,
  ],
] as const)
  test(`${what} is refused in one sentence, and nothing is stored`, async (t) => {
    const { upload, drafts, folder } = await openDesk(t);
    const refused = await upload(Buffer.from(content));
    assert.equal(refused.status, status);
    assert.match(refused.text, said);
    assert.deepEqual(await drafts(), []);
    assert.deepEqual(uploadsIn(folder), []);
  });

test('a form without a file says so', async (t) => {
  const { upload } = await openDesk(t);
  const refused = await upload('', '');
  assert.equal(refused.status, 422);
  assert.match(refused.text, /Choose a file first\./);
});

test('a draft more than are kept is refused, with what to do', async (t) => {
  const { upload, drafts, opened } = await openDesk(t);
  const kept = { name: '', baseRevision: '', savedAt: new Date(), text: '' };
  for (let count = 0; count < 20; count += 1)
    await opened.store.profileDrafts.save({ ...kept, revision: String(count) });
  const refused = await upload(readFileSync(fixture('profile.yaml')));
  assert.equal(refused.status, 422);
  assert.match(refused.text, /There are 20 drafts already\. Publish or remove one/);
  assert.equal(new Set(await drafts()).size, 20);
});

test('an upload from another site, without a session or with the token of no page stores nothing', async (t) => {
  const { upload, drafts } = await openDesk(t);
  assert.equal((await upload(resume, 'a.json', { headers: { 'sec-fetch-site': 'cross-site' } })).status, 403);
  assert.equal((await upload(resume, 'a.json', { headers: { cookie: '' } })).status, 403);
  const old = await upload(resume, 'a.json', { form_token: 'x' });
  assert.equal(old.status, 403);
  assert.match(old.text, /The page was open for too long/);
  assert.deepEqual(await drafts(), []);
});
