import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { rowsOf } from '../support/database.ts';
import { openOwnDesk, sample, signIn } from '../support/desk.ts';
import { documentOf, openDocumentServer, trustServer } from '../support/document-server.ts';
import { stateIn } from '../support/editor-desk.ts';
import { newFolder } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { postJson } from '../support/post-json.ts';
import { openSetup, setupCode } from '../support/setup.ts';

/** What only somebody who runs servers understands: names of settings, paths of files, ids of tokens. */
const technical =
  /\b[A-Z][A-Z\d]*_[A-Z_\d]+\b|\b(?:HOST|PORT|PROFILE|LIMITS|OAUTH)\b|(?<![\w:/])\/(?:[\w.@-]+\/)+[\w.@-]+|\b[\w-]+\.(?:ya?ml|md|db|eml)\b|\b[\da-f]{32}\b|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/;

/** Returns what a page shows while every `details` is closed, without what its owner has typed. */
function shownOf(page: string): string {
  const innermost =
    /<details\b[^>]*>\s*(<summary\b(?:(?!<details\b)[\s\S])*?<\/summary>)(?:(?!<details\b)[\s\S])*?<\/details>/g;
  const body = page.replace(/^[\s\S]*?<body/, '<body').replaceAll(/<script\b[\s\S]*?<\/script>/g, '');
  let [shown, before] = [body, ''];
  while (shown !== before) [before, shown] = [shown, shown.replaceAll(innermost, '$1')];
  return shown
    .replaceAll(/<textarea\b[\s\S]*?<\/textarea>|<a class="button" href="mailto:[^"]*"/g, '')
    .replaceAll(
      /<(?!\/?(?:b|i|q|em|bdi|code|span|strong|a)\b)[^>]*?(?: (?:title|placeholder|aria-label|alt)="([^"]*)")?[^>]*>/g,
      ' $1 ',
    )
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ');
}

type Get = (path: string) => Promise<Response>;

/** Opens pages, and all that they lead to at the desk; returns the paths of those that were opened. */
async function walk(get: Get, from: readonly string[]): Promise<string[]> {
  const paths = new Set(from);
  const opened: string[] = [];
  for (const path of paths) {
    const response = await get(path);
    const location = response.headers.get('location');
    if (location !== null) paths.add(location);
    if (!response.headers.get('content-type')?.startsWith('text/html')) continue;
    const page = await response.text();
    opened.push(path);
    // The page for YAML is about a file.
    const shown = path.startsWith('/desk/profile/yaml') ? '' : shownOf(page);
    assert.doesNotMatch(shown, technical, path);
    for (const [, href] of page.matchAll(/ href="(\/desk[^"#]*)/g))
      if (!/[?&;](preview|period|done)=/.test(href!)) paths.add(href!.replaceAll('&amp;', '&'));
  }
  return opened;
}

const signInPages = ['/desk/sign-in', '/desk/sign-in/sent', '/desk/sign-in?link=unknown'];

/** What visitors and the service leave at the desk: messages, mail that waits or was given up, tokens, links. */
async function fill(service: Awaited<ReturnType<typeof openOwnDesk>>): Promise<void> {
  const { folder, post, ask } = service;
  const message = { name: 'Grace Hopper', email: 'grace@example.org', company: 'Navy', message: 'Shall we talk?' };
  assert.equal(
    (await service.ask('/contact', postJson(message, { authorization: `Bearer ${service.token}` }))).status,
    201,
  );
  for (let count = 0; count < 6; count += 1) await ask('/auth/token', postJson({ email: `v${count}@example.org` }));
  await post('/desk/share/new', { name: 'Acme', until: '' }, '/desk/share');
  const errors = ['EAUTH 535', 'the owner has no address', 'ENOSPC', 'EENVELOPE 550 5.1.1', 'ESOCKET', 'unforeseen'];
  const ids = rowsOf(`${folder}/candidate-profile.db`, 'select id from outbox') as { id: string }[];
  for (const [index, error] of errors.entries())
    rowsOf(
      `${folder}/candidate-profile.db`,
      `update outbox set sent_at = null, due_at = null, last_error = '${error}' where id = '${ids[index]!.id}'`,
    );
}

test('the desk names no setting, path of a file or id of a token outside of details', async (t: TestContext) => {
  const service = await openOwnDesk(t);
  await fill(service);
  const proposal = { name: 'cv.pdf', baseRevision: '', revision: 'r', savedAt: new Date(), text: `${sample}# more\n` };
  await service.opened.store.proposals.add(proposal);
  const opened = await walk(service.get, ['/desk', '/desk/profile/history', ...signInPages]);
  for (const path of ['/desk/mail', '/desk/profile', '/desk/profile/proposals', '/desk/profile/history/1'])
    assert.ok(opened.includes(path), path);
  for (const kind of ['/desk/readers/', '/desk/inbox/', '/desk/share/', '/desk/profile/proposals/'])
    assert.ok(
      opened.some((path) => path.startsWith(kind)),
      kind,
    );
});

test('nor does it while the profile has faults and warnings, and nothing is recorded or kept', async (t) => {
  const env = { READER_RECORD: 'off', KEEP_HISTORY: '0', OWNER_EMAIL: 'lena@example.com', LIMITS: '1' };
  const service = await openOwnDesk(t, sample, {
    ...env,
    SMTP_URL: 'smtp://127.0.0.1:1',
    KEEP_READS: '1d',
    KEEP_CONTACTS: '1d',
  });
  await walk(service.get, ['/desk', '/desk/readers?period=30', ...signInPages]);
  writeFileSync(
    service.file,
    sample.replace('years_experience: 14', 'years_experience: many').replace(/^owner_email.*\n/m, ''),
  );
  await walk(service.get, ['/desk']);
});

test('nor does it while the file lacks the address of its owner, or cannot be changed here', async (t) => {
  const service = await openOwnDesk(t);
  writeFileSync(service.file, sample.replace(/^owner_email.*\n/m, ''));
  const { copy } = stateIn(await service.page('/desk/profile'));
  for (const { summary } of copy.findings) assert.doesNotMatch(summary, technical);
  assert.match(
    copy.findings.find(({ pointer }) => pointer === '/owner_email')?.summary ?? '',
    /^Where the service writes to you: Write an address: /,
  );
  await walk(service.get, ['/desk/profile']);
  chmodSync(service.file, 0o444);
  await walk(service.get, ['/desk/profile']);
});

test('nor does it on the sample, or before there is a profile', async (t) => {
  const folder = newFolder(t);
  const onSample = await openTestService({
    PROFILE: join(import.meta.dirname, '../../examples/profile.yaml'),
    DATA_DIR: folder,
  });
  t.after(onSample.close);
  await walk((await signIn(onSample)).get, ['/desk', ...signInPages]);
  const setup = await openSetup(t);
  await walk((await setup.signInByCode()).get, ['/desk']);
  await walk((path) => setup.ask(path), ['/desk', ...signInPages]);
  assert.doesNotMatch(shownOf(await (await setup.enter(`not ${setupCode}`)).text()), technical);
});

test('nor does it if the profile is at an address, or others can reach the page to sign in', async (t) => {
  trustServer(t);
  const server = await openDocumentServer(t, documentOf(sample));
  const service = await openTestService({ PROFILE: `${server.origin}/me`, BASE_URL: 'https://profile.example' });
  t.after(service.close);
  await walk((await signIn(service)).get, ['/desk']);
  await walk((path) => service.ask(path), ['/desk', ...signInPages]);
});
