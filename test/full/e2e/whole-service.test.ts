import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { after, suite, test } from 'node:test';
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

suite('On the wire', { concurrency: true }, () => {
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

  test('TRACE and a method override header have no effect [ERROR-2] [TRUST-23]', async (t) => {
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
