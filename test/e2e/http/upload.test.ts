import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { childrenOf, isRunning, openFilesOf } from '../../support/child-processes.ts';
import { confirmLink, formTokenOf } from '../../support/desk.ts';
import { resumeFile } from '../../support/files.ts';
import { eventually, startProcess } from '../../support/process.ts';

/** Starts a service on the sample, signs in, and opens a connection to send a file. */
async function openClient(t: TestContext) {
  const service = await startProcess(t);
  const cookie = await confirmLink(await service.deskLink());
  const page = async (path: string) => (await fetch(service.url + path, { headers: { cookie } })).text();
  const form_token = formTokenOf(await page('/desk/profile/import'));
  const { hostname, port, host } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  /** Sends a form with a file; the rest of its bytes, if it is said to be longer, never come. */
  function send(file: string, length?: number) {
    const body = [
      '--edge',
      'content-disposition: form-data; name="form_token"',
      '',
      form_token,
      '--edge',
      'content-disposition: form-data; name="resume"; filename="a.json"',
      '',
      file,
      ...(length === undefined ? ['--edge--', ''] : []),
    ].join('\r\n');
    const head = [
      'POST /desk/profile/import/read HTTP/1.1',
      `host: ${host}`,
      `cookie: ${cookie}`,
      'sec-fetch-site: same-origin',
      'content-type: multipart/form-data; boundary=edge',
      `content-length: ${length ?? Buffer.byteLength(body)}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
  const open = () => openFilesOf(service.pid).filter((path) => path.includes('/.upload-')).length;
  const left = () => readdirSync(join(service.folder, 'data')).filter((name) => name.startsWith('.upload-'));
  return { ...service, page, socket, send, open, left };
}

/** Sends half of a file of 10 MB, which the service has then. */
async function sendHalf(t: TestContext) {
  const client = await openClient(t);
  client.send('x'.repeat(5_000_000), 10_000_000);
  // It has a name for an instant.
  await eventually(() => client.open() === 1 && client.left().length === 0);
  return client;
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

test('a client that leaves while its file is read stores nothing, and the process that reads it ends', async (t) => {
  const { pid, page, socket, send, open } = await openClient(t);
  send(readFileSync(resumeFile('jsonresume-new-grad.json'), 'utf8'));
  const reading = () =>
    childrenOf(pid).find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('import-process'));
  const reader = await eventually(() => reading() ?? false);
  process.kill(Number(reader), 'SIGSTOP');
  const connections = () => openFilesOf(pid).filter((path) => path.startsWith('socket:')).length;
  const before = connections();
  socket.destroy();
  await eventually(() => connections() < before);
  if (isRunning(reader)) process.kill(Number(reader), 'SIGCONT');
  await eventually(() => open() === 0);
  assert.match(await page('/desk/profile/proposals'), /Nothing is proposed\./);
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
