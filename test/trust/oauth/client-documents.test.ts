import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { after, test } from 'node:test';
import { clientDocumentsOf, resolverOf } from '../../../src/adapters/oauth/client-document.ts';
import { checkClientDocuments } from '../../../src/commands/doctor/network-checks.ts';
import { readConfig } from '../../../src/service/config/config.ts';
import { type Answer, clientId, documentOf, openNetwork } from '../../support/client-document.ts';
import { isFull } from '../../support/figures.ts';
import type { Cleanup } from '../../support/files.ts';
import { openNameServer } from '../../support/name-server.ts';
import { browserOf, type ClientMemory, redirectUri } from '../../support/oauth.ts';
import { authorizationUrl, codeOf, errorOf, exchange, refresh, type Service } from '../../support/oauth-flow.ts';
import { openOauthService } from '../../support/oauth-service.ts';

const elsewhere = ['93.184.215.14'];
const asPage = { headers: { accept: 'text/html' } };

const statusOf = async (service: Service, id: string) =>
  (await service.fetch(authorizationUrl(service, id), asPage)).status;

async function assertRefused(service: Service, ids: readonly string[]): Promise<void> {
  for (const id of ids) assert.equal(await statusOf(service, id), 400, id);
}

/** Returns the id of a client of the network, one of many. */
const idOf = (name: string | number) => `https://localhost/${name}.json`;

/** Answers with the document of the client that is asked for. */
const anyDocument = (path: string): Answer => ({ body: documentOf({ client_id: `https://localhost${path}` }) });

/** Opens a service whose clients have documents in a network, which can answer with another status for a while, or stop. */
async function openWithDocuments(
  t: Cleanup,
  env: Record<string, string> = {},
  answer: typeof anyDocument = anyDocument,
) {
  const state = { status: 200 };
  const opened = await openNetwork(t, elsewhere, (path, host) => {
    hosts.push(host);
    const answered = answer(path);
    return answered && { status: state.status, ...answered };
  });
  const hosts: unknown[] = [];
  return { ...opened, service: await openOauthService(t, env, opened.network), state, hosts };
}

/** A network without a way out: names are resolved, and nothing can be connected to. */
async function openCutNetwork(t: Cleanup) {
  const { network, stop } = await openNetwork(t, elsewhere, () => ({ body: documentOf() }));
  stop();
  return network;
}

const shared = await openWithDocuments({ after });

test('a client that has a document at its own address connects without registering, named by its host', async (t) => {
  const { service, connections, hosts } = await openWithDocuments(t);
  const memory: ClientMemory = {};
  await (await service.connect(memory, { metadataUrl: clientId })).close();
  assert.equal((memory.client as { client_id: string }).client_id, clientId);
  assert.deepEqual(service.rows('select client_id, client_name from oauth_grants'), [
    { client_id: clientId, client_name: 'Reader' },
  ]);
  assert.deepEqual(service.rows('select id from oauth_clients'), []);
  assert.deepEqual([connections, hosts], [['93.184.215.14:443'], ['localhost']]);
  const browser = browserOf(service.fetch, service.baseUrl);
  const page = await browser.open(authorizationUrl(service, clientId));
  const { text } = await browser.send(page, { email: 'ada@example.org', step: 'address' });
  assert.match(text, /The program chose its name itself\./);
  assert.match(text, /<dt>Describes itself at<\/dt><dd>localhost<\/dd>/);
});

test('no address of this machine, its network or its provider is connected to, however it is written [TRUST-56]', async () => {
  const { service, connections } = shared;
  const hosts = `
    127.0.0.1 127.1 127.0.0.1. 2130706433 0x7f000001 0177.0.0.1 %31%32%37.0.0.1 １２７.0.0.1 0.0.0.0 0 10.0.0.1
    100.64.0.1 169.254.169.254 172.31.255.255 192.168.0.1 198.18.0.1 224.0.0.1 255.255.255.255 [::] [::1]
    [::ffff:127.0.0.1] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2001:0:7f00:1::]
    [fe80::1] [fec0::1] [fd00:ec2::254] [ff02::1]`;
  await assertRefused(
    service,
    hosts
      .trim()
      .split(/\s+/)
      .map((host) => `https://${host}/client.json`),
  );
  assert.deepEqual(connections, []);
});

test('a name that leads to this machine or its network, if only at times, is not connected to there [TRUST-56]', async (t) => {
  const { network, connections } = await openNetwork(t, elsewhere, anyDocument);
  for (const address of ['127.0.0.1', '::ffff:10.0.0.1', '169.254.169.254', '169.254.0.1', '64:ff9b::7f00:1', '::1']) {
    // One of several is enough: which one is connected to must not depend on luck.
    const service = await openOauthService(t, {}, { ...network, resolve: async () => [...elsewhere, address] });
    assert.equal(await statusOf(service, clientId), 400, address);
  }
  assert.deepEqual(connections, []);
  // A name that changes between the check and the connection (DNS rebinding): it is resolved once, and that address connected to.
  let asked = 0;
  const resolve = async () => (asked++ === 0 ? elsewhere : ['127.0.0.1']);
  const service = await openOauthService(t, {}, { ...network, resolve });
  assert.equal(await statusOf(service, clientId), 303);
  assert.deepEqual([asked, connections], [1, ['93.184.215.14:443']]);
});

test('an id that is not the plain https address of a document is not asked for', async () => {
  const { service, connections } = shared;
  const ids = `
    http://localhost/client.json https://localhost:8443/client.json https://user@localhost/client.json
    https://localhost/client.json#fragment https://localhost/../client.json https://localhost/%2e%2e/client.json
    https://localhost\\client.json https:// file:///etc/passwd https://localhost/${'a'.repeat(500)}`;
  await assertRefused(service, [
    ...ids.trim().split(/\s+/),
    'https://local\thost/client.json',
    ' https://localhost/client.json',
  ]);
  assert.deepEqual(connections, []);
});

test('a document that redirects, has another type, is too large, or is of somebody else is refused', async (t) => {
  const wrong: Record<string, Answer> = {
    redirect: { status: 302, headers: { location: idOf('right') } },
    missing: { status: 404, body: documentOf({ client_id: idOf('missing') }) },
    failing: { status: 500 },
    page: { headers: { 'content-type': 'text/html' }, body: documentOf({ client_id: idOf('page') }) },
    picture: { headers: { 'content-type': 'image/json' }, body: documentOf({ client_id: idOf('picture') }) },
    huge: { body: documentOf({ client_id: idOf('huge'), padding: 'a'.repeat(40_000) }) },
    endless: { headers: { 'content-length': '9999999999' }, body: 'a'.repeat(100_000) },
    compressed: { headers: { 'content-encoding': 'gzip' }, body: 'not compressed' },
    other: { body: documentOf({ client_id: idOf('right') }) },
    spelled: { body: documentOf({ client_id: 'https://LOCALHOST/spelled.json' }) },
    nameless: { body: documentOf({ client_id: undefined }) },
    astray: { body: documentOf({ client_id: idOf('astray'), redirect_uris: ['https://evil.example/callback'] }) },
    number: { body: documentOf({ client_id: idOf('number'), client_name: 7 }) },
    list: { body: '[]' },
    cut: { body: documentOf({ client_id: idOf('cut') }).slice(0, -1) },
    unregistrable: { body: documentOf({ client_id: idOf('unregistrable'), redirect_uris: ['ms-msdt:/id'] }) },
  };
  const { service } = await openWithDocuments(t, {}, (path) => wrong[path.slice(1, -5)] ?? anyDocument(path));
  await assertRefused(service, Object.keys(wrong).map(idOf));
  assert.equal(await statusOf(service, idOf('right')), 303);
  const response = await service.fetch(authorizationUrl(service, idOf('unregistrable')), asPage);
  assert.match(
    await response.text(),
    /For its developers: invalid_client: redirect_uris: each must be an https address, an http/,
  );
});

test('a host that refuses connections, or speaks no TLS that is trusted, is looked up again later', async (t) => {
  const service = await openOauthService(t, {}, await openCutNetwork(t));
  const response = await service.fetch(authorizationUrl(service, clientId), asPage);
  assert.equal(response.status, 400);
  const text = await response.text();
  assert.match(text, /<h1>Your program cannot be looked up at the moment<\/h1>/);
  assert.match(text, /<a href="\/">open the profile with your e-mail address<\/a>/);
  const { untrusted } = await openNetwork(t, elsewhere, anyDocument);
  assert.equal(await statusOf(await openOauthService(t, {}, untrusted), clientId), 400);
});

test('a network that names ever new documents is refused more for a minute; others are not [TRUST-56]', async (t) => {
  const { service, connections } = await openWithDocuments(t, { LIMITS: '1' });
  const attacker = service.from('198.51.100.7');
  const wish = { grant_type: 'refresh_token', refresh_token: 'x' };
  for (let count = 0; count < 12; count += 1) {
    await attacker.token({ ...wish, client_id: idOf(`token-${count}`) });
    await statusOf(attacker, idOf(`page-${count}`));
  }
  assert.equal(connections.length, 10);
  assert.equal(await statusOf(service.from('198.51.100.8'), clientId), 303);
});

test('a server of documents that never answers holds up nobody else, and its client is refused in the end [TRUST-56]', async (t) => {
  const stalls = (path: string) => (path === '/stalled.json' ? null : anyDocument(path));
  const { service, stop } = await openWithDocuments(t, {}, stalls);
  const stalled = Array.from({ length: 50 }, () => statusOf(service, idOf('stalled')));
  assert.equal(await statusOf(service, clientId), 303);
  // In the full run, the deadline of the service ends them.
  if (!isFull) stop();
  assert.deepEqual(new Set(await Promise.all(stalled)), new Set([400]));
});

test('a name server that never answers one network holds up no name and no client of another [TRUST-61]', async (t) => {
  const names = await openNameServer(t, '93.184.215.14', (name) => name === 'localhost');
  const { network, connections } = await openNetwork(t, [], anyDocument);
  const service = await openOauthService(t, { LIMITS: '1' }, { ...network, resolve: resolverOf([names.server]) });
  const attacker = service.from('198.51.100.7');
  let pending = 10;
  const asked = names.asked();
  const silent = Array.from({ length: pending }, async (_, index) => {
    const status = await statusOf(attacker, `https://silent-${index}.test/client.json`);
    pending -= 1;
    return status;
  });
  await asked;
  // By the threads of libuv, as the name of a database server is.
  await lookup('localhost');
  assert.equal(await statusOf(service.from('198.51.100.8'), clientId), 303);
  assert.deepEqual(connections, ['93.184.215.14:443']);
  // Four names at once, and the others are refused: those did not hold up anything.
  assert.equal(pending, 4);
  assert.deepEqual((await Promise.all(silent)).sort(), [400, 400, 400, 400, 429, 429, 429, 429, 429, 429]);
  // Each of the four once, for both kinds of addresses.
  assert.equal(names.queries.filter((query) => query.startsWith('silent')).length, 8);
});

test('the page of a request fetches nothing, and is answered though the document is gone meanwhile [TRUST-62]', async (t) => {
  const { service, state, connections } = await openWithDocuments(t, { LIMITS: '1' });
  for (const step of ['allow', 'deny']) {
    const browser = browserOf(service.fetch, service.baseUrl);
    const page = await browser.open(authorizationUrl(service, clientId));
    const fetched = connections.length;
    // Without what was remembered, as in another replica.
    await service.restart();
    state.status = 404;
    for (let load = 0; load < 12; load += 1) assert.equal((await browser.open(page.url)).response.status, 200);
    const consent = await browser.send(page, { email: 'ada@example.org', step: 'address' });
    const { url: back } = await browser.send(consent, { step });
    assert.equal(back.origin + back.pathname, redirectUri);
    assert.equal(back.searchParams.get('error'), step === 'deny' ? 'access_denied' : null);
    assert.equal(connections.length, fetched);
    const code = back.searchParams.get('code');
    // Its client has to be what its document says when it comes for the tokens.
    if (code !== null) assert.deepEqual(errorOf(await exchange(service, { clientId, code })), [400, 'invalid_client']);
    state.status = 200;
    await service.restart();
  }
});

test('a document that could not be fetched is asked for once, however often it is named, and charged once [TRUST-62]', async (t) => {
  const answerOf = (path: string) => (path === '/missing.json' ? { status: 404 } : anyDocument(path));
  const { service, connections } = await openWithDocuments(t, { LIMITS: '1' }, answerOf);
  for (let count = 0; count < 12; count += 1) assert.equal(await statusOf(service, idOf('missing')), 400);
  assert.equal(connections.length, 1);
  for (let count = 0; count < 9; count += 1) assert.equal(await statusOf(service, idOf(count)), 303);
  assert.equal(await statusOf(service, idOf('tenth')), 429);
});

test('a document that could not be fetched is asked for again half a minute later', async (t) => {
  const { network, state, connections } = await openWithDocuments(t);
  state.status = 404;
  let at = new Date('2026-11-21T12:00:00Z');
  const log = { warn: () => {} };
  const fetchDocument = clientDocumentsOf({ network, now: () => at, log, limitFetch: () => null });
  const statusAt = async (time: string) => {
    at = new Date(`2026-11-21T${time}Z`);
    return (await fetchDocument(clientId, null).catch(() => null))?.status;
  };
  assert.equal(await statusAt('12:00:00'), undefined);
  state.status = 200;
  assert.equal(await statusAt('12:00:29'), undefined);
  assert.equal(connections.length, 1);
  assert.equal(await statusAt('12:00:30'), 200);
});

test('a client whose document is not handed out for a while keeps its tokens, and renews them afterwards', async (t) => {
  const { service, state, stop } = await openWithDocuments(t);
  const memory: ClientMemory = {};
  await (await service.connect(memory, { metadataUrl: clientId })).close();
  let token = memory.tokens!.refresh_token!;
  for (const fault of [503, 429, 408, 403]) {
    await service.restart();
    state.status = fault;
    assert.deepEqual(errorOf(await refresh(service, clientId, token)), [503, 'temporarily_unavailable'], `${fault}`);
    await service.restart();
    state.status = 200;
    const renewed = await refresh(service, clientId, token);
    assert.equal(renewed.status, 200);
    token = renewed.body.refresh_token!;
  }
  await service.restart();
  stop();
  assert.deepEqual(errorOf(await refresh(service, clientId, token)), [503, 'temporarily_unavailable']);
});

test('with OAUTH_CLIENT_DOCUMENTS=off a client that has a document registers, and nothing is fetched', async (t) => {
  const { service, connections } = await openWithDocuments(t, { OAUTH_CLIENT_DOCUMENTS: 'off' });
  const metadata = await (await service.fetch(`${service.baseUrl}/.well-known/oauth-authorization-server`)).json();
  assert.equal('client_id_metadata_document_supported' in (metadata as object), false);
  const memory: ClientMemory = {};
  await (await service.connect(memory, { metadataUrl: clientId })).close();
  assert.notEqual((memory.client as { client_id: string }).client_id, clientId);
  assert.equal(await statusOf(service, clientId), 400);
  assert.equal((await exchange(service, await codeOf(service))).status, 200);
  assert.deepEqual(connections, []);
});

test('doctor says which documents of clients cannot be fetched, and what to set', async (t) => {
  const config = (changes = {}) => readConfig(changes, '/');
  const [cut] = await checkClientDocuments(config(), await openCutNetwork(t));
  assert.match(cut!.found, /cannot be fetched from claude\.ai \(ECONNREFUSED\) and chatgpt\.com \(ECONNREFUSED\): /);
  assert.match(`${cut!.level} ${cut!.remedy}`, /^warn let the service .*, or set OAUTH_CLIENT_DOCUMENTS to off/);
  for (const [answer, level, found] of [
    [{ status: 403 }, 'warn', /cannot be fetched from localhost \(answered with the status 403\): programs that/],
    // A host that can be reached answers for the clients that it knows.
    [{ status: 404 }, 'ok', /^the documents by which clients describe themselves can be fetched$/],
    [{ body: documentOf() }, 'ok', /can be fetched$/],
  ] as const) {
    const { network } = await openNetwork(t, elsewhere, () => answer);
    const [finding] = await checkClientDocuments(config(), network, [clientId]);
    assert.equal(finding!.level, level);
    assert.match(finding!.found, found);
  }
  assert.deepEqual(await checkClientDocuments(config({ OAUTH: 'off' })), []);
  const [off] = await checkClientDocuments(config({ OAUTH_CLIENT_DOCUMENTS: 'off' }));
  assert.deepEqual([off!.level, off!.found], ['ok', 'clients register, because OAUTH_CLIENT_DOCUMENTS is off']);
});
