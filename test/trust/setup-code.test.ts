import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { openApp } from '../../src/service/app.ts';
import { readConfig } from '../../src/service/config/config.ts';
import { openLog } from '../../src/service/log.ts';
import { openServices } from '../../src/service/services.ts';
import { formPost, sample } from '../support/desk.ts';
import { openSetup, setupCode } from '../support/setup.ts';
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
  for (let network = 0; network < 120; network += 1)
    if ((await enter('another guess', `198.18.${network}.1`)).status === 403) accepted += 1;
  assert.ok(accepted <= 90, `${accepted} guesses`);
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

test('once there is a profile, the code opens nothing, and ends every session but that of the author [TRUST-77]', async (t) => {
  const { signInByCode, enter, ask } = await openSetup(t);
  const [author, other] = [await signInByCode(), await signInByCode()];
  assert.equal((await other.get('/desk/profile/import')).status, 200);
  assert.equal((await author.publish(sample)).status, 303);
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
  assert.equal((await owner.publish(sample)).status, 303);
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
  const [first, second] = [await owner.prepare(sample), await late.prepare(`${sample}# another\n`)];
  const [published, answered] = await Promise.all([first(), second()]);
  assert.deepEqual([published.status, answered.status], [303, 403]);
  // Nor would it be by the page on which the two texts differ.
  assert.doesNotMatch(await answered.text(), /candidate:/);
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
    assert.equal((await author.publish(sample)).status, 303);
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
    const app = openApp(config, before.baseUrl, opened, log);
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
    const fields = { form_token: field('form_token'), revision: field('revision') };
    const restored = await send('/desk/profile/history/1/restore', formPost(fields, { cookie }));
    assert.equal(restored.status, 303);
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
