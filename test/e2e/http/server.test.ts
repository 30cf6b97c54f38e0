import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { test } from 'node:test';
import { type ConnectionOptions, connect } from 'node:tls';
import { dial, head } from '../../support/dial.ts';
import { fixture } from '../../support/files.ts';
import { badRequest, get, last, open, proxies } from './http-service.ts';

test('every response has the standard headers, and Strict-Transport-Security only with https', async (t) => {
  for (const isHttps of [false, true]) {
    const { url } = await open(t, { isHttps });
    const { headers } = await fetch(url);
    assert.deepEqual(
      ['x-content-type-options', 'referrer-policy', 'content-security-policy', 'strict-transport-security'].map(
        (name) => headers.get(name),
      ),
      [
        'nosniff',
        'no-referrer',
        "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        isHttps ? 'max-age=31536000' : null,
      ],
    );
  }
});

test('a request keeps a valid id from its client, otherwise it gets a new one', async (t) => {
  const { url, heard } = await open(t);
  const idFor = async (given: string) =>
    (await fetch(url, { headers: { 'x-request-id': given } })).headers.get('x-request-id');
  for (const id of ['a', 'A-1_b.c:d', 'x'.repeat(64)]) assert.equal(await idFor(id), id);
  for (const other of ['', 'a b', 'x'.repeat(65), 'a,b', '{}']) {
    const id = await idFor(other);
    assert.match(id ?? '', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/);
    assert.equal(heard.at(-1)?.requestId, id);
  }
});

test('the client is the last forwarded address that is not a trusted proxy', async (t) => {
  const direct = await open(t);
  const forwarded = (to: string, hops: string) => fetch(to, { headers: { 'x-forwarded-for': hops } });
  await forwarded(direct.url, '192.0.2.1');
  const behind = await open(t, { trustProxy: proxies });
  for (const hops of [
    '192.0.2.1',
    '192.0.2.1, 192.0.2.2',
    '192.0.2.1, 127.0.0.2',
    '192.0.2.1,2001:db8::1',
    '192.0.2.1, unknown, 127.0.0.2',
    'unknown',
    '[2001:DB8::2]:443',
  ])
    await forwarded(behind.url, hops);
  assert.deepEqual(
    [...direct.heard, ...behind.heard].map(({ address }) => address),
    ['127.0.0.1', '192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.1', '127.0.0.2', '127.0.0.1', '2001:db8::2'],
  );
});

test('an ambiguous request is refused, and nothing after it is read', async (t) => {
  const { responsesTo, refused, heard } = await open(t);
  const ambiguous = [
    head('GET / HTTP/1.1'),
    head('GET / HTTP/1.1', 'Host: a', 'HOST: b'),
    `${head('POST / HTTP/1.0', 'Host: a', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    `${head('POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`,
    head('GET http://me:secret@profile.example/ HTTP/1.1', 'Host: profile.example'),
    get('/', 'Expect: magic'),
    head('GET /healthz HTTP/1.1'),
    head('GET /healthz HTTP/1.0', 'Host: a', 'Host: b'),
    head('GET /healthz/other HTTP/1.0'),
  ];
  for (const text of ambiguous) {
    const responses = await responsesTo(text + get('/behind'));
    assert.deepEqual(
      responses.map(({ status, headers, body }) => [
        status,
        headers.get('connection'),
        headers.get('cache-control'),
        body,
      ]),
      [[400, 'close', 'no-store', badRequest]],
      text,
    );
    assert.equal(responses[0]!.headers.get('content-type'), 'application/json');
    assert.equal(responses[0]!.headers.get('x-content-type-options'), 'nosniff');
    assert.ok(responses[0]!.headers.has('x-request-id'));
  }
  assert.equal(refused.filter((code) => code === 'BAD_REQUEST').length, ambiguous.length);
  assert.deepEqual(heard, []);
});

test('an unambiguous request is served, however it is spelled', async (t) => {
  const { responsesTo } = await open(t);
  for (const text of [
    head('GET /one HTTP/1.1', 'hOsT: a', 'X-Host: b', 'Connection: close'),
    `${head('POST /one HTTP/1.1', 'Host: a', 'Transfer-Encoding: Chunked', 'Connection: close')}0\r\n\r\n`,
    head('GET http://profile.example/one?at=a@b HTTP/1.1', 'Host: profile.example', 'Connection: close'),
    last('/one?to=http://a@b/', 'Accept: host', 'Hostile: a'),
    head('GET /one HTTP/1.0', 'Host: a'),
  ]) {
    const [response] = await responsesTo(text);
    assert.deepEqual([response?.status, response?.body], [200, '/one'], text);
  }
});

test('a probe of HTTP/1.0 needs no Host', async (t) => {
  const { responsesTo } = await open(t);
  for (const path of ['/healthz', '/readyz'])
    for (const target of [path, `${path}?from=balancer`]) {
      const [response] = await responsesTo(head(`GET ${target} HTTP/1.0`));
      assert.deepEqual([response?.status, response?.body], [200, path], target);
    }
});

test('CONNECT gets an error in the order of requests, and its connection ends', async (t) => {
  const { responsesTo } = await open(t, {
    answer: async (request) => {
      await new Promise((resolve) => setImmediate(resolve));
      return new Response(new URL(request.url).pathname);
    },
  });
  const tunnel = head('CONNECT mail.example:25 HTTP/1.1', 'Host: mail.example:25');
  const notAllowed = '{"error":{"code":"METHOD_NOT_ALLOWED","message":"This method is not allowed here."}}';
  const [refused, ...rest] = await responsesTo(`${tunnel}EHLO there\r\n`);
  assert.deepEqual([refused?.status, refused?.body, rest], [405, notAllowed, []]);
  assert.equal(refused?.headers.get('allow'), 'GET, HEAD, POST, DELETE, OPTIONS');
  assert.equal(refused?.headers.get('x-content-type-options'), 'nosniff');
  const responses = await responsesTo(get('/first') + tunnel);
  assert.deepEqual(
    responses.map(({ status, body }) => [status, body]),
    [
      [200, '/first'],
      [405, notAllowed],
    ],
  );
});

test('a client that resets its connection after CONNECT ends no other', async (t) => {
  const { port, responsesTo } = await open(t);
  for (let times = 0; times < 5; times += 1) {
    const client = net.connect(port, '127.0.0.1');
    client.write(head('CONNECT mail.example:25 HTTP/1.1', 'Host: mail.example:25'));
    await once(client, 'data');
    client.resetAndDestroy();
    await once(client, 'close');
    assert.equal((await responsesTo(last('/one')))[0]?.status, 200);
  }
});

test('a parser error gets the error body and is reported by its code [TRUST-4]', async (t) => {
  const { responsesTo, refused } = await open(t);
  const [malformed] = await responsesTo('nonsense\r\n\r\n');
  assert.deepEqual([malformed?.status, malformed?.body], [400, badRequest]);
  assert.equal(malformed?.headers.get('x-content-type-options'), 'nosniff');
  assert.ok(malformed?.headers.has('x-request-id'));
  const [large] = await responsesTo(get('/', `X-Large: ${'x'.repeat(20_000)}`));
  assert.equal(large?.status, 431);
  assert.equal(JSON.parse(large!.body).error.code, 'HEADERS_TOO_LARGE');
  assert.deepEqual(refused, ['HPE_INVALID_METHOD', 'HPE_HEADER_OVERFLOW']);
});

test('a request for an upgrade is served as any other, and is the last of its connection', async (t) => {
  const { responsesTo, heard } = await open(t);
  const responses = await responsesTo(get('/one', 'Connection: Upgrade', 'Upgrade: websocket') + last('/two'));
  assert.deepEqual(
    responses.map(({ status, headers, body }) => [status, headers.get('connection'), body]),
    [[200, 'close', '/one']],
  );
  assert.deepEqual(
    heard.map(({ path }) => path),
    ['/one'],
  );
});

test('a connection above the cap is closed at once, until another one ends', async (t) => {
  const { url, refused, responsesTo } = await open(t, { socketsPerAddress: 2 });
  const first = await dial(t, url);
  first.send(get('/first'));
  await first.heard('/first');
  const second = await dial(t, url);
  second.send(get('/second'));
  await second.heard('/second');
  assert.deepEqual(await responsesTo(last('/third')), []);
  assert.deepEqual(refused, ['socket of 127.0.0.1']);
  second.send(last('/again'));
  assert.equal((await second.responses()).at(-1)?.body, '/again');
  assert.equal((await responsesTo(last('/fourth')))[0]?.body, '/fourth');
});

test('the connections of trusted proxies are not capped', async (t) => {
  const { url, responsesTo } = await open(t, { socketsPerAddress: 1, trustProxy: proxies });
  const first = await dial(t, url);
  first.send(get('/first'));
  await first.heard('/first');
  assert.equal((await responsesTo(last('/second')))[0]?.body, '/second');
});

test('two Authorization headers reach the service joined, which is not a valid token', async (t) => {
  const { responsesTo } = await open(t, {
    answer: async ({ headers }) => new Response(headers.get('authorization')),
  });
  const [response] = await responsesTo(last('/', 'Authorization: Bearer a', 'Authorization: Bearer b'));
  assert.equal(response?.body, 'Bearer a, Bearer b');
});

test('TLS uses only ciphers with forward secrecy', async (t) => {
  const [cert, key] = ['tls-cert.pem', 'tls-key.pem'].map((name) => readFileSync(fixture(name)));
  const { port } = await open(t, { tls: { cert: cert!, key: key! } });
  const handshake = async (options: ConnectionOptions) => {
    const socket = connect({ port, host: '127.0.0.1', ca: cert!, ...options });
    t.after(() => void socket.destroy());
    await once(socket, 'secureConnect');
    return [socket.getProtocol(), socket.getCipher().name];
  };
  assert.deepEqual(await handshake({}), ['TLSv1.3', 'TLS_AES_256_GCM_SHA384']);
  const [, cipher] = await handshake({ maxVersion: 'TLSv1.2' });
  assert.match(cipher!, /^ECDHE-.*-AES256-GCM-SHA384$/);
  for (const ciphers of ['AES256-GCM-SHA384', 'ECDHE-RSA-AES256-SHA384:ECDHE-ECDSA-AES256-SHA384'])
    await assert.rejects(handshake({ maxVersion: 'TLSv1.2', ciphers }), { code: /HANDSHAKE_FAILURE/ }, ciphers);
});

test('while closing, the server answers one last request of each client, within its grace period', async (t) => {
  const { url, close } = await open(t);
  const stuck = await open(t, { answer: () => new Promise<never>(() => {}) });
  const waiting = await dial(t, stuck.url);
  waiting.send(get('/never'));
  const idle = await dial(t, url);
  idle.send(get('/first'));
  await idle.heard('/first');
  const ended = Promise.all([close(10_000), stuck.close(100)]);
  let answered = 0;
  for (;;) {
    const client = await dial(t, url).catch((error: NodeJS.ErrnoException) => error);
    if (client instanceof Error) {
      assert.equal(client.code, 'ECONNREFUSED');
      break;
    }
    client.send(get('/asked'));
    assert.deepEqual(
      (await client.responses()).map(({ headers, body }) => [headers.get('connection'), body]),
      [['close', '/asked']],
    );
    answered += 1;
  }
  assert.ok(answered > 0);
  idle.send(get('/last'));
  assert.deepEqual(
    (await idle.responses()).map(({ headers, body }) => [headers.get('connection'), body]),
    [
      ['keep-alive', '/first'],
      ['close', '/last'],
    ],
  );
  await ended;
  assert.deepEqual(await waiting.responses(), []);
});
