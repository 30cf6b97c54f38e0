import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { after, describe, test } from 'node:test';
import { type ServerType, serve } from '@hono/node-server';
import { InMemoryTransport, type Transport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { openMcpBridge } from '../../../src/surfaces/mcp/bridge.ts';
import { openMcpStdio } from '../../../src/surfaces/mcp/stdio.ts';
import { stdioTransport } from '../../../src/surfaces/mcp/stdio-transport.ts';
import {
  clientOf,
  connect,
  type Era,
  eras,
  openService,
  serviceOf,
  updateOf,
  visitor,
} from '../../support/mcp-service.ts';

const anything = z.unknown();
const availability = 'candidate-profile://profile/availability';

/** A client of the era at one end of a pipe, and what `open` returns for the other end. */
async function piped<Opened>(era: Era, open: (transport: Transport) => Opened) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const opened = await open(far);
  const client = clientOf(era);
  await client.connect(near);
  return { client, opened };
}

for (const era of eras)
  describe(`on stdio, a client of the ${era} era`, () => {
    test('is the owner, needs no token and gets the same answers as over HTTP', async () => {
      const { kept, ...service } = serviceOf();
      const { client, opened } = await piped(era, (transport) => openMcpStdio(service, transport));
      const overHttp = await connect(openService().mcp, era);
      assert.deepEqual(await client.listTools(), await overHttp.listTools());
      assert.deepEqual(await client.callTool({ name: 'get_resume' }), await overHttp.callTool({ name: 'get_resume' }));
      const [call] = kept.calls;
      assert.deepEqual([call?.operation, call?.surface, call?.caller], ['get_resume', 'mcp-stdio', 'owner']);
      await client.close();
      await opened.closed;
    });
  });

for (const era of eras)
  test(`on stdio, a client of the ${era} era reads the card, without links if no page may be served`, async () => {
    const service = { ...serviceOf(), pageUrl: null };
    const { client, opened } = await piped(era, (transport) => openMcpStdio(service, transport));
    const { contents } = await client.readResource({ uri: 'ui://candidate-profile/card' });
    assert.match(JSON.stringify(contents), /Download PDF/);
    assert.doesNotMatch(JSON.stringify(contents), /href=/);
    await opened.close();
    await opened.closed;
  });

test('on stdio, a modern subscriber is notified of a changed resource', async () => {
  const { client, opened } = await piped('modern', (transport) => openMcpStdio(serviceOf(), transport));
  const updated = updateOf(client);
  await client.listen({ resourceSubscriptions: [availability] });
  opened.notify({ resources: ['candidate-profile://profile/candidate', availability], isListChanged: false });
  assert.equal(await updated, availability);
  await opened.close();
  await opened.closed;
});

for (const era of eras)
  test(`on stdio, a client of the ${era} era is notified that other tools and resources are offered`, {
    timeout: 60_000,
  }, async () => {
    const { client, opened } = await piped(era, (transport) => openMcpStdio(serviceOf(), transport));
    const methods = ['notifications/tools/list_changed', 'notifications/resources/list_changed'] as const;
    const notified = methods.map(
      (method) => new Promise((resolve) => client.setNotificationHandler(method, () => resolve(method))),
    );
    if (era === 'modern') await client.listen({ toolsListChanged: true, resourcesListChanged: true });
    opened.notify({ resources: [availability], isListChanged: true });
    assert.deepEqual(await Promise.all(notified), [...methods]);
    await opened.close();
    await opened.closed;
  });

test('on stdio, a call in flight at the end of input is answered', async () => {
  const service = serviceOf({ mutations: true });
  const written = Promise.withResolvers<void>();
  const { add } = service.services.store.tokens;
  service.services.store.tokens.add = async (token, notice) => {
    await written.promise;
    await add(token, notice);
  };
  const input = new PassThrough();
  const output = new PassThrough();
  const { closed } = openMcpStdio(service, stdioTransport(input, output));
  const params = { name: 'create_auth_token', arguments: { email: 'ada@example.org' } };
  input.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
  await finished(input);
  setImmediate(written.resolve);
  await closed;
  const { result } = JSON.parse(String(output.read()));
  assert.equal(result.structuredContent.data.token_type, 'Bearer');
});

/** The service on a real port, with one valid token. */
async function listen(port = 0) {
  const { mcp } = openService();
  const good = { token: 'good' };
  const revisions = new Set<string | null>();
  const hungUp = Promise.withResolvers<void>();
  const fetch = (request: Request) => {
    revisions.add(request.headers.get('mcp-protocol-version'));
    if (request.headers.get('mcp-method') === 'subscriptions/listen')
      request.signal.addEventListener('abort', () => hungUp.resolve());
    return request.headers.get('authorization') === `Bearer ${good.token}`
      ? mcp.fetch(request, visitor)
      : Response.json(
          { error: { code: 'UNAUTHORIZED', message: 'A valid bearer token is required' } },
          { status: 401 },
        );
  };
  const server = await new Promise<ServerType>((resolve) => {
    const opened = serve({ fetch, port, hostname: '127.0.0.1' }, () => resolve(opened));
    opened.unref();
  });
  const crash = () =>
    new Promise((resolve) => {
      server.close(resolve);
      if ('closeAllConnections' in server) server.closeAllConnections();
    });
  const stop = async () => {
    await mcp.endSubscriptions();
    await crash();
  };
  const bound = (server.address() as AddressInfo).port;
  return { port: bound, baseUrl: `http://127.0.0.1:${bound}`, mcp, good, revisions, hungUp, crash, stop };
}

describe('over the bridge', async () => {
  const service = await listen();
  after(service.stop);
  const bridged = (era: Era, { baseUrl } = service, token = 'good') =>
    piped(era, (transport) => openMcpBridge({ baseUrl, token, version: '0' }, transport));

  for (const era of eras)
    test(`a client of the ${era} era meets the service itself`, async () => {
      service.revisions.clear();
      const { client, opened } = await bridged(era);
      const faults: Error[] = [];
      client.onerror = (fault) => void faults.push(fault);
      const direct = await connect(service.mcp, era);
      assert.equal(client.getNegotiatedProtocolVersion(), era === 'modern' ? '2026-07-28' : '2025-11-25');
      assert.deepEqual(client.getServerVersion(), direct.getServerVersion());
      assert.deepEqual(client.getServerCapabilities(), direct.getServerCapabilities());
      assert.equal(client.getInstructions(), direct.getInstructions());
      assert.deepEqual(await client.listTools(), await direct.listTools());
      assert.deepEqual(await client.listResources(), await direct.listResources());
      for (const call of [
        { name: 'list_experience', arguments: { current: true } },
        { name: 'get_project', arguments: { id: 'none' } },
      ])
        assert.deepEqual(await client.callTool(call), await direct.callTool(call));
      await assert.rejects(client.callTool({ name: 'nothing' }), { code: -32602 });
      await assert.rejects(client.request({ method: 'no/such', params: {} }, anything), { code: -32601 });
      // The bridge probes in the newest revision; `initialize` has no revision header.
      assert.deepEqual([...service.revisions], era === 'modern' ? ['2026-07-28'] : ['2026-07-28', null, '2025-11-25']);
      assert.deepEqual(faults, []);
      await client.close();
      await opened.closed;
    });

  test('a modern subscriber is notified of changes until it ends the subscription', async () => {
    const { client } = await bridged('modern');
    const updated = updateOf(client);
    const subscription = await client.listen({ resourceSubscriptions: [availability] });
    service.mcp.notify(new Map([[null, { resources: [availability], isListChanged: false }]]));
    assert.equal(await updated, availability);
    await subscription.close();
    await service.hungUp.promise;
    await client.close();
  });

  test('if the token is refused, the start fails with an error of one line', async () => {
    const open = bridged('modern', { ...service, baseUrl: service.baseUrl }, 'bad');
    await assert.rejects(open, { name: 'Error', message: `${service.baseUrl}/mcp refuses the token` });
  });

  test('if the service does not answer, the start fails with an error of one line', async () => {
    const gone = await listen();
    await gone.stop();
    await assert.rejects(bridged('modern', gone), {
      name: 'Error',
      message: `no MCP service answers at ${gone.baseUrl}/mcp`,
    });
  });

  for (const era of eras)
    test(`to a client of the ${era} era a service that goes away is an error, and one that returns an answer`, async () => {
      const first = await listen();
      const { client } = await bridged(era, first);
      await first.stop();
      await assert.rejects(client.callTool({ name: 'get_candidate' }), {
        code: -32603,
        message: 'No answer came from the service.',
      });
      const second = await listen(first.port);
      assert.equal((await client.callTool({ name: 'get_candidate' })).isError, undefined);
      await client.close();
      await second.stop();
    });

  test('a subscription ends for the client when the service stops or crashes', async () => {
    for (const [way, reason] of [
      ['stop', 'graceful'],
      ['crash', 'remote'],
    ] as const) {
      const going = await listen();
      const { client } = await bridged('modern', going);
      const subscription = await client.listen({ resourceSubscriptions: [availability] });
      await going[way]();
      assert.equal(await subscription.closed, reason);
      await client.close();
    }
  });
});
