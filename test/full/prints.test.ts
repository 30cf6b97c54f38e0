import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { openPrinter } from '../../src/adapters/pdf/printer.ts';
import { childrenOf } from '../support/child-processes.ts';
import { signIn } from '../support/desk.ts';
import { readDocx } from '../support/docx.ts';
import { openTab, typing } from '../support/editor-desk.ts';
import { newFolder } from '../support/files.ts';
import { jpegOf } from '../support/images.ts';
import { openTestService } from '../support/in-process.ts';
import { openVisitor, textOf } from '../support/pages.ts';
import { pdfContents } from '../support/pdf-contents.ts';
import { eventually } from '../support/process.ts';
import { viewedProfile } from '../support/viewed-profile.ts';

const more = 'phone: +47 22 01 01\n  photo: me.jpg\n  downloads: [pdf, docx]';
const ada = viewedProfile
  .replace(/^resume:$/m, `public: [name, counts]\nresume:\n  ${more}`)
  // So that a template may take its place.
  .replace('  theme: classic\n', '');
const grace = ada.replaceAll('Ada Berg', 'Grace Hopper').replace('me.jpg', 'her.jpg');

const browser = { headers: { accept: 'text/html,*/*;q=0.8' } };
const printing = { error: { code: 'UNAVAILABLE', message: 'The resume is being printed.' } };

/** Opens a service with the profile of Ada, in which requests wait a tenth of a second for a print. */
async function openAda(t: TestContext, env: Record<string, string> = {}) {
  const folder = newFolder(t);
  const path = join(folder, 'profile.yaml');
  writeFileSync(join(folder, 'me.jpg'), jpegOf('photo'));
  writeFileSync(join(folder, 'her.jpg'), jpegOf('photo-progressive'));
  writeFileSync(path, ada);
  const service = await openTestService({ PROFILE: path, ...env }, { waitMilliseconds: 100, openPrinter });
  t.after(service.close);
  const { opened, baseUrl, ask } = service;
  const file = (link: keyof typeof opened.links, view: string | null = null, init: RequestInit = {}) =>
    ask(opened.links[link].at(new Date(), view).slice(baseUrl.length), init);
  /** Waits for a file that is printed. */
  const printed = (link: 'resume' | 'docx', view: string | null = null) =>
    eventually(async () => {
      const response = await file(link, view);
      return response.status === 200 && new Uint8Array(await response.arrayBuffer());
    });
  return {
    ...service,
    file,
    pdf: async (view: string | null = null) => pdfContents(await printed('resume', view)),
    docx: async () => readDocx(await printed('docx')).paragraphs.join('\n'),
    /** Puts a profile in place, and returns the process that prints it, which is stopped. */
    async replace(text: string): Promise<number> {
      writeFileSync(path, text);
      opened.profile.reload();
      await nextTurn();
      const [child, ...others] = childrenOf(process.pid).map(Number);
      assert.deepEqual(others, []);
      process.kill(child!, 'SIGSTOP');
      return child!;
    },
    ready: async () => (await (await ask('/readyz')).json()) as Record<string, string>,
  };
}

test('while the resume of a new profile is printed, nobody gets the one before, nor its number of pages [TRUST-79]', async (t) => {
  const { file, pdf, docx, replace, get, ask, opened, ready, ...service } = await openAda(t);
  for (const view of [null, 'systems']) assert.match(await pdf(view), /Ada Berg/);
  assert.match(await docx(), /Ada Berg/);
  assert.match(await (await ask('/', browser)).text(), /one page/);
  const child = await replace(grace);

  assert.equal(((await (await get('/candidate')).json()) as { name: string }).name, 'Grace Hopper');
  for (const [link, view] of [['resume'], ['resume', 'systems'], ['docx']] as const) {
    const refused = await file(link, view);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5'], `${link} ${view}`);
    assert.deepEqual(await refused.json(), printing);
  }
  const page = await file('resume', null, browser);
  assert.deepEqual([page.status, page.headers.get('retry-after')], [503, '5']);
  assert.match(
    await page.text(),
    /<meta http-equiv="refresh" content="5">.*<h1>The resume is being printed<\/h1>.*<a class="button" href="\/">Open the profile<\/a>/s,
  );
  assert.equal((await get('/resume?format=pdf')).status, 200);
  assert.doesNotMatch(await (await ask('/', browser)).text(), /one page/);
  assert.equal((await ready()).pdf, 'ok');

  // The photo waits for no print.
  const photo = Buffer.from(await (await file('photo')).arrayBuffer());
  assert.deepEqual(photo, opened.photoOf(opened.profile.current())?.bytes);
  assert.equal(photo.includes(jpegOf('photo-progressive').subarray(-200)), true);
  const card = await (await file('contact')).text();
  assert.match(card, /^FN:Grace Hopper\r$/m);
  assert.match(await (await openVisitor({ ask, ...service } as never).getAccess()).text(), /<img class="photo" src="/);

  process.kill(child, 'SIGCONT');
  for (const view of [null, 'systems']) {
    const contents = await pdf(view);
    assert.match(contents, /Grace Hopper/);
    assert.doesNotMatch(contents, /Ada Berg/);
  }
  assert.match(await docx(), /Grace Hopper/);
});

test('a print whose process was killed is made again by itself; until then /readyz says there is none [TRUST-79]', async (t) => {
  const { pdf, replace, file, ready } = await openAda(t);
  await pdf();
  process.kill(await replace(grace), 'SIGKILL');
  await eventually(async () => (await ready()).pdf === 'unavailable');
  const refused = await file('resume');
  assert.equal(refused.status, 503);
  const message = 'The resume cannot be printed at the moment.';
  assert.deepEqual(await refused.json(), { error: { code: 'UNAVAILABLE', message } });
  assert.match(await pdf(), /Grace Hopper/);
  assert.equal((await ready()).pdf, 'ok');
});

test('after three failures Today says what cannot be printed and why, and Print again prints it', async (t) => {
  const template = join(newFolder(t), 'mine.typ');
  writeFileSync(template, '#oops');
  const service = await openAda(t, { PDF_TEMPLATE: template });
  const { opened, ready, pdf } = service;
  const desk = await signIn(service);
  const sentence =
    /The PDF cannot be printed: mine\.typ:1:2: unknown variable\. Visitors who ask for it are told so, and can read the profile\. Print again/;
  opened.prints.update();
  await eventually(async () => {
    opened.prints.retry();
    const [failed] = opened.prints.failed();
    return failed !== undefined && failed.failures >= 3;
  });
  for (const path of ['/desk', '/desk/profile'])
    await eventually(async () => sentence.test(textOf(await (await desk.get(path)).text())));
  assert.equal((await ready()).pdf, 'unavailable');
  writeFileSync(template, '#set document(title: "Mine")\n#json(bytes(sys.inputs.profile)).candidate.name');
  assert.equal((await desk.post('/desk/print-again')).headers.get('location'), '/desk');
  assert.match(await pdf(), /Ada Berg/);
  assert.doesNotMatch(textOf(await (await desk.get('/desk')).text()), /cannot be printed/);
});

test('after a publish, the editor learns that its PDF is being printed, why it cannot be, and that it is', async (t) => {
  const template = join(newFolder(t), 'mine.typ');
  writeFileSync(template, '#for i in range(1000000) { for j in range(1000000) {} }');
  const service = await openAda(t, { PDF_TEMPLATE: template });
  const { copy, patch, publish, send } = openTab(service, await signIn(service));
  const { base } = await copy();
  const { name } = (base as { candidate: { name: string } }).candidate;
  await patch([typing('/candidate/name', name, 'Grace Hopper')]);
  const { body } = await publish();
  const [child] = childrenOf(process.pid).map(Number);
  process.kill(child!, 'SIGSTOP');
  assert.deepEqual(body.pdf, { isPrinted: false, fault: null });
  // Waits a while.
  assert.deepEqual((await send('publish/pdf')).body, { isPrinted: false, fault: null });

  writeFileSync(template, '#oops');
  process.kill(child!, 'SIGKILL');
  const becomes = (state: object) =>
    eventually(async () => {
      service.opened.prints.retry();
      return isDeepStrictEqual((await send('publish/pdf')).body, state);
    });
  await becomes({ isPrinted: false, fault: 'mine.typ:1:2: unknown variable' });
  writeFileSync(template, '#set document(title: "Mine")\nMine');
  await becomes({ isPrinted: true, fault: null });
});
