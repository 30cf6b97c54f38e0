import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { toZip } from '../../packages/resume-import/test/zip-writer.ts';
import { openResumeReader } from '../../src/adapters/document/document-reader.ts';
import { samplePath } from '../../src/service/config/config.ts';
import { childrenOf, openFilesOf } from '../support/child-processes.ts';
import { formTokenOf, signIn } from '../support/desk.ts';
import { openTab, stateIn, typing } from '../support/editor-desk.ts';
import { fixture, newFolder, resumeFile } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { eventually } from '../support/process.ts';

const resume = readFileSync(resumeFile('jsonresume-new-grad.json'));

/** The uploads that this process has open. */
const openUploads = () => openFilesOf(process.pid).filter((path) => path.includes('/.upload-'));

/** The files of uploads that are left in DATA_DIR. */
const uploadsIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('.upload'));

async function openDesk(t: TestContext, options: Parameters<typeof openTestService>[1] = {}) {
  const service = await openTestService({ PROFILE: samplePath }, options);
  t.after(service.close);
  const desk = await signIn(service);
  const page = async () => (await desk.get('/desk/profile/import')).text();
  const post = async (
    body: FormData | string | ReadableStream,
    headers: Record<string, string> = {},
    signal: AbortSignal | null = null,
  ) => {
    const response = await service.ask('/desk/profile/import/read', {
      method: 'POST',
      headers: { cookie: desk.cookie, 'sec-fetch-site': 'same-origin', ...headers },
      body,
      redirect: 'manual',
      duplex: 'half',
      signal,
    } as RequestInit);
    return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() };
  };
  const upload = async (
    content: string | Buffer,
    name = 'resume.json',
    { headers, form_token }: { headers?: Record<string, string>; form_token?: string } = {},
  ) => {
    const form = new FormData();
    form.set('form_token', form_token ?? formTokenOf(await page()));
    form.set('resume', new File([new Uint8Array(Buffer.from(content))], name));
    return post(form, headers);
  };
  /** Sends a form of parts, each of which begins with its Content-Disposition. */
  const sendParts = async (...parts: readonly (readonly [disposition: string, content: string])[]) =>
    post(await toBody(parts), { 'content-type': 'multipart/form-data; boundary=edge' });
  const toBody = async (parts: readonly (readonly [string, string])[]) => {
    const token = formTokenOf(await page());
    const texts = parts.map(
      ([disposition, content]) =>
        `--edge\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content.replace('TOKEN', token)}\r\n`,
    );
    return `${texts.join('')}--edge--\r\n`;
  };
  const tab = openTab(service, desk);
  /** The names of the proposals, and the changes of the working copy. */
  const stored = async () => {
    const { proposals, workingCopy } = service.opened.store;
    return [
      ...(await proposals.list(new Date())).map(({ name }) => name),
      ...((await workingCopy.load())?.changes ?? []),
    ];
  };
  return { ...service, desk, tab, upload, post, sendParts, toBody, stored };
}

test('a file that arrives slowly has five minutes if its sender is signed in', async (t) => {
  const { app, baseUrl, desk } = await openDesk(t);
  const isGivenTime = async (headers: Record<string, string>) => {
    let isGiven = false;
    const request = new Request(`${baseUrl}/desk/profile/import/read`, { method: 'POST', headers, body: 'file' });
    const awaitUpload = () => {
      isGiven = true;
    };
    await app.fetch(request, { address: '192.0.2.1', requestId: null, awaitUpload });
    return isGiven;
  };
  assert.equal(await isGivenTime({ cookie: desk.cookie }), true);
  assert.equal(await isGivenTime({}), false);
});

test('without a profile, the desk leads to the page on which a resume is chosen', async (t) => {
  const { desk, ask } = await openDesk(t);
  const first = await ask('/desk/profile', { headers: { cookie: desk.cookie }, redirect: 'manual' });
  assert.deepEqual([first.status, first.headers.get('location')], [303, '/desk/profile/import']);
  const page = await (await desk.get('/desk/profile/import')).text();
  assert.match(page, /enctype="multipart\/form-data"/);
  assert.match(page, /<input type="file" id="resume" name="resume" required/);
  assert.match(page, /<a href="\/desk\/profile\?empty">Start from an empty page</);
  assert.match(page, /I edit YAML in my own editor/);
});

test('the first resume becomes the working copy; the page says what was found, also loaded again', async (t) => {
  const { desk, upload, folder } = await openDesk(t);
  const { status, location } = await upload(resume);
  assert.equal(status, 303);
  assert.match(location, /^\/desk\/profile\/import\?read=[\w-]+$/);
  for (const _ of [1, 2]) {
    const page = await (await desk.get(location)).text();
    assert.match(
      page,
      /<bdi>resume\.json<\/bdi><\/h2>\n<p>Read as JSON Resume\. All 109 values of the file are in it: work, education, skills,/,
    );
    assert.match(page, /<a class="button" href="\/desk\/profile">Look through it<\/a>/);
  }
  assert.deepEqual(uploadsIn(folder), []);
});

test('a value that was filled in says why at its place, until it is changed', async (t) => {
  const { desk, tab, upload } = await openDesk(t);
  await upload(resume);
  const { copy } = stateIn(await (await desk.get('/desk/profile')).text());
  const remarkOn = ({ findings }: typeof copy) => findings.find(({ pointer }) => pointer === '/owner_email')?.summary;
  assert.equal(
    remarkOn(copy),
    'Where the service writes to you: filled in as “maya.okonkwo@example.com”: the e-mail address of the resume; notices are sent there; example.com is an example domain that receives no mail.',
  );
  assert.deepEqual([copy.changes.length, copy.base], [1, {}]);
  await tab.copy();
  await tab.patch([typing('/owner_email', 'maya.okonkwo@example.com', 'maya@okonkwo.dev')]);
  assert.equal(remarkOn(await tab.copy()), undefined);
});

for (const [name, format] of [
  ['moderncv.pdf', 'PDF'],
  ['word-columns.docx', 'Word document'],
])
  test(`${name} is read, too`, async (t) => {
    const { desk, upload } = await openDesk(t);
    const { location } = await upload(readFileSync(resumeFile(`documents/${name}`)), name);
    assert.match(await (await desk.get(location)).text(), new RegExp(`<p>Read as ${format}\\.`));
  });

test('another file can be used in its place, unless something was changed since it was read', async (t) => {
  const { desk, tab, upload, stored, opened } = await openDesk(t);
  const read = (await upload(resume)).location.split('=')[1]!;
  const remove = () => desk.post('/desk/profile/import/remove', { read }, '/desk/profile/import');
  await tab.copy();
  await tab.patch([typing('/candidate/location', (await locationIn(tab)).toString(), 'Bern')]);
  await remove();
  assert.equal((await stored()).length, 2);
  await opened.store.workingCopy.save((await tab.copy()).revision, null, new Date());
  const again = (await upload(resume, 'other.json')).location.split('=')[1]!;
  const removed = await desk.post('/desk/profile/import/remove', { read: again }, '/desk/profile/import');
  assert.equal(removed.headers.get('location'), '/desk/profile/import');
  assert.deepEqual(await stored(), []);
});

const locationIn = async ({ copy }: ReturnType<typeof openTab>) => {
  const [{ document }] = (await copy()).changes as unknown as [{ document: { candidate: { location: string } } }];
  return document.candidate.location;
};

test('a profile document becomes the working copy as it is, to the byte', async (t) => {
  const { desk, upload, opened } = await openDesk(t);
  const text = `# Mine\n${readFileSync(fixture('profile.yaml'), 'utf8')}`;
  const { location } = await upload(text, 'profile.yaml');
  assert.equal(location, '/desk/profile');
  assert.equal((await opened.store.workingCopy.load())?.changes[0]?.text, text);
  assert.match(await (await desk.get('/desk/profile/yaml')).text(), /# Mine\n/);
});

test('a second resume is a proposal: what it changes is shown, and taken over as one change, or discarded', async (t) => {
  const { desk, tab, upload, stored } = await openDesk(t);
  await upload(readFileSync(fixture('profile.yaml')), 'profile.yaml');
  const { location } = await upload(resume);
  assert.match(location, /^\/desk\/profile\/proposals\/\w+$/);
  assert.match(await (await desk.get('/desk/profile/proposals')).text(), /<bdi>resume\.json<\/bdi>/);
  const page = await (await desk.get(location)).text();
  assert.match(page, /Read as JSON Resume\./);
  assert.match(page, /jobs Outreach and Allen Institute for AI<\/b> added|Outreach/);
  const taken = await desk.post(`${location}/take`, {}, location);
  assert.equal(taken.headers.get('location'), '/desk/profile');
  const { changes } = await tab.copy();
  assert.equal(changes.length, 2);
  const nameIn = (document: unknown) => (document as { candidate: { name: string } }).candidate.name;
  assert.equal(nameIn(changes[1]!.document), 'Maya Okonkwo');
  await tab.patch([{ undo: changes[1]!.step }]);
  assert.equal((await desk.get(location)).status, 404);
  const other = (await upload(resume, 'other.json')).location;
  await desk.post(`${other}/remove`, {}, other);
  assert.equal((await stored()).length, 2);
});

for (const [what, content, status, said] of [
  ['an empty file', '', 422, /resume\.json is empty\. Nothing is stored/],
  [
    'a text that is not a resume',
    'Dear all, lunch is at noon.',
    422,
    /resume\.json is plain text, and not a resume in one of the formats below\. Nothing is stored/,
  ],
  [
    'a ZIP archive that unpacks to a gigabyte',
    toZip([{ path: 'Positions.csv', content: 'Company Name', size: 1024 ** 3 }]),
    422,
    /resume\.json is a ZIP archive .*\. Nothing is stored/,
  ],
  [
    '20 MB of a video',
    Buffer.alloc(21 * 1024 ** 2, 'x'),
    413,
    /resume\.json is larger than 20 MiB\. Nothing is stored/,
  ],
] as const)
  test(`${what} is refused in one sentence, and nothing is stored`, async (t) => {
    const { upload, stored, folder } = await openDesk(t);
    const refused = await upload(Buffer.from(content));
    assert.equal(refused.status, status);
    assert.match(refused.text, said);
    assert.deepEqual(await stored(), []);
    assert.deepEqual(uploadsIn(folder), []);
  });

test('an upload from another site, without a session or with the token of no page stores nothing', async (t) => {
  const { upload, stored } = await openDesk(t);
  assert.equal((await upload(resume, 'a.json', { headers: { 'sec-fetch-site': 'cross-site' } })).status, 403);
  assert.equal((await upload(resume, 'a.json', { headers: { cookie: '' } })).status, 403);
  const old = await upload(resume, 'a.json', { form_token: 'x' });
  assert.equal(old.status, 403);
  assert.match(old.text, /Nothing was changed/);
  assert.deepEqual(await stored(), []);
});

const resumePart = `name="resume"; filename="a.json"`;
const tokenPart = ['name="form_token"', 'TOKEN'] as const;

const filePart = [resumePart, String(resume)] as const;

for (const [what, parts, status, said] of [
  ['two files', [tokenPart, filePart, filePart], 422, /Choose one file, not several\. Nothing is stored/],
  ['a file of another field', [tokenPart, ['name="photo"; filename="a.json"', '{}']], 400, /Something went wrong/],
  ['a file as the token', [['name="form_token"; filename="a"', 'TOKEN'], filePart], 403, /Nothing was changed/],
  ['a file before the token', [filePart, tokenPart], 400, /Something went wrong/],
  ['a second token', [['name="form_token"', 'x'], tokenPart, filePart], 403, /Nothing was changed/],
  ['a field in place of the file', [tokenPart, ['name="resume"', String(resume)]], 400, /Something went wrong/],
  ['nothing', [], 403, /Nothing was changed/],
] as const)
  test(`a form with ${what} is refused, and nothing is stored`, async (t) => {
    const { sendParts, stored, folder } = await openDesk(t);
    const refused = await sendParts(...parts);
    assert.equal(refused.status, status);
    assert.match(refused.text, said);
    assert.deepEqual(await stored(), []);
    assert.deepEqual(uploadsIn(folder), []);
  });

for (const [name, shown] of [
  ['../../etc/passwd', 'passwd'],
  ['סיכום‮nosj.json', 'סיכום\\u{202e}nosj.json'],
  ['<img src=x>.json', '&lt;img src=x&gt;.json'],
  [`${'x'.repeat(300)}.json`, 'x'.repeat(200)],
] as const)
  test(`a file with the name ${JSON.stringify(name).slice(0, 40)} is kept under a name that can be shown`, async (t) => {
    const { desk, sendParts } = await openDesk(t);
    const { location } = await sendParts(tokenPart, [`name="resume"; filename="${name}"`, String(resume)]);
    const page = await (await desk.get(location)).text();
    assert.ok(page.includes(`<bdi>${shown}</bdi>`), page.slice(0, 4_000));
  });

test('the same file once more leads to the same, another one makes a proposal', async (t) => {
  const { upload, stored } = await openDesk(t);
  const first = await upload(resume);
  assert.equal((await upload(resume)).location, first.location);
  const changed = String(resume).replace('Maya', 'Mia');
  const other = await upload(changed, 'other.json');
  assert.equal((await upload(changed, 'other.json')).location, other.location);
  const [name, change, ...more] = await stored();
  assert.deepEqual([name, typeof change, more], ['other.json', 'object', []]);
});

test('a session that ends while the file arrives stores nothing, and leads to signing in', async (t) => {
  const { post, toBody, folder, opened, stored } = await openDesk(t);
  const body = await toBody([tokenPart, filePart]);
  const half = body.length / 2;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const sent = post(readable, { 'content-type': 'multipart/form-data; boundary=edge' });
  await writer.write(Buffer.from(body.slice(0, half)));
  await opened.store.desk.endSessions();
  await writer.write(Buffer.from(body.slice(half)));
  await writer.close();
  const response = await sent;
  assert.equal(response.status, 403);
  assert.match(response.text, /Sign in to your desk/);
  assert.deepEqual(uploadsIn(folder), []);
  assert.deepEqual(await stored(), []);
});

test('while the process that reads hangs, visitors are answered, and a second file waits for its turn', async (t) => {
  const { upload, get } = await openDesk(t, { openReader: openResumeReader });
  const before = childrenOf(process.pid);
  const reading = () => childrenOf(process.pid).filter((pid) => !before.includes(pid));
  const first = upload(resume, 'first.json');
  const [pid] = await eventually(() => (reading().length === 1 ? reading() : false));
  process.kill(Number(pid), 'SIGSTOP');
  const second = upload(resume, 'second.json');
  await eventually(() => openUploads().length === 2);
  assert.equal((await get('/candidate')).status, 200);
  assert.deepEqual(reading(), [pid]);
  process.kill(Number(pid), 'SIGKILL');
  const { status, text } = await first;
  assert.equal(status, 422);
  assert.match(
    text,
    /first\.json cannot be read: the process that reads it was killed, as Linux does when memory runs out; try again\. Nothing is stored/,
  );
  assert.equal((await second).status, 303);
});

test('a file that takes long to read leads to a page that looks again by itself, until it is read', async (t) => {
  const { upload, desk, baseUrl } = await openDesk(t, { waitMilliseconds: 1, openReader: openResumeReader });
  const before = childrenOf(process.pid);
  const { status, location } = await upload(resume, 'first.json');
  const [pid] = childrenOf(process.pid).filter((one) => !before.includes(one));
  process.kill(Number(pid), 'SIGSTOP');
  assert.equal(status, 303);
  const path = location.replace(baseUrl, '');
  assert.match(path, /^\/desk\/profile\/import\/reading\/[\w-]{36}$/);
  const waiting = await desk.get(path);
  assert.deepEqual([waiting.status, waiting.headers.get('retry-after')], [202, '5']);
  assert.match(
    await waiting.text(),
    /<meta http-equiv="refresh" content="5">.*<bdi>first\.json<\/bdi> is still being read.*<a href="">Look again<\/a>/s,
  );
  const second = await upload('no resume', 'second.pdf');
  assert.equal(openUploads().length, 2);
  process.kill(Number(pid), 'SIGCONT');

  const ended = (path: string) =>
    eventually(async () => {
      const response = await desk.get(path);
      return response.status !== 202 && response;
    });
  const read = await ended(path);
  assert.equal(read.status, 303);
  assert.match(read.headers.get('location')!, /^\/desk\/profile\/import\?read=[\w-]+$/);
  const refused = await ended(second.location);
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /second\.pdf .*Nothing is stored/);
  await eventually(() => openUploads().length === 0);
});

test('what a killed service left of an upload is removed at the next start', async (t) => {
  const folder = newFolder(t);
  writeFileSync(join(folder, '.upload-x'), 'half');
  const { close } = await openTestService({ DATA_DIR: folder });
  await close();
  assert.deepEqual(uploadsIn(folder), []);
});
