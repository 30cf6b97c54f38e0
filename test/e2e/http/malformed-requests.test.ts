import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { refuse } from '../../../src/adapters/http/malformed-requests.ts';
import { dial, head } from '../../support/dial.ts';
import { badRequest, get, last, open } from './http-service.ts';

const upload = (...lines: string[]) => head('POST /upload HTTP/1.1', 'Host: profile.example', ...lines);
const chunked = upload('Transfer-Encoding: chunked');

test('a parser error gets a whole response, an error of the connection gets none', async () => {
  const saidTo = async (code: string | undefined) => {
    const socket = new PassThrough();
    refuse(Object.assign(new Error(), code && { code }), socket, undefined, { 'X-Request-Id': 'request-1' });
    return socket.destroyed ? null : await text(socket);
  };
  assert.deepEqual((await saidTo('HPE_INVALID_METHOD'))?.split('\r\n'), [
    'HTTP/1.1 400 Bad Request',
    'X-Request-Id: request-1',
    'content-type: application/json',
    'cache-control: no-store',
    `content-length: ${badRequest.length}`,
    'connection: close',
    '',
    badRequest,
  ]);
  for (const code of ['ECONNRESET', 'ERR_SSL_WRONG_VERSION_NUMBER', undefined]) assert.equal(await saidTo(code), null);
});

test('after a parser error the server reads on, so that a client that is still sending is not reset', async (t) => {
  const { port } = await open(t);
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  t.after(() => void client.destroy());
  client.write('nonsense\r\n\r\n');
  await once(client, 'data');
  // More than the socket buffers hold: without a reader the write fails with EPIPE.
  await new Promise<void>((resolve, reject) =>
    client.write(Buffer.alloc(30_000_000), (error) => (error ? reject(error) : resolve())),
  );
});

test('the response to a malformed body is sent after those to earlier requests', async (t) => {
  const { responsesTo } = await open(t, {
    answer: async (request) => new Response((await request.text()) || new URL(request.url).pathname),
  });
  assert.deepEqual(
    (await responsesTo(`${get('/first')}${get('/second')}${chunked}z\r\n`)).map(({ status, body }) => [status, body]),
    [
      [200, '/first'],
      [200, '/second'],
      [400, badRequest],
    ],
  );
});

test('a parser error after a request closes the connection once that request has its response', async (t) => {
  const due = Promise.withResolvers<Response>();
  const { url, heard, refused } = await open(t, { answer: () => due.promise });
  const client = await dial(t, url);
  client.send(get('/slow'));
  for (const part of ['nonsense', ' and ', 'more of it\r\n\r\n']) {
    client.send(part);
    await new Promise((resolve) => setImmediate(resolve));
  }
  while (heard.length === 0 || refused.length === 0) await new Promise((resolve) => setImmediate(resolve));
  due.resolve(new Response('late'));
  assert.deepEqual(
    (await client.responses()).map(({ status, body }) => [status, body]),
    [[200, 'late']],
  );
});

test('a request that has its response gets no second one for its malformed body', async (t) => {
  const { url } = await open(t);
  const client = await dial(t, url);
  client.send(chunked);
  await client.heard('/upload');
  client.send('z\r\n');
  assert.deepEqual(
    (await client.responses()).map(({ status, body }) => [status, body]),
    [[200, '/upload']],
  );
});

test('16 MiB of an unread body are discarded and the connection stays open; one byte more closes it [TRUST-13]', async (t) => {
  const { responsesTo } = await open(t);
  const answersTo = async (head: string, body: string) =>
    (await responsesTo(head + body + last('/next'))).map(({ body }) => body);
  const [most, more] = [16_777_216, 16_777_217].map((length) => 'x'.repeat(length)) as [string, string];
  assert.deepEqual(await answersTo(upload(`Content-Length: ${most.length}`), most), ['/upload', '/next']);
  assert.deepEqual(await answersTo(upload(`Content-Length: ${more.length}`), more), ['/upload']);
  const inChunks = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
  assert.deepEqual(await answersTo(chunked, inChunks('x'.repeat(1_000))), ['/upload', '/next']);
  assert.deepEqual(await answersTo(chunked, inChunks(more)), ['/upload']);
});

test('the rest of a partly read body is discarded, and the connection stays open', async (t) => {
  const { url } = await open(t, {
    answer: async (request) => {
      if (request.body === null) return new Response('next');
      const { value } = await request.body.getReader().read();
      return new Response(`read ${value?.[0]}`);
    },
  });
  const client = await dial(t, url);
  client.send(upload('Content-Length: 4000001'));
  client.send('A');
  await client.heard('read 65');
  client.send('x'.repeat(4_000_000) + last('/next'));
  assert.deepEqual(
    (await client.responses()).map(({ body }) => body),
    ['read 65', 'next'],
  );
});
