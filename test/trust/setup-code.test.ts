import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readValues } from '../../src/model/profile/document-text.ts';
import { makeLink } from '../../src/operations/owner/links.ts';
import { invokerFor } from '../../src/operations/owner/operation.ts';
import { changeText, changeWorkingCopy, getWorkingCopy } from '../../src/operations/owner/working-copy.ts';
import { openApp } from '../../src/service/app.ts';
import { readConfig } from '../../src/service/config/config.ts';
import { openLog } from '../../src/service/log.ts';
import { openServices } from '../../src/service/services.ts';
import { formPost, formTokenOf, sample } from '../support/desk.ts';
import { openTab } from '../support/editor-desk.ts';
import { keptBy } from '../support/held-requests.ts';
import { openSetup, setupCode } from '../support/setup.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';
import { contact, grant, keyOf, noon, notice, token } from '../support/store.ts';

test('guesses of the setup code are limited for each network and in all, and a right one counts as well [TRUST-77]', async (t) => {
  const { enter } = await openSetup(t, { LIMITS: '1' });
  for (let tries = 0; tries < 10; tries += 1) assert.equal((await enter(`guess ${tries}`)).status, 403);
  const refused = await enter(setupCode);
  assert.equal(refused.status, 429);
  assert.deepEqual(refused.headers.getSetCookie(), []);
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
  // Each from a network that has not tried before.
  let accepted = 0;
  for (let network = 0; network < 60; network += 1)
    if ((await enter('another guess', `198.18.${network}.1`)).status === 403) accepted += 1;
  assert.equal(accepted, 50);
});

test('an empty code does not count as a guess, and blanks around the code are ignored [TRUST-77]', async (t) => {
  const { enter } = await openSetup(t, { LIMITS: '1' });
  for (let tries = 0; tries < 12; tries += 1) assert.equal((await enter('  ')).status, 403);
  assert.equal((await enter(` ${setupCode}\n`)).status, 303);
});

test('the form for the setup code needs its token, and comes from no other site [TRUST-77]', async (t) => {
  const { ask } = await openSetup(t);
  const without = await ask('/desk/sign-in/code', formPost({ code: setupCode }));
  assert.equal(without.status, 403);
  assert.deepEqual(without.headers.getSetCookie(), []);
  assert.doesNotMatch(await without.text(), /otters/);
  const foreign = await ask('/desk/sign-in/code', formPost({ code: setupCode }, { 'sec-fetch-site': 'cross-site' }));
  assert.equal(foreign.status, 403);
  assert.deepEqual(foreign.headers.getSetCookie(), []);
});

test('once there is a profile, the code opens nothing, and ends every session except the author’s [TRUST-77]', async (t) => {
  const { signInByCode, enter, ask } = await openSetup(t);
  const [author, other] = [await signInByCode(), await signInByCode()];
  assert.equal((await other.get('/desk/profile/import')).status, 200);
  assert.equal((await author.publish(sample)).status, 200);
  assert.equal((await author.get('/desk')).status, 200);
  for (const path of ['/desk', '/desk/profile/import', '/desk/readers']) {
    const response = await other.get(path);
    assert.equal(response.status, 403, path);
    assert.doesNotMatch(await response.text(), /The code</);
  }
  const late = await enter(setupCode);
  assert.deepEqual([late.status, late.headers.getSetCookie()], [403, []]);
  assert.match(await late.text(), /There is a profile here now, so the code opens nothing any more\./);
  assert.doesNotMatch(await (await ask('/desk')).text(), /SETUP_CODE/);
});

test('a profile that somebody else has published ends the sessions of the code, too [TRUST-77]', async (t) => {
  const { signInByCode, signInByLink, opened, file } = await openSetup(t);
  const byCode = await signInByCode();
  const owner = await signInByLink();
  assert.equal((await owner.publish(sample)).status, 200);
  assert.equal((await byCode.get('/desk')).status, 403);
  assert.equal((await owner.get('/desk')).status, 200);

  const second = await openSetup(t);
  const waiting = await second.signInByCode();
  writeFileSync(second.file, sample);
  second.opened.profile.reload();
  assert.equal((await waiting.get('/desk/profile/yaml')).status, 403);
  assert.notEqual(opened.profile.path(), second.file);
  assert.notEqual(file, second.file);
});

test('a request of the code that is under way when the profile comes is not answered with it [TRUST-77]', async (t) => {
  const { signInByCode, signInByLink } = await openSetup(t);
  const [late, owner] = [await signInByCode(), await signInByLink()];
  const [first, second] = [await owner.prepare(sample), await late.prepare(sample)];
  const [published, answered] = await Promise.all([first(), second()]);
  assert.deepEqual([published.status, answered.status], [200, 401]);
  // Nor would it be by the values in which the two texts differ.
  assert.doesNotMatch(JSON.stringify(answered.body), /candidate/);
});

test('of two sessions of the code that publish one text at once, one becomes the owner’s, and one ends [TRUST-78]', async (t) => {
  const { signInByCode } = await openSetup(t);
  const browsers = [await signInByCode(), await signInByCode()];
  const publish = await Promise.all(browsers.map(({ prepare }) => prepare(sample)));
  const published = await Promise.all(publish.map((send) => send()));
  assert.deepEqual(published.map(({ status }) => status).toSorted(), [200, 401]);
  for (const [index, { get }] of browsers.entries())
    assert.equal((await get('/desk')).status, published[index]!.status === 200 ? 200 : 403);
});

/** A service without a profile, where an earlier version has let the code make a link, and a file was proposed. */
async function openWithProposal(t: Parameters<typeof openSetup>[0]) {
  const setup = await openSetup(t);
  const run = invokerFor(setup.opened.owner);
  const { link, address } = await run(makeLink, { name: 'Eve', view: 'all', may_write: true });
  const proposal = { name: 'cv.pdf', baseRevision: '', revision: 'r', savedAt: new Date(), text: 'name: x' };
  await setup.opened.store.proposals.add(proposal);
  const proposals = async () => (await setup.opened.store.proposals.list(new Date())).map(({ name }) => name);
  return { ...setup, link, address, run, proposals };
}

test('the first profile ends all links, all proposals, and all that is not in it [TRUST-78]', async (t) => {
  const { signInByCode, proposals, opened, link, ask, address, baseUrl, file } = await openWithProposal(t);
  const [author, other] = [await signInByCode(), await signInByCode()];
  mkdirSync(join(`${file}.part`, 'in the way'), { recursive: true });
  const publish = await author.prepare(sample);
  assert.equal((await publish()).status, 409);
  // What is left after a crash before the file is written, too: the owner publishes again.
  assert.deepEqual(await proposals(), []);
  assert.equal((await other.get('/desk/profile/import')).status, 403);
  assert.notEqual((await opened.store.links.find(link.id))?.endedAt, null);
  rmSync(`${file}.part`, { recursive: true });
  assert.equal((await publish()).status, 200);
  assert.equal(await opened.store.workingCopy.load(), null);
  assert.equal((await ask(address.slice(baseUrl.length), { headers: { accept: 'text/html' } })).status, 404);
});

for (const when of ['before', 'after'] as const)
  test(`a change that is made just ${when} the first profile is written stays in the working copy`, async (t) => {
    const { signInByCode, opened } = await openSetup(t);
    const { desk } = opened.store;
    const run = invokerFor(opened.owner);
    const { beginFirstProfile, keepSession } = desk;
    const publish = await (await signInByCode()).prepare(sample);
    async function change(session: string) {
      const { revision } = await run(getWorkingCopy, {});
      const patch = [{ op: 'replace', path: '/candidate/title', value: 'Nurse' }] as const;
      await run(changeWorkingCopy, { events: [{ id: 'late', step: 'late', patch }], revision, session });
    }
    desk.beginFirstProfile = async (session, ...rest) => {
      const refusal = await beginFirstProfile(session, ...rest);
      if (when === 'before') await change(session!);
      return refusal;
    };
    desk.keepSession = async (session) => {
      if (when === 'after') await change(session);
      await keepSession(session);
    };
    assert.equal((await publish()).status, 200);
    const { base, changes } = await run(getWorkingCopy, {});
    assert.deepEqual([base, changes.map(({ id }) => id)], [readValues(sample), ['late']]);
  });

test('a session of the code that failed to publish is not the owner’s, and ends when another one publishes [TRUST-78]', async (t) => {
  const { signInByCode, file } = await openSetup(t);
  const first = await signInByCode();
  mkdirSync(join(`${file}.part`, 'in the way'), { recursive: true });
  assert.equal((await first.publish(sample)).status, 409);
  rmSync(`${file}.part`, { recursive: true });
  const second = await signInByCode();
  assert.equal((await second.publish(sample)).status, 200);
  assert.equal((await first.get('/desk')).status, 403);
  assert.equal((await second.get('/desk')).status, 200);
});

test('the first profile is not published while the database cannot be written, and later it is [TRUST-78]', async (t) => {
  const { signInByCode, file, folder } = await openSetup(t);
  const author = await signInByCode();
  const publish = await author.prepare(sample);
  using locked = openSqliteFile(join(folder, 'candidate-profile.db'));
  locked.exec('begin immediate');
  const refused = await publish();
  assert.equal(refused.status, 409);
  assert.equal(refused.body.message, 'the database cannot be used at the moment');
  assert.equal(existsSync(file), false);
  locked.exec('rollback');
  assert.equal((await publish()).status, 200);
  assert.equal(readFileSync(file, 'utf8'), sample);
});

test('a text of a session that has ended is not kept, such as of a resume that was being read [TRUST-78]', async (t) => {
  const { signInByCode, opened, run } = await openWithProposal(t);
  const [author, other] = [await signInByCode(), await signInByCode()];
  const [, secret = ''] = other.cookie.split('=');
  const { id: session } = (await opened.owner.signIn.sessionOf(secret))!;
  assert.equal((await run(changeText, { text: 'name: x\n', session })).isStale, false);
  assert.equal((await author.publish(sample)).status, 200);
  await assert.rejects(run(changeText, { text: 'name: y\n', session }), { code: 'UNAUTHORIZED' });
  assert.equal(await opened.store.workingCopy.load(), null);
});

/** What makes a profile: pages, forms and scripts that work before there is one. */
const makingProfile = [
  ...['', '/import', '/import/reading/:id', '/yaml', '/proposals', '/proposals/:id', '/history', '/history/:id'].map(
    (page) => `GET ${page}`,
  ),
  ...[
    '',
    ...['page', 'stranger', 'accent.css', 'photo', 'design/:field/:value', ':number'].map(
      (name) => `/:revision/${name}`,
    ),
  ].map((name) => `GET /preview${name}`),
  ...['/changes', '/changes/differences', '/publish/pdf', '/photo'].map((one) => `GET ${one}`),
  'GET /drafts',
  'PATCH /changes',
  ...['/changes/choose', '/publish', '/publish/undo', '/photo'].map((one) => `POST ${one}`),
  ...['/import/read', '/import/remove', '/yaml/save', '/yaml/check', '/yaml/publish'].map((one) => `POST ${one}`),
  ...['/proposals/:id/take', '/proposals/:id/remove', '/history/:id/restore'].map((one) => `POST ${one}`),
].map((route) => route.replace(' ', ' /desk/profile'));

const allowed = [...makingProfile, 'GET /desk/availability', 'POST /desk/sign-out', 'POST /desk/sign-out-everywhere'];

test('before the first profile a session may do what makes it, and nothing else [TRUST-78]', async (t) => {
  const { app, ask, signInByCode, address, folder, file } = await openWithProposal(t);
  const { cookie, get } = await signInByCode();
  const form_token = formTokenOf(await (await get('/desk/profile/yaml')).text());
  const fields = { form_token, name: 'Eve', view: 'all', text: 'x' };
  const upload = new FormData();
  for (const [name, value] of Object.entries(fields)) upload.append(name, value);
  upload.append('resume', new Blob(['x']), 'x.png');
  const sameOrigin = { cookie, 'sec-fetch-site': 'same-origin' };
  const sendTo = async (method: string, path: string) => {
    if (method === 'GET') return get(path);
    const response = await ask(path, { ...formPost(fields, { cookie }), method });
    if (response.status !== 415) return response;
    if (response.headers.get('content-type')?.startsWith('application/json'))
      return ask(path, {
        method,
        body: '{}',
        headers: { ...sameOrigin, 'content-type': 'application/json', 'x-form-token': form_token },
      });
    return ask(path, { method, body: upload, headers: sameOrigin });
  };
  const routes = (await app.routes()).filter(({ path }) => /^\/desk(?!\/(\*|sign-in))/.test(path));
  const forms = new Set(routes.flatMap(({ method, path }) => (method === 'POST' ? [path] : [])));
  const open = new Set<string>();
  for (const { method, path } of routes) {
    // By GET, the address of a form leads to the page that it is on.
    if (method === 'GET' && forms.has(path) && !allowed.includes(`GET ${path}`)) continue;
    const kept = keptBy({ folder, file });
    const response = await sendTo(method, path.replaceAll(/:\w+/g, 'one'));
    const text = await response.text();
    assert.ok(!text.includes(address), path);
    const isRefused =
      method === 'GET'
        ? response.headers.get('location') === '/desk/profile/import'
        : response.status === 403 && /There is no profile yet/.test(text);
    if (isRefused && path !== '/desk/profile') assert.deepEqual(keptBy({ folder, file }), kept, path);
    else open.add(`${method} ${path}`);
  }
  assert.deepEqual([...open].toSorted(), [...new Set(allowed)].toSorted());
});

test('signing out ends a session of the code, and so does signing out everywhere [TRUST-77]', async (t) => {
  const { signInByCode } = await openSetup(t);
  const [first, second, third] = [await signInByCode(), await signInByCode(), await signInByCode()];
  await first.post('/desk/sign-out', {}, '/desk/profile/import');
  assert.equal((await first.get('/desk/profile/import')).status, 403);
  assert.equal((await second.get('/desk/profile/import')).status, 200);
  await second.post('/desk/sign-out-everywhere', {}, '/desk/profile/import');
  for (const one of [second, third]) assert.equal((await one.get('/desk/profile/import')).status, 403);
});

for (const [when, env] of [
  ['with a history', {}],
  ['without a history', { KEEP_HISTORY: '0' }],
] as const)
  test(`after a profile was lost the code stays closed, ${when}: the owner restores it [TRUST-77]`, async (t) => {
    const before = await openSetup(t, env);
    const author = await before.signInByCode();
    assert.equal((await author.publish(sample)).status, 200);
    await before.opened.owner.profileDocument.keepCurrent();
    rmSync(before.file);
    // The last good one goes on being served, and the code stays closed.
    before.opened.profile.reload();
    assert.equal((await before.ask('/', { headers: { accept: 'text/html' } })).status, 200);
    assert.equal(((await (await before.ask('/readyz')).json()) as { profile: string }).profile, 'stale');
    assert.equal((await before.enter(setupCode)).status, 403);

    // As after a restart, on the same data.
    const config = readConfig({ ...before.settings, DATA_DIR: before.folder, ALLOW_SAMPLE: 'true' }, before.folder);
    const log = openLog('silent', 'json');
    await using opened = await openServices(config, before.baseUrl, log, 'server');
    const app = openApp(opened);
    const send = (path: string, init: RequestInit = {}) => app.fetch(new Request(before.baseUrl + path, init));
    const page = await (await send('/desk')).text();
    assert.doesNotMatch(page, /SETUP_CODE|id="code"/);
    assert.match(await (await send('/', { headers: { accept: 'text/html' } })).text(), /Nothing here yet/);
    const [, form_token] = /name="form_token" value="([^"]+)"/.exec(page)!;
    const entered = await send('/desk/sign-in/code', formPost({ form_token: form_token!, code: setupCode }));
    assert.deepEqual([entered.status, entered.headers.getSetCookie()], [403, []]);
    // The author's session is the owner's.
    const { cookie } = author;
    const first = await (await send('/desk/profile/import', { headers: { cookie } })).text();
    assert.equal(first.includes('A profile was here, and its file is gone.'), !('KEEP_HISTORY' in env));
    const history = await (await send('/desk/profile/history', { headers: { cookie } })).text();
    if ('KEEP_HISTORY' in env) return assert.match(history, /No version is kept/);
    const version = await (await send('/desk/profile/history/1', { headers: { cookie } })).text();
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(version)![1]!;
    const fields = { form_token: field('form_token') };
    const restored = await send('/desk/profile/history/1/restore', formPost(fields, { cookie }));
    assert.equal(restored.headers.get('location'), '/desk/profile');
    assert.equal((await openTab({ ask: send }, { cookie }).publish()).status, 200);
    assert.equal(readFileSync(before.file, 'utf8'), sample);
    assert.equal(((await (await send('/readyz')).json()) as { profile: string }).profile, 'ok');
    await app.drain();
  });

test('in a database that an older version has used for a profile or for visitors, the code opens nothing [TRUST-77]', async (t) => {
  const about = { ...notice, kind: 'auth_request', about: token.jti } as const;
  const version = { revision: 'r', text: sample, kind: 'outside', at: noon } as const;
  for (const use of [
    ({ profileVersions }) => profileVersions.add(version, 200),
    ({ tokens }) => tokens.add(token, about),
    ({ contacts }) => contacts.add(contact, notice, null),
    ({ oauth }) => oauth.grants.add(grant, about),
    ({ readers }) => readers.note(keyOf('ada@example.org'), 'Met', noon),
  ] satisfies ((store: Awaited<ReturnType<typeof openSetup>>['opened']['store']) => Promise<unknown>)[]) {
    const { opened, enter } = await openSetup(t);
    await use(opened.store);
    const entered = await enter(setupCode);
    assert.deepEqual([entered.status, entered.headers.getSetCookie()], [403, []], String(use));
  }
});
