import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openFilesOf } from '../../support/child-processes.ts';
import { confirmLink, formTokenOf } from '../../support/desk.ts';
import { eventually, startProcess } from '../../support/process.ts';

/** Starts a service on the sample, signs in, and sends half of a file of 10 MB, which the service has then. */
async function sendHalf(t: TestContext) {
  const service = await startProcess(t);
  const link = await eventually(() => service.printed.find((line) => line.includes('/desk/sign-in?link=')) ?? false);
  const cookie = await confirmLink(link.trim());
  const page = await (await fetch(`${service.url}/desk/profile/import`, { headers: { cookie } })).text();
  const { hostname, port, host } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const head = [
    'POST /desk/profile/import/read HTTP/1.1',
    `host: ${host}`,
    `cookie: ${cookie}`,
    'sec-fetch-site: same-origin',
    'content-type: multipart/form-data; boundary=edge',
    'content-length: 10000000',
  ];
  const body = [
    '--edge',
    'content-disposition: form-data; name="form_token"',
    '',
    formTokenOf(page),
    '--edge',
    'content-disposition: form-data; name="resume"; filename="a.json"',
    '',
    'x'.repeat(5_000_000),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.join('\r\n')}`);
  const open = () => openFilesOf(service.pid).filter((path) => path.includes('/.upload-')).length;
  const left = () => readdirSync(join(service.folder, 'data')).filter((name) => name.startsWith('.upload-'));
  // It has a name for an instant.
  await eventually(() => open() === 1 && left().length === 0);
  return { ...service, socket, open, left };
}

test('the file of an upload has no name while it arrives, and goes when the client does', async (t) => {
  const { socket, open, left, lines } = await sendHalf(t);
  assert.deepEqual(left(), []);
  socket.destroy();
  await eventually(() => open() === 0);
  assert.deepEqual(left(), []);
  assert.deepEqual(
    lines.filter((line) => line.includes('"level":"error"')),
    [],
  );
});

for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  test(`the file of an upload goes with a service that ends by ${signal}`, async (t) => {
    const { kill, exited, left } = await sendHalf(t);
    kill(signal);
    await exited();
    assert.deepEqual(left(), []);
  });

test('visitors are answered while a file arrives', async (t) => {
  const { url, token, open } = await sendHalf(t);
  const headers = { authorization: `Bearer ${await token()}` };
  assert.equal((await fetch(`${url}/candidate`, { headers })).status, 200);
  assert.equal(open(), 1);
});
