import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { operations } from '../../src/operations/index.ts';
import { sample } from '../support/desk.ts';
import { openTab, stateIn } from '../support/editor-desk.ts';
import { postJson } from '../support/post-json.ts';
import { openSetup } from '../support/setup.ts';

const html = { headers: { accept: 'text/html' } };
const unavailable = { error: { code: 'UNAVAILABLE', message: 'There is no profile here yet.' } };

test('without a profile the first page says that nothing is here, and probes find a service that is ready', async (t) => {
  const { ask } = await openSetup(t);
  const page = await ask('/', html);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<h1>Nothing here yet<\/h1>/);
  assert.equal((await ask('/')).status, 200);
  assert.equal((await ask('/healthz')).status, 200);
  const ready = await ask('/readyz');
  assert.deepEqual(
    [ready.status, await ready.json()],
    [200, { status: 'ready', store: 'ok', profile: 'none', mail: 'ok', pdf: 'ok' }],
  );
});

test('without a profile every operation over REST, and MCP, is unavailable, and says when to try again', async (t) => {
  const { ask, get } = await openSetup(t);
  for (const { rest } of operations)
    for (const response of [
      await ask(rest.path.replace('{id}', 'one'), rest.method === 'POST' ? postJson({}) : { method: rest.method }),
      await get(rest.path.replace('{id}', 'one')),
    ]) {
      assert.deepEqual([response.status, await response.json()], [503, unavailable], rest.path);
      assert.equal(response.headers.get('retry-after'), '60');
    }
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
  for (const method of ['GET', 'POST', 'DELETE']) {
    const response = await ask('/mcp', method === 'POST' ? postJson(initialize) : { method });
    assert.deepEqual([response.status, await response.json()], [503, unavailable]);
  }
});

test('without a profile every other address is unavailable as well, to programs and to browsers', async (t) => {
  const { ask, app } = await openSetup(t);
  const served = /^\/(desk(\/.*)?|assets\/:name|healthz|readyz|favicon\.svg|)$/;
  const paths = new Set(
    (await app.routes()).map(({ path }) => path).filter((path) => !served.test(path) && path !== '/*'),
  );
  for (const path of [...paths, '/nowhere', '/sitemap.xml', '/oauth/token']) {
    const address = path.replaceAll(/:\w+(\{[^}]*\})?/g, 'one').replaceAll('*', 'one');
    const response = await ask(address);
    assert.deepEqual([response.status, await response.json()], [503, unavailable], path);
    const page = await ask(address, html);
    assert.deepEqual([page.status, page.headers.get('retry-after')], [503, '60'], path);
    assert.match(await page.text(), /<h1>Nothing here yet<\/h1>/);
  }
  assert.ok(paths.size > 20, `${paths.size} paths`);
});

test('the desk asks for the code; with it, it leads to the page on which a profile is put here', async (t) => {
  const { ask, enter, signInByCode } = await openSetup(t);
  const page = await ask('/desk', html);
  assert.equal(page.status, 403);
  assert.match(await page.text(), /<input type="password" id="code" name="code" required autocomplete="off"/);
  const wrong = await enter('seven swift otters 42');
  assert.equal(wrong.status, 403);
  assert.deepEqual(wrong.headers.getSetCookie(), []);
  const text = await wrong.text();
  assert.match(text, /This is not the code of this site\./);
  assert.doesNotMatch(text, /otters/);

  const desk = await signInByCode();
  for (const path of ['/desk', '/desk/readers', '/desk/inbox', '/desk/mail', '/desk/profile']) {
    const response = await desk.get(path);
    assert.deepEqual([response.status, response.headers.get('location')], [303, '/desk/profile/import'], path);
  }
  const first = await (await desk.get('/desk/profile/import')).text();
  assert.match(first, /<h1>Put your profile here<\/h1>/);
  const navigation = /<nav class="tabs" aria-label="Desk">(.*?)<\/nav>/s.exec(first)![1]!;
  assert.deepEqual(
    [...navigation.matchAll(/>(\w+)<\/a>/g)].map(([, title]) => title),
    ['Profile'],
  );
  for (const path of ['?empty', '/yaml', '/proposals', '/history'])
    assert.equal((await desk.get(`/desk/profile${path}`)).status, 200, path);
});

test('what is published first is served at once, and its author stays signed in', async (t) => {
  const { ask, signInByCode, file } = await openSetup(t);
  const desk = await signInByCode();
  const faulty = await desk.publish('candidate: {}');
  assert.equal(faulty.status, 409);
  assert.equal(existsSync(file), false);
  const published = await desk.publish(sample);
  assert.deepEqual([published.status, published.body.published], [200, true]);
  assert.equal(readFileSync(file, 'utf8'), sample);
  assert.equal((await desk.get('/desk')).status, 200);
  assert.match(await (await ask('/', html)).text(), /Ada Example|<h1/);
  const token = await ask('/auth/token', postJson({ email: 'visitor@example.org' }));
  const { access_token } = (await token.json()) as { access_token: string };
  const candidate = await ask('/candidate', { headers: { authorization: `Bearer ${access_token}` } });
  assert.equal(candidate.status, 200);
  assert.equal(((await (await ask('/readyz')).json()) as { profile: string }).profile, 'ok');
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const initialize = postJson({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const accept = 'application/json, text/event-stream';
  const opened = await ask('/mcp', {
    ...initialize,
    headers: { ...initialize.headers, accept, authorization: `Bearer ${access_token}` },
  });
  assert.deepEqual([opened.status, /candidate-profile/.test(await opened.text())], [200, true]);
});

test('an empty page becomes a profile, with all that is required, as it is typed', async (t) => {
  const { ask, signInByCode, file } = await openSetup(t);
  const desk = await signInByCode();
  const { copy } = stateIn(await (await desk.get('/desk/profile?empty')).text());
  assert.deepEqual([copy.base, copy.findings, copy.unpublished], [{}, [], 0]);
  const tab = openTab({ ask }, desk);
  await tab.copy();
  const add = (path: string, value: unknown) => ({
    id: path,
    step: path,
    patch: [{ op: 'add' as const, path, value }],
  });
  const job = { company: 'Casco Bay', roles: [{ title: 'Charge Nurse', start_date: '2019-03' }] };
  await tab.patch([add('/candidate', { name: 'Maria Oyelaran' }), add('/experience', [job])]);
  // From now on the editor opens.
  assert.equal((await desk.get('/desk/profile')).status, 200);
  assert.equal((await tab.publish()).status, 200);
  assert.equal(
    readFileSync(file, 'utf8'),
    `candidate:
  name: Maria Oyelaran
  title: ""
  location: ""
  summary: ""
  domains: []
  id: cand_maria_oyelaran
experience:
  - id: exp_casco_bay
    company: Casco Bay
    company_start_date: 2019-03
    current: true
    summary: ""
    roles:
      - title: Charge Nurse
        start_date: 2019-03
        accomplishments: []
projects: []
availability:
  status: ""
resume:
  skills: []
`,
  );
});

test('a file from outside is served, too; one with faults is not, and can be corrected at the desk', async (t) => {
  const { ask, signInByCode, opened, file } = await openSetup(t);
  const desk = await signInByCode();
  writeFileSync(file, 'candidate: {}\n');
  opened.profile.reload();
  assert.equal(((await (await ask('/readyz')).json()) as { profile: string }).profile, 'none');
  assert.match(await (await desk.get('/desk/profile/yaml')).text(), /candidate: \{\}/);
  writeFileSync(file, sample);
  opened.profile.reload();
  assert.equal(((await (await ask('/readyz')).json()) as { profile: string }).profile, 'ok');
});

test('the owner gets a link as ever, and can publish with it', async (t) => {
  const { signInByLink } = await openSetup(t);
  const desk = await signInByLink();
  assert.equal((await desk.publish(sample)).status, 200);
  assert.equal((await desk.get('/desk')).status, 200);
});
