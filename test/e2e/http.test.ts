import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import PostalMime from 'postal-mime';
import { dial, head } from '../dial.ts';
import { eventually, startProcess } from '../process.ts';
import { fixture, postJson } from '../service.ts';

const env = { PROFILE: fixture('profile.yaml') };
const service = await startProcess({ after }, env);
const { url } = service;
const bearer = `Authorization: Bearer ${await service.token()}`;
const host = 'Host: 127.0.0.1';
const json = 'Content-Type: application/json';
const close = 'Connection: close';

const errorBody = (code: string, message: string) => JSON.stringify({ error: { code, message } });
const badRequest = errorBody('BAD_REQUEST', 'The request is not valid.');
const tooLarge = errorBody('PAYLOAD_TOO_LARGE', 'Request body must be at most 65536 bytes');
const timedOut = errorBody('REQUEST_TIMEOUT', 'The request took too long to arrive.');

const token = 'POST /auth/token HTTP/1.1';
const healthz = 'GET /healthz HTTP/1.1';
const noRequests: Record<string, string> = {
  'no HTTP': 'Hello, anybody?\r\n\r\n',
  'the beginning of TLS': '\x16\x03\x01\x02\x00\x01',
  'an unknown method': head('TRACK /healthz HTTP/1.1', host),
  'no Host': head(healthz),
  'two Hosts': head(healthz, host, 'Host: other.example'),
  'a Host that is no name': head(healthz, 'Host: a b'),
  'a target that is no path': head('GET http://:/ HTTP/1.1', host),
  'lines without a carriage return': `${healthz}\n${host}\n\n`,
  'a header over two lines': head(healthz, host, 'X-Long: a', ' b'),
  'a space before the colon': head(healthz, host, 'X-Odd : a'),
  'a length and chunks': `${head(token, host, json, 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  'two lengths': `${head(token, host, json, 'Content-Length: 2', 'Content-Length: 4')}null`,
  'a chunk of no size': `${head(token, host, json, 'Transfer-Encoding: chunked')}z\r\n\r\n`,
};

suite('On the wire', { concurrency: true }, () => {
  for (const [name, text] of Object.entries(noRequests))
    test(`${name}: 400 with the error body, and the connection is closed [ERROR-2]`, async (t) => {
      const client = await dial(t, url);
      client.send(text);
      const responses = await client.responses();
      assert.deepEqual(
        responses.map(({ status, headers, body }) => [status, headers.get('content-type'), body]),
        [[400, 'application/json', badRequest]],
      );
    });

  test('headers over 16 KB: 431 with the error body [ERROR-2]', async (t) => {
    const client = await dial(t, url);
    client.send(head(healthz, host, `X-Long: ${'x'.repeat(17_000)}`));
    const [response] = await client.responses();
    assert.equal(response?.status, 431);
    assert.equal(response.body, errorBody('HEADERS_TOO_LARGE', 'The request headers are too large.'));
  });

  const mebibyte = 'x'.repeat(1_048_576);
  const tooLong: Record<string, string> = {
    'a body of 1 MB': head(token, host, json, 'Content-Length: 1048576') + mebibyte,
    'chunks of 1 MB': `${head(token, host, json, 'Transfer-Encoding: chunked')}100000\r\n${mebibyte}\r\n0\r\n\r\n`,
    'a body that claims 10 GB': `${head(token, host, json, 'Content-Length: 10737418240')}{`,
  };
  for (const [name, text] of Object.entries(tooLong))
    test(`${name}: 413 with the error body that the client can read [ERROR-2]`, async (t) => {
      const client = await dial(t, url);
      client.send(text);
      await client.heard('PAYLOAD_TOO_LARGE');
      client.hangUp();
      const [response] = await client.responses();
      assert.deepEqual([response?.status, response?.body], [413, tooLarge]);
    });

  test('a usual client can read that its body is too long, each time', async () => {
    for (const _ of [1, 2, 3, 4]) {
      const response = await fetch(`${url}/auth/token`, postJson({ email: mebibyte }));
      assert.deepEqual([response.status, await response.text()], [413, tooLarge]);
    }
  });

  for (const [name, text] of [
    ['headers that never end', `${healthz}\r\nHost:`],
    ['a body that never ends', `${head(token, host, json, 'Content-Length: 27')}{"email":`],
  ] as const)
    test(`${name}: 408 with the error body [ERROR-2]`, async (t) => {
      const client = await dial(t, url);
      client.send(text);
      const [response] = await client.responses();
      assert.deepEqual([response?.status, response?.body], [408, timedOut]);
    });

  for (const path of ['/candidate', '/experience?current=true', '/openapi.json'])
    test(`HEAD ${path} has the headers of GET and no body`, async (t) => {
      const client = await dial(t, url);
      client.send(head(`HEAD ${path} HTTP/1.1`, host, bearer, close));
      const [without] = await client.responses();
      const other = await dial(t, url);
      other.send(head(`GET ${path} HTTP/1.1`, host, bearer, close));
      const [whole] = await other.responses();
      assert.equal(whole?.headers.get('content-length'), String(whole?.body.length));
      assert.equal(without?.body, '');
      const headersOf = ({ headers }: { headers: Headers }) => Object.fromEntries([...headers].sort());
      assert.deepEqual({ ...headersOf(without), date: '' }, { ...headersOf(whole!), date: '' });
    });

  test('a connection outlives a request whose body was not wanted', async (t) => {
    const client = await dial(t, url);
    for (const [line, type, code] of [
      ['POST /contact HTTP/1.1', json, 'UNAUTHORIZED'],
      [token, 'Content-Type: text/plain', 'UNSUPPORTED_MEDIA_TYPE'],
      [token, json, 'PAYLOAD_TOO_LARGE'],
    ] as const) {
      client.send(head(line, host, type, 'Content-Length: 1048576') + mebibyte);
      await client.heard(code);
    }
    client.send(head('GET /candidate HTTP/1.1', host, bearer, close));
    assert.deepEqual(
      (await client.responses()).map(({ status }) => status),
      [401, 415, 413, 200],
    );
  });

  test('TRACE and a method in a header change nothing, CONNECT is hung up on [ERROR-2]', async (t) => {
    const client = await dial(t, url);
    client.send(head('TRACE /candidate HTTP/1.1', host));
    client.send(head('TRACE /candidate HTTP/1.1', host, bearer));
    client.send(head('GET /candidate HTTP/1.1', host, bearer, 'X-HTTP-Method-Override: DELETE', close));
    const responses = await client.responses();
    assert.deepEqual(
      responses.map(({ status }) => status),
      [401, 405, 200],
    );
    assert.equal(responses[1]?.headers.get('allow'), 'GET, HEAD, OPTIONS');
    assert.equal(responses[1]?.body, errorBody('METHOD_NOT_ALLOWED', 'This method is not allowed here.'));

    const tunnel = await dial(t, url);
    tunnel.send(head('CONNECT 127.0.0.1:25 HTTP/1.1', host));
    assert.deepEqual(await tunnel.responses(), []);
  });

  test('a client that hangs up in the middle of its body is a bad request, and no error of ours', async (t) => {
    const own = await startProcess(t, env);
    const client = await dial(t, own.url);
    client.send(head(token, host, json, 'Content-Length: 27', 'Expect: 100-continue'));
    await client.heard('100 Continue');
    client.send('{"email":');
    client.hangUp();
    const line = await eventually(() => own.lines.find((line) => line.includes('create_auth_token')) ?? false);
    const { level, code } = JSON.parse(line);
    assert.deepEqual([level, code], ['info', 'BAD_REQUEST']);
  });
});

suite('The address that the owner is told', { concurrency: true }, () => {
  const forwarded: [header: string, behindProxy: string][] = [
    ['198.51.100.7', '198.51.100.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['203.0.113.1, 198.51.100.7', '198.51.100.7'],
    ['198.51.100.7, 10.1.2.3', '198.51.100.7'],
    ['10.1.2.4, 10.1.2.3', '10.1.2.4'],
    ['198.51.100.7, nonsense', '127.0.0.1'],
    ['nonsense, 10.1.2.3', '10.1.2.3'],
    ['198.51.100.7:4711', '127.0.0.1'],
    ['<script>', '127.0.0.1'],
    [',,,', '127.0.0.1'],
    ['', '127.0.0.1'],
    ['x'.repeat(10_000), '127.0.0.1'],
  ];

  /** Asks for a token under each header; returns what the notices say of where that came from. */
  async function addressesTold({ url, folder }: typeof service): Promise<unknown[]> {
    for (const [index, [header]] of forwarded.entries()) {
      const request = postJson({ email: `visitor-${index}@example.org` }, { 'x-forwarded-for': header });
      assert.equal((await fetch(`${url}/auth/token`, request)).status, 200);
    }
    const files = () => globSync(join(folder, 'data/mail/*.eml'));
    await eventually(() => files().length === forwarded.length);
    const emails = await Promise.all(files().map((file) => PostalMime.parse(readFileSync(file))));
    return forwarded.map((_, index) => {
      const notice = emails.find(({ subject }) => subject?.startsWith(`visitor-${index}@`));
      return /^From: +(.*)$/m.exec(notice?.text ?? '')?.[1];
    });
  }

  test('is that of the connection, whatever X-Forwarded-For says', async (t) => {
    const told = await addressesTold(await startProcess(t, env));
    assert.deepEqual(told, Array(forwarded.length).fill('127.0.0.1'));
  });

  test('is the last one that a trusted proxy has seen and that is no trusted proxy itself', async (t) => {
    const told = await addressesTold(await startProcess(t, { ...env, TRUST_PROXY: '127.0.0.1 10.0.0.0/8' }));
    assert.deepEqual(
      told,
      forwarded.map(([, address]) => address),
    );
  });
});
