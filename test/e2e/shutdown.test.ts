import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { dial, head } from '../support/dial.ts';
import { type Cleanup, fixture } from '../support/files.ts';
import { startProgram } from '../support/installed-package.ts';
import { clientOf } from '../support/mcp-service.ts';
import { eventually, startProcess } from '../support/process.ts';
import { newCheckout } from '../support/shell.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';

const env = { PROFILE: fixture('profile.yaml') };
const body = '{"name":"Ada","email":"ada@example.org","company":"Engines","message":"Hello"}';

/** Begins a request; resolves when the service has asked for the body. */
async function begin(t: Cleanup, { url, token }: Awaited<ReturnType<typeof startProcess>>, path: string) {
  const authorization = `Bearer ${await token()}`;
  // With a cached token the request has reached its handler when the body is asked for.
  await fetch(`${url}/candidate`, { headers: { authorization } });
  const connection = await dial(t, url);
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ];
  connection.send(head(...lines));
  await connection.heard('HTTP/1.1 100 Continue');
  return connection;
}

const isRefused = (url: string) =>
  fetch(url).then(
    () => false,
    ({ cause }) => cause.code === 'ECONNREFUSED',
  );

for (const signal of ['SIGTERM', 'SIGHUP'] as const)
  test(`${signal} finishes requests in flight, ends subscriptions, and exits with 0`, async (t) => {
    const service = await startProcess(t, env);
    const { url } = service;
    const slow = await begin(t, service, '/contact');
    slow.send(body.slice(0, 10));
    const agent = clientOf('modern');
    const requestInit = { headers: { authorization: `Bearer ${await service.token()}` } };
    await agent.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    const subscription = await agent.listen({ resourceSubscriptions: ['candidate-profile://profile/candidate'] });

    service.kill(signal);
    await eventually(() => isRefused(url));
    assert.equal(await subscription.closed, 'graceful');
    slow.send(body.slice(10) + head('GET /readyz HTTP/1.1', `Host: ${new URL(url).host}`));

    const [, receipt, readiness] = await slow.responses();
    assert.equal(receipt?.status, 201);
    assert.equal(readiness?.status, 503);
    assert.equal(readiness.headers.get('connection'), 'close');
    assert.equal(JSON.parse(readiness.body).status, 'draining');
    assert.equal(await service.exited(), 0);
    // SQLite removes the write-ahead log when the database is closed.
    const data = join(service.folder, 'data');
    assert.deepEqual(globSync('candidate-profile.db*', { cwd: data }), ['candidate-profile.db']);
    using database = openSqliteFile(join(data, 'candidate-profile.db'));
    assert.equal(database.prepare('select id from contacts').get()?.id, JSON.parse(receipt.body).id);
  });

suite('SIGTERM', { concurrency: true }, () => {
  for (const path of ['/contact'])
    test(`does not wait for a body that never arrives, such as one to ${path}`, async (t) => {
      const service = await startProcess(t, env);
      const slow = await begin(t, service, path);
      service.kill('SIGTERM');
      await eventually(() => isRefused(service.url));
      assert.equal(await service.exited(), 0);
      // No 408: the process did not wait for the deadline of the body.
      assert.deepEqual(
        (await slow.responses()).map(({ status }) => status),
        [100],
      );
    });
});

/** Makes Node.js take itself for an older one, in place of which the launcher runs that of the checkout. */
const asOldNode =
  "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.0.0'}})";

test('a service ends with the launcher that started it on an older Node.js', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const folder = newCheckout(t);
  const args = ['--import', asOldNode, 'bin/candidate-profile.cjs', 'serve'];
  const service = await startProgram(t, process.execPath, args, folder);
  process.kill(service.pid, 'SIGINT');
  await service.exited;
  await eventually(() => isRefused(service.url));
  // The service has closed its database, and so has not been killed.
  await eventually(() => globSync('data/candidate-profile.db*', { cwd: folder }).length === 1);
});
