import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { connect } from 'node:net';
import { after, suite, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { dial, head } from '../../support/dial.ts';
import { fixture } from '../../support/files.ts';
import { eventually, startService } from '../../support/process.ts';

const env = { PROFILE: fixture('profile.yaml'), LIMITS: 'off' };
const service = await startService({ after }, env);
const { url } = service;
const bearer = `Authorization: Bearer ${await service.token()}`;
const host = 'Host: 127.0.0.1';
const json = 'Content-Type: application/json';
const close = 'Connection: close';

const errorBody = (code: string, message: string) => JSON.stringify({ error: { code, message } });
const tooLarge = errorBody('PAYLOAD_TOO_LARGE', 'Request body must be at most 65536 bytes');

const token = 'POST /auth/token HTTP/1.1';
const healthz = 'GET /healthz HTTP/1.1';

/** Sends 64 KiB chunks as fast as they are received, until the service closes the connection or has received 64 MiB. */
async function flood(t: TestContext, head: string): Promise<{ receivedBytes: number; answer: string }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  t.after(() => void socket.destroy());
  let [receivedBytes, answer] = [0, ''];
  socket.on('error', () => {});
  socket.on('data', (text) => {
    answer += text;
  });
  socket.write(head);
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  const isReceived = () => new Promise<boolean>((resolve) => socket.write(chunk, (error) => resolve(!error)));
  while (receivedBytes < 67_108_864 && (await isReceived())) receivedBytes += 65_536;
  return { receivedBytes, answer };
}

suite('On the wire', { concurrency: true }, () => {
  test('headers over 16 KB: 431 with the error body [ERROR-2] [TRUST-4]', async (t) => {
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
    test(`${name}: 413 with the error body, which the client receives [ERROR-2] [TRUST-13]`, async (t) => {
      const client = await dial(t, url);
      client.send(text);
      await client.heard('PAYLOAD_TOO_LARGE');
      client.hangUp();
      const [response] = await client.responses();
      assert.deepEqual([response?.status, response?.body], [413, tooLarge]);
    });

  for (const [line, type, framing, status] of [
    [healthz, json, 'Content-Length: 2000', 200],
    ['POST /contact HTTP/1.1', json, 'Content-Length: 2000', 401],
    ['OPTIONS /candidate HTTP/1.1', json, 'Transfer-Encoding: chunked', 204],
    [token, 'Content-Type: text/plain', 'Transfer-Encoding: chunked', 415],
  ] as const)
    test(`a body that is not read may arrive after the response, and the connection is kept alive: ${line}, ${framing} [TRUST-13]`, async (t) => {
      const client = await dial(t, url);
      const half = framing.startsWith('Content') ? 'x'.repeat(1000) : `3e8\r\n${'x'.repeat(1000)}\r\n`;
      client.send(head(line, host, type, framing) + half);
      await client.heard('HTTP/1.1 ');
      await pause(1_000);
      client.send(`${half}${framing.startsWith('Content') ? '' : '0\r\n\r\n'}${head(healthz, host, close)}`);
      assert.deepEqual(
        (await client.responses()).map((response) => response.status),
        [status, 200],
      );
    });

  for (const [line, status] of [
    ['GET /candidate HTTP/1.1', 200],
    ['HEAD /candidate HTTP/1.1', 200],
    ['OPTIONS /candidate HTTP/1.1', 204],
    ['DELETE /candidate HTTP/1.1', 405],
    ['GET /mcp HTTP/1.1', 405],
    ['POST /nowhere HTTP/1.1', 404],
  ] as const)
    for (const framing of ['Content-Length: 10737418240', 'Transfer-Encoding: chunked'])
      test(`a body that is not read is received only up to a limit: ${line}, ${framing} [TRUST-13]`, async (t) => {
        const { receivedBytes, answer } = await flood(t, head(line, host, bearer, framing));
        assert.ok(receivedBytes < 2 * 16_777_216, `${receivedBytes} bytes`);
        assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), answer);
      });

  test('TRACE and a method override header have no effect, and CONNECT is refused [ERROR-2] [TRUST-23]', async (t) => {
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
    const [refused, ...others] = await tunnel.responses();
    const body = errorBody('METHOD_NOT_ALLOWED', 'This method is not allowed here.');
    assert.deepEqual([refused?.status, refused?.body, others], [405, body, []]);
  });

  test('a client that disconnects while it sends its body is logged as a bad request, not as an error', async (t) => {
    const own = await startService(t, env);
    const client = await dial(t, own.url);
    client.send(head(token, host, json, 'Content-Length: 27', 'Expect: 100-continue'));
    await client.heard('100 Continue');
    client.send('{"email":');
    client.hangUp();
    const line = await eventually(() => own.lines.find((line) => line.includes('create_auth_token')) ?? false);
    const { level, code } = JSON.parse(line);
    assert.deepEqual([level, code], ['info', 'BAD_REQUEST']);
  });

  test('a connection that does not begin a TLS handshake is ended, and then no longer counts', async (t) => {
    const tls = { TLS_CERT: fixture('tls-cert.pem'), TLS_KEY: fixture('tls-key.pem') };
    const own = await startService(t, { ...env, ...tls, LIMITS: '0.1' });
    const plain = own.url.replace('https', 'http');
    for (const _ of Array(10).keys()) {
      const client = await dial(t, plain);
      client.send(head(healthz, host));
      await client.responses();
    }
    const silent = await Promise.all([1, 2, 3, 4, 5].map(() => dial(t, plain)));
    const ask = () =>
      new Promise<boolean>((resolve) => {
        const request = https.get(
          `${own.url}/healthz`,
          { ca: readFileSync(tls.TLS_CERT), agent: false },
          (response) => {
            response.resume();
            resolve(response.headers['strict-transport-security'] === 'max-age=31536000');
          },
        );
        request.on('error', () => resolve(false));
      });
    assert.equal(await ask(), false);
    await eventually(ask);
    for (const client of silent) assert.deepEqual(await client.responses(), []);
  });
});

test('a page has the headers of pages and a request id', async (t) => {
  for (const path of ['/', '/nowhere', '/files/resume.pdf', '/docs', '/desk']) {
    const client = await dial(t, url);
    client.send(head(`GET ${path} HTTP/1.1`, host, 'Accept: text/html', close));
    const [response] = await client.responses();
    assert.equal(response?.headers.get('x-content-type-options'), 'nosniff', path);
    assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'self'; /);
    assert.match(response.headers.get('x-request-id') ?? '', /^[\w-]{36}$/);
  }
});
