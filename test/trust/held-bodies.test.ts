import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { endLink, makeLink } from '../../src/operations/owner/links.ts';
import { invokerFor } from '../../src/operations/owner/operation.ts';
import { getProfileDocument } from '../../src/operations/owner/profile.ts';
import { changeText, getWorkingCopy } from '../../src/operations/owner/working-copy.ts';
import { formTokenOf, openOwnDesk, printLink, sample, signIn } from '../support/desk.ts';
import { type Cleanup, fixture } from '../support/files.ts';
import { type Held, keptBy, openHolding, requestsOf, type Sent } from '../support/held-requests.ts';
import { authorizationUrl, callsOf, codeOf, exchangeOf } from '../support/oauth-flow.ts';
import { hiddenField, openPage, openVisitor } from '../support/pages.ts';
import { postJson } from '../support/post-json.ts';
import { openSetup, setupCode } from '../support/setup.ts';

const settings = { READER_RECORD: 'off', MCP_MUTATIONS: 'true' };
const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };

const json = (path: string, headers: Record<string, string>, body: unknown): Sent => {
  const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return { method: 'POST', path, headers: { ...types, ...headers }, body: JSON.stringify(body) };
};

const ours = { 'sec-fetch-site': 'same-origin' };

const form = (path: string, cookie: string, fields: Record<string, string>): Sent => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie, ...ours };
  return { method: 'POST', path, headers, body: new URLSearchParams(fields).toString() };
};

function upload(path: string, cookie: string, name: string, fields: Record<string, string>): Sent {
  const parts = Object.entries(fields).map(([field, value]) => `name="${field}"\r\n\r\n${value}`);
  const file = `name="${name}"; filename="mine.yaml"\r\n\r\n${sample}`;
  const body = [...parts, file].map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`).join('');
  const headers = { 'content-type': 'multipart/form-data; boundary=b', cookie, ...ours };
  return { method: 'POST', path, headers, body: `${body}--b--` };
}

const cookiesOf = ({ cookies }: ReturnType<typeof openVisitor>) =>
  [...cookies].map((pair) => pair.join('=')).join('; ');

const call = { name: 'create_contact', arguments: contact };

/** What the routes are sent that are allowed by … */
const bodies = {
  /** A bearer token. */
  token: {
    'POST /contact': contact,
    'POST /evidence': { text: 'Requirements:\n- Writing a rewrite' },
    'POST /mcp': { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
    'POST /oauth/register': { redirect_uris: ['http://127.0.0.1:33418/callback'] },
  },
  /** A session of a visitor. */
  visit: {
    'POST /profile/write': contact,
    'POST /profile/token': {},
    'POST /profile/leave': {},
    'POST /profile/record/erase': {},
    'POST /profile/session': {},
  },
};

/** The routes that are allowed by what the body or the address names. */
const bySecret = [
  'POST /profile',
  'POST /s/:code',
  'POST /oauth/token',
  'POST /oauth/consent/:id{[\\w-]+}',
  'POST /desk/sign-in/confirm',
  'POST /desk/sign-in/code',
];

const forAnybody = ['POST /', 'POST /auth/token', 'POST /oauth/revoke', 'POST /desk/sign-in'];

/** A service with a profile of its own, a visitor with a message, and a session at the desk. */
async function openWorld(t: Cleanup) {
  const text = `${readFileSync(fixture('profile.yaml'), 'utf8')}evidence: true\n`;
  const service = await openOwnDesk(t, text, settings);
  const { ask, opened, token, baseUrl } = service;
  const run = invokerFor(opened.owner);
  const sent = await ask('/contact', postJson(contact, { authorization: `Bearer ${token}` }));
  const { id: message } = (await sent.json()) as { id: string };
  async function openLink() {
    const { link, address } = await run(makeLink, { name: 'Acme', view: 'all', may_write: true });
    const path = address.slice(baseUrl.length);
    const visitor = openVisitor(service);
    await visitor.post(path, {}, path);
    return { path, visitor, end: () => run(endLink, { id: link.id }) };
  }
  const revoke = () => opened.owner.tokens.revoke({ kind: 'all' });
  return { ...service, run, message, openLink, revoke, hold: await openHolding(t, service) };
}
type World = Awaited<ReturnType<typeof openWorld>>;

/** Returns the routes of a service that take a body, each with the request that is read. */
async function takersOf({ app, hold, token, cookie, openLink }: World): Promise<ReadonlyMap<string, Sent>> {
  const { visitor } = await openLink();
  const cookies = `${cookie}; ${cookiesOf(visitor)}`;
  const takers = new Map<string, Sent>();
  for (const route of new Set((await app.routes()).flatMap(requestsOf))) {
    const [method = '', pattern = ''] = route.split(' ');
    if (method === 'GET') continue;
    const path = pattern.replaceAll(/:\w+(\{.*?\})?\??/g, 'x').replace('*', 'x');
    for (const one of [json(path, {}, {}), form(path, '', { a: 'b' }), upload(path, '', 'a', {})]) {
      const headers = { ...one.headers, ...ours, cookie: cookies, authorization: `Bearer ${token}` };
      const held = await hold({ ...one, method, headers });
      await held.finish();
      if (held.isHeld) takers.set(route, one);
    }
  }
  return takers;
}

let routes: ReadonlyMap<string, Sent>;
before(async () => {
  routes = await takersOf(await openWorld({ after }));
});

const isOfDesk = (route: string) => /^(POST|PATCH) \/desk\/(?!sign-in)/.test(route);

test('what allows each route that takes a body is known to these tests [TRUST-78]', () => {
  assert.deepEqual(
    [...routes.keys()].filter((route) => !isOfDesk(route)).toSorted(),
    [...Object.values(bodies).flatMap(Object.keys), ...bySecret, ...forAnybody].toSorted(),
  );
});

/** Ends what allowed requests that lack one byte, and sends that; asserts that nothing is done. Returns the answers. */
async function finishAfter(
  requests: ReadonlyMap<string, Sent>,
  { hold, ...world }: Pick<World, 'hold' | 'folder' | 'file'>,
  end: () => Promise<unknown>,
) {
  const held = new Map<string, Held>();
  for (const [route, sent] of requests) held.set(route, await hold(sent));
  for (const [route, { isHeld }] of held) assert.ok(isHeld, `${route} was answered before its last byte`);
  await end();
  const kept = keptBy(world);
  const answers = new Map<string, Awaited<ReturnType<Held['finish']>>>();
  for (const [route, { finish }] of held) {
    answers.set(route, await finish());
    assert.deepEqual(keptBy(world), kept, route);
  }
  return answers;
}

const statusesOf = (answers: Awaited<ReturnType<typeof finishAfter>>) =>
  Object.fromEntries([...answers].map(([route, { status }]) => [route, status]));

const allWith = (status: number, routes: Iterable<string>) =>
  Object.fromEntries([...routes].map((one) => [one, status]));

/** A change of the working copy. */
const edit = { id: 'e', step: 'e', patch: [{ op: 'add', path: '/notes', value: ['x'] }] };

/** The status of a route of the desk without a session: scripts are told otherwise than people. */
const refusals = (forms: ReadonlyMap<string, Sent>) =>
  Object.fromEntries(
    [...forms].map(([route, { headers }]) => [route, headers['content-type'] === 'application/json' ? 401 : 403]),
  );

/** Returns a form for each route of the desk; the path of a route has these ids. */
function deskForms(
  cookie: string,
  fields: { readonly form_token: string; readonly revision: string },
  ids: Readonly<Record<string, string>>,
) {
  const forms = new Map<string, Sent>();
  for (const [route, { headers }] of routes) {
    if (!isOfDesk(route)) continue;
    const [method = '', pattern = ''] = route.split(' ');
    if (headers['content-type'] === 'application/json') {
      const { form_token, ...body } = fields;
      const ofScript = { ...ours, cookie, 'x-form-token': form_token, 'if-match': `"${fields.revision}"` };
      const sent = { ...body, version: 1, pointer: '', value: 'mine', events: [edit] };
      forms.set(route, { ...json(pattern, ofScript, sent), method });
      continue;
    }
    const [, section = ''] = /\/(\w+)\/:id/.exec(route) ?? [];
    const filled: Record<string, string | undefined> = { id: ids[section], part: 'summary', entry: '0' };
    const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => filled[name] ?? 'x');
    const isUpload = headers['content-type']!.startsWith('multipart');
    const file = path.includes('/photo/') ? 'photo' : 'resume';
    const { form_token } = fields;
    forms.set(route, isUpload ? upload(path, cookie, file, { form_token }) : form(path, cookie, fields));
  }
  return forms;
}

/** Returns the ids of something of each kind that the desk has, and fields by which most forms would change it. */
async function changeable({ run, message, opened, now, page }: World) {
  const { link } = await run(makeLink, { name: 'Acme', view: 'all', may_write: true });
  const { revision: baseRevision } = await run(getProfileDocument, {});
  await run(changeText, { text: now().replace('Builds', 'Makes') });
  const { revision } = await run(getWorkingCopy, {});
  const proposal = { name: 'cv.pdf', baseRevision, revision: 'r', savedAt: new Date(), text: 'name: x' };
  const proposalId = await opened.store.proposals.add(proposal);
  await opened.owner.profileDocument.keepCurrent();
  const [, reader = ''] = /\/desk\/readers\/([\w-]{20,})"/.exec(await page('/desk/readers'))!;
  const fields = {
    ...{ revision, text: `${now()}# new\n` },
    ...{ name: 'Other', view: 'all', until: '', note: 'Met', state: 'spam', what: 'message', reply: 'Yes', key: 'k1' },
    ...{ contact_request: 'daily', auth_request: 'daily' },
  };
  return { fields, ids: { share: link.id, inbox: message, readers: reader, history: '1', proposals: proposalId! } };
}

for (const end of ['sign-out-everywhere', 'sign-out'])
  test(`no form of the desk acts once its session was ended by ${end}, before its last byte [TRUST-78]`, async (t) => {
    const world = await openWorld(t);
    const other = await signIn(world);
    const { cookie, get } = end === 'sign-out' ? world : other;
    const { fields, ids } = await changeable(world);
    const forms = deskForms(cookie, { form_token: formTokenOf(await (await get('/desk')).text()), ...fields }, ids);
    const answers = await finishAfter(forms, world, () => world.post(`/desk/${end}`));
    assert.deepEqual(statusesOf(answers), refusals(forms));
    for (const [route, { text }] of answers)
      assert.match(text, /You have been signed out|Sign in to your desk|Your session has ended/, route);
  });

test('no form acts that the setup code allowed once another session has published [TRUST-78]', async (t) => {
  const setup = await openSetup(t, settings);
  const [author, late] = [await setup.signInByCode(), await setup.signInByCode()];
  const firstPage = await (await late.get('/desk/profile/yaml')).text();
  const fields = { revision: hiddenField(firstPage, 'revision'), text: sample, name: 'Eve' };
  const forms = deskForms(late.cookie, { form_token: formTokenOf(firstPage), ...fields }, {});
  const signInPage = await (await setup.ask('/desk')).text();
  forms.set(
    'POST /desk/sign-in/code',
    form('/desk/sign-in/code', '', { form_token: formTokenOf(signInPage), code: setupCode }),
  );
  const answers = await finishAfter(forms, { ...setup, hold: await openHolding(t, setup) }, async () => {
    assert.equal((await author.publish(sample)).status, 200);
  });
  assert.deepEqual(statusesOf(answers), refusals(forms));
  for (const [route, { text, headers }] of answers) {
    assert.deepEqual(headers['set-cookie']?.filter((line) => !line.startsWith('kept=')) ?? [], [], route);
    assert.doesNotMatch(text, /Elena|candidate:/, route);
  }
  assert.equal((await author.get('/desk')).status, 200);
});

for (const by of ['was revoked', 'has ended with its link'])
  test(`no request acts once its token ${by}, before its last byte [TRUST-37] [TRUST-78]`, async (t) => {
    const world = await openWorld(t);
    const link = await world.openLink();
    const text = by === 'was revoked' ? world.token : await link.visitor.showToken();
    const requests = new Map(
      Object.entries(bodies.token).map(([route, body]) => [
        route,
        json(route.slice(5), { authorization: `Bearer ${text}` }, body),
      ]),
    );
    const answers = await finishAfter(requests, world, by === 'was revoked' ? world.revoke : link.end);
    assert.deepEqual(statusesOf(answers), allWith(401, requests.keys()));
  });

for (const by of ['token was revoked', 'link ended'])
  test(`no form of a visitor acts once the ${by}, before its last byte [TRUST-78]`, async (t) => {
    const world = await openWorld(t);
    const link = await world.openLink();
    const cookie = cookiesOf(link.visitor);
    const form_token = hiddenField(await (await link.visitor.get('/')).text(), 'form_token');
    const requests = new Map(
      Object.entries(bodies.visit).map(([route, fields]) => [
        route,
        form(route.slice(5), cookie, { form_token, ...fields }),
      ]),
    );
    const answers = await finishAfter(requests, world, by === 'link ended' ? link.end : world.revoke);
    assert.deepEqual(statusesOf(answers), allWith(401, requests.keys()));
  });

test('what a body or an address names is judged once all of the body is there [TRUST-78]', async (t) => {
  const world = await openWorld(t);
  const { ask, baseUrl, token, opened, openLink, post, revoke } = world;
  const form_token = formTokenOf(await (await openPage(world, '/')).text());
  const link = await openLink();
  const signIn = new URL((await printLink(opened)).url).searchParams.get('link')!;
  const toPath = (url: string | URL) => String(url).replace(baseUrl, '');
  const client = callsOf(baseUrl, (url, init) => ask(toPath(url), init));
  const { clientId, code } = await codeOf(client);
  const visitor = openVisitor({ ask: (path, init) => ask(toPath(path), init) });
  const asked = await (await visitor.get(toPath(authorizationUrl(client, clientId)))).text();
  const [, consent = ''] = /action="(\/oauth\/consent\/[^"]+)"/.exec(asked)!;
  const allowing = await (await visitor.post(consent, { email: 'ada@example.org', step: 'address' }, consent)).text();
  const cookie = cookiesOf(visitor);
  const allow = { form_token, address: hiddenField(allowing, 'address'), step: 'allow' };

  const requests = new Map([
    ['POST /profile', form('/profile', '', { form_token, token })],
    ['POST /s/:code', form(link.path, '', { form_token })],
    ['POST /oauth/token', form('/oauth/token', '', exchangeOf({ clientId, code }))],
    ['POST /oauth/consent/:id{[\\w-]+}', form(consent, cookie, allow)],
    ['POST /desk/sign-in/confirm', form('/desk/sign-in/confirm', '', { form_token, link: signIn })],
  ]);
  assert.deepEqual([...requests.keys(), 'POST /desk/sign-in/code'], bySecret);
  const answers = await finishAfter(requests, world, async () => {
    await revoke();
    await link.end();
    await post('/desk/sign-out-everywhere');
  });
  // A wrong token leads back to the first page, which says so.
  assert.deepEqual(
    [...answers.values()].map(({ status }) => status),
    [303, 404, 400, 404, 404],
  );
  const { headers } = answers.get('POST /profile')!;
  assert.equal(headers.location, '/?wrong=token');
  for (const { headers } of answers.values()) assert.doesNotMatch(String(headers['set-cookie']), /visitor=|desk=/);
});
