import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { test } from 'node:test';
import { clientDocumentsOf, internet, type Network, resolverOf } from '../../../src/adapters/oauth/client-document.ts';
import { type Answer, clientId, documentOf, openNetwork } from '../../support/client-document.ts';
import { isFull, scaled } from '../../support/figures.ts';
import { freePort } from '../../support/free-port.ts';
import { openNameServer } from '../../support/name-server.ts';
import { browserOf, redirectUri } from '../../support/oauth.ts';
import { authorizationUrl, errorOf, exchange, type Service } from '../../support/oauth-flow.ts';
import { openOauthService } from '../../support/oauth-service.ts';

const elsewhere = ['93.184.215.14'];

const statusOf = async (service: Service, id: string) =>
  (await service.fetch(authorizationUrl(service, id), { headers: { accept: 'text/html' } })).status;

/** Returns the id of a client of the network, one of many. */
const idOf = (name: string | number) => `https://localhost/${name}.json`;

/** Answers with the document of the client that is asked for. */
const anyDocument = (path: string): Answer => ({ body: documentOf({ client_id: `https://localhost${path}` }) });

test('no address of this machine, its network, its provider or a translation to them is connected to, however it is written [TRUST-56]', async (t) => {
  const { network, connections } = await openNetwork(t, elsewhere, anyDocument);
  const service = await openOauthService(t, {}, network);
  for (const host of [
    '127.0.0.1',
    '127.1',
    '127.0.0.1.',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '%31%32%37.0.0.1',
    '１２７.0.0.1',
    '0.0.0.0',
    '0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[fe80::1]',
    '[fec0::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
  ])
    assert.equal(await statusOf(service, `https://${host}/client.json`), 400, host);
  assert.deepEqual(connections, []);
});

test('a name that leads to this machine or its network, if only at times, is not connected to there', async (t) => {
  const { network, connections } = await openNetwork(t, elsewhere, anyDocument);
  for (const addresses of [['127.0.0.1'], ['::ffff:10.0.0.1'], ['169.254.169.254'], [...elsewhere, '::1'], []]) {
    const service = await openOauthService(t, {}, { ...network, resolve: async () => addresses });
    assert.equal(await statusOf(service, clientId), 400, addresses.join());
  }
  assert.deepEqual(connections, []);
  // A name that changes between the check and the connection (DNS rebinding): it is resolved once, and that address connected to.
  let asked = 0;
  const resolve = async () => (asked++ === 0 ? elsewhere : ['127.0.0.1']);
  const service = await openOauthService(t, {}, { ...network, resolve });
  assert.equal(await statusOf(service, clientId), 303);
  assert.deepEqual([asked, connections], [1, ['93.184.215.14:443']]);
});

test('an id that is not the plain https address of a document is not asked for', async (t) => {
  const { network, connections } = await openNetwork(t, elsewhere, anyDocument);
  const service = await openOauthService(t, {}, network);
  for (const id of [
    'http://localhost/client.json',
    'https://localhost:8443/client.json',
    'https://localhost:22/client.json',
    'https://user@localhost/client.json',
    'https://user:password@localhost/client.json',
    'https://localhost/client.json#fragment',
    'https://localhost/../client.json',
    'https://localhost/%2e%2e/client.json',
    'https://localhost\\client.json',
    'https://local\thost/client.json',
    ' https://localhost/client.json',
    'https:///client.json',
    'https://',
    'file:///etc/passwd',
    'ftp://localhost/client.json',
    'gopher://localhost/client.json',
    `https://localhost/${'a'.repeat(500)}`,
  ])
    assert.equal(await statusOf(service, id), 400, id);
  assert.deepEqual(connections, []);
});

test('a document that redirects, has another type, is too large, or is of somebody else is refused', async (t) => {
  const wrong: Record<string, Answer> = {
    redirect: { status: 302, headers: { location: idOf('right') } },
    moved: { status: 308, headers: { location: 'http://169.254.169.254/' } },
    missing: { status: 404, body: documentOf({ client_id: idOf('missing') }) },
    failing: { status: 500 },
    text: { headers: { 'content-type': 'text/plain' }, body: documentOf({ client_id: idOf('text') }) },
    page: { headers: { 'content-type': 'text/html' }, body: documentOf({ client_id: idOf('page') }) },
    picture: { headers: { 'content-type': 'image/json' }, body: documentOf({ client_id: idOf('picture') }) },
    huge: { body: documentOf({ client_id: idOf('huge'), padding: 'a'.repeat(40_000) }) },
    endless: { headers: { 'content-length': '9999999999' }, body: 'a'.repeat(100_000) },
    compressed: { headers: { 'content-encoding': 'gzip' }, body: 'not compressed' },
    other: { body: documentOf({ client_id: idOf('right') }) },
    spelled: { body: documentOf({ client_id: 'https://LOCALHOST/spelled.json' }) },
    nameless: { body: documentOf({ client_id: undefined }) },
    astray: { body: documentOf({ client_id: idOf('astray'), redirect_uris: ['https://evil.example/callback'] }) },
    script: { body: documentOf({ client_id: idOf('script'), redirect_uris: ['javascript:alert(1)'] }) },
    list: { body: '[]' },
    empty: { body: '' },
    cut: { body: documentOf({ client_id: idOf('cut') }).slice(0, -1) },
  };
  const { network } = await openNetwork(t, elsewhere, (path) => wrong[path.slice(1, -5)] ?? anyDocument(path));
  const service = await openOauthService(t, {}, network);
  for (const name of Object.keys(wrong)) assert.equal(await statusOf(service, idOf(name)), 400, name);
  assert.equal(await statusOf(service, idOf('right')), 303);
});

test('a host that refuses connections, or speaks no TLS, is a client that is not known', async (t) => {
  const port = await freePort();
  const network: Network = { resolve: async () => elsewhere, connect: () => connect(port, '127.0.0.1') };
  const service = await openOauthService(t, {}, network);
  assert.equal(await statusOf(service, clientId), 400);
  const { network: untrusted } = await openNetwork(t, elsewhere, anyDocument);
  const careful = await openOauthService(t, {}, { resolve: untrusted.resolve, connect: untrusted.connect });
  assert.equal(await statusOf(careful, clientId), 400);
});

test('the page says at which host a client describes itself, and that it chose its name', async (t) => {
  const { network } = await openNetwork(t, elsewhere, () => ({ body: documentOf({ client_name: 'Claude' }) }));
  const service = await openOauthService(t, {}, network);
  const browser = browserOf(service.fetch, service.baseUrl);
  const page = await browser.open(authorizationUrl(service, clientId));
  const { text } = await browser.send(page, { email: 'ada@example.org', step: 'address' });
  assert.match(text, /The program chose its name itself\./);
  assert.match(text, /<dt>Describes itself at<\/dt><dd>localhost<\/dd>/);
});

test('a network that names ever new documents is refused more for a minute, at every address; others are not [TRUST-56]', async (t) => {
  const { network, connections } = await openNetwork(t, elsewhere, anyDocument);
  const service = await openOauthService(t, { LIMITS: '1' }, network);
  const attacker = service.from('198.51.100.7');
  const wish = { grant_type: 'refresh_token', refresh_token: 'x' };
  for (let count = 0; count < 20; count += 1) {
    await attacker.token({ ...wish, client_id: idOf(`token-${count}`) });
    await statusOf(attacker, idOf(`page-${count}`));
  }
  assert.equal(connections.length, 10);
  assert.equal(await statusOf(service.from('198.51.100.8'), clientId), 303);
});

test('one line of IPv6 cannot use up the documents of all, whichever of its networks it uses [TRUST-64]', async (t) => {
  const { network, connections } = await openNetwork(t, elsewhere, anyDocument);
  const service = await openOauthService(t, { LIMITS: '1' }, network);
  for (let count = 0; count < 30; count += 1)
    await statusOf(service.from(`2001:db8:7:${(count % 8).toString(16)}::1`), idOf(`line-${count}`));
  assert.equal(connections.length, 20);
  for (let count = 0; count < 60; count += 1)
    await statusOf(service.from(`198.51.${count % 4}.${count}`), idOf(`many-${count}`));
  assert.equal(connections.length, 60);
  assert.equal(await statusOf(service.from('203.0.113.1'), idOf('new')), 429);
});

test('a network that asks for tokens without end is refused more for a minute; others are not [TRUST-56]', async (t) => {
  const service = await openOauthService(t, { LIMITS: '1' });
  const wish = { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'unknown' };
  const statuses = [];
  for (let count = 0; count < 62; count += 1) statuses.push((await service.from('198.51.100.7').token(wish)).status);
  assert.deepEqual(statuses.slice(59), [401, 429, 429]);
  assert.deepEqual(errorOf(await service.from('198.51.100.8').token(wish)), [401, 'invalid_client']);
});

test('of many clients with documents, each can come back: the remembered ones are bounded, and the rest are asked for again', async (t) => {
  const { network, connections } = await openNetwork(t, elsewhere, anyDocument);
  const service = await openOauthService(t, {}, network);
  const count = scaled(1_000, 220);
  for (let index = 0; index < count; index += 1) assert.equal(await statusOf(service, idOf(index)), 303);
  assert.equal(await statusOf(service, idOf(count - 1)), 303);
  assert.equal(connections.length, count);
  assert.equal(await statusOf(service, idOf(0)), 303);
  assert.equal(connections.length, count + 1);
});

test('a server of documents that never answers holds up nobody else, and its client is refused in the end [TRUST-56]', async (t) => {
  const stalls = (path: string) => (path === '/stalled.json' ? null : anyDocument(path));
  const { network, stop } = await openNetwork(t, elsewhere, stalls);
  const service = await openOauthService(t, {}, network);
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

test('a client is connected to at the first of its addresses that accepts it', async (t) => {
  const { port } = (await openNetwork(t, [], anyDocument)).address;
  const socket = internet.connect(['::1', '127.0.0.1'], port);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  assert.equal(socket.remoteAddress, '127.0.0.1');
  socket.destroy();
});

test('the page of a request fetches nothing, however often it is loaded: the fetches of others are not used up [TRUST-62]', async (t) => {
  let status = 200;
  const { network, connections } = await openNetwork(t, elsewhere, (path) => ({ status, ...anyDocument(path) }));
  const service = await openOauthService(t, { LIMITS: '1' }, network);
  const visitor = service.from('198.51.100.7');
  const browser = browserOf(visitor.fetch, visitor.baseUrl);
  const page = await browser.open(authorizationUrl(visitor, clientId));
  // Without what was remembered, as in another replica.
  await service.restart();
  status = 404;
  for (let load = 0; load < 70; load += 1) assert.equal((await browser.open(page.url)).response.status, 200);
  assert.equal(connections.length, 1);
  status = 200;
  for (let network = 1; network <= 5; network += 1)
    assert.equal(await statusOf(service.from(`203.0.113.${network}`), idOf(network)), 303);
});

test('a visitor answers a request whose document is gone meanwhile, and goes back to the client [TRUST-62]', async (t) => {
  for (const step of ['allow', 'deny']) {
    let status = 200;
    const { network, connections } = await openNetwork(t, elsewhere, (path) => ({ status, ...anyDocument(path) }));
    const service = await openOauthService(t, {}, network);
    const browser = browserOf(service.fetch, service.baseUrl);
    const page = await browser.open(authorizationUrl(service, clientId));
    await service.restart();
    status = 404;
    const consent = await browser.send(page, { email: 'ada@example.org', step: 'address' });
    assert.match(consent.text, /Reader/);
    const { url: back } = await browser.send(consent, { step });
    assert.equal(back.origin + back.pathname, redirectUri);
    assert.equal(back.searchParams.get('error'), step === 'deny' ? 'access_denied' : null);
    assert.equal(connections.length, 1);
    const code = back.searchParams.get('code');
    // Its client has to be what its document says when it comes for the tokens.
    if (code !== null) assert.deepEqual(errorOf(await exchange(service, { clientId, code })), [400, 'invalid_client']);
  }
});

test('a document that could not be fetched is asked for once, however often a client names it, and charged once [TRUST-62]', async (t) => {
  const answerOf = (path: string) => (path === '/missing.json' ? { status: 404 } : anyDocument(path));
  const { network, connections } = await openNetwork(t, elsewhere, answerOf);
  const service = await openOauthService(t, { LIMITS: '1' }, network);
  for (let count = 0; count < 30; count += 1) assert.equal(await statusOf(service, idOf('missing')), 400);
  assert.equal(connections.length, 1);
  for (let count = 0; count < 9; count += 1) assert.equal(await statusOf(service, idOf(count)), 303);
  assert.equal(await statusOf(service, idOf('tenth')), 429);
});

test('a document that could not be fetched is asked for again half a minute later', async (t) => {
  let status = 404;
  const { network, connections } = await openNetwork(t, elsewhere, (path) => ({ status, ...anyDocument(path) }));
  let at = new Date('2026-11-21T12:00:00Z');
  const log = { warn: () => {} };
  const fetchDocument = clientDocumentsOf({ network, now: () => at, log, chargeFetch: () => 0 });
  const statusAt = async (time: string) => {
    at = new Date(`2026-11-21T${time}Z`);
    return (await fetchDocument(clientId, null).catch(() => null))?.status;
  };
  assert.equal(await statusAt('12:00:00'), undefined);
  status = 200;
  assert.equal(await statusAt('12:00:29'), undefined);
  assert.equal(connections.length, 1);
  assert.equal(await statusAt('12:00:30'), 200);
});

test('a client whose document has an address that is not accepted reads which are [TRUST-74]', async (t) => {
  const { network } = await openNetwork(t, elsewhere, () => ({ body: documentOf({ redirect_uris: ['ms-msdt:/id'] }) }));
  const service = await openOauthService(t, {}, network);
  const response = await service.fetch(authorizationUrl(service, clientId), { headers: { accept: 'text/html' } });
  assert.equal(response.status, 400);
  assert.match(
    await response.text(),
    /For its developers: invalid_client: redirect_uris: each must be an https address, an http/,
  );
});
