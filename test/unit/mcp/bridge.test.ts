import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { openMcpBridge } from '../../../src/surfaces/mcp/bridge.ts';
import { legacy, openService, visitor } from '../../support/mcp-service.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A bridge to a service that answers `tools/call` with a given response. */
async function bridged(t: TestContext, answerToCall: Answer) {
  const { mcp } = openService();
  const agents: unknown[] = [];
  const server = http.createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray()).toString();
    if (incoming.headers['mcp-method'] === 'tools/call' || body.includes('"tools/call"')) {
      outgoing.writeHead(answerToCall.status, { 'content-type': 'text/html' }).end(answerToCall.body);
      return;
    }
    agents.push(JSON.parse(body).params?._meta?.['io.modelcontextprotocol/clientInfo']);
    const headers = Object.entries(incoming.headers) as [string, string][];
    const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body });
    const response = await mcp.fetch(request, visitor);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [near, far] = InMemoryTransport.createLinkedPair();
  const bridge = await openMcpBridge({ baseUrl, token: 'good', version: '1.2.3' }, far);
  t.after(bridge.close);
  const ask = (message: JSONRPCMessage) =>
    new Promise<JSONRPCMessage>((resolve) => {
      near.onmessage = resolve;
      void near.send(message);
    });
  await near.start();
  return { ask, agents };
}

const call = legacy('tools/call', { name: 'get_candidate' }, 7) as JSONRPCMessage;

test('the client gets the error message of the service, or the status if the response has none', async (t) => {
  const internal = (message: string) => ({ code: -32603, message });
  for (const [status, body, error] of [
    [
      400,
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"Header mismatch"}}',
      { code: -32020, message: 'Header mismatch' },
    ],
    [429, '{"error":{"code":"RATE_LIMITED","message":"Too many requests."}}', internal('Too many requests.')],
    [502, '<h1>Bad Gateway</h1>', internal('The service answered with status 502.')],
    [500, '{"no":"error"}', internal('The service answered with status 500.')],
  ] as const) {
    const { ask } = await bridged(t, { status, body });
    assert.deepEqual(await ask(call), { jsonrpc: '2.0', id: 7, error });
  }
});

test('a bridge sends its name and version when it probes the service', async (t) => {
  const { agents } = await bridged(t, { status: 200, body: '' });
  assert.deepEqual(agents[0], { name: 'candidate-profile', version: '1.2.3' });
});

test('if another server answers at the address, the start fails with an error of one line', async (t) => {
  for (const status of [200, 403, 404]) {
    const server = http.createServer((_incoming, outgoing) => outgoing.writeHead(status).end('<h1>Hello</h1>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [, far] = InMemoryTransport.createLinkedPair();
    await assert.rejects(openMcpBridge({ baseUrl, token: 'good', version: '0' }, far), {
      message: `no MCP service answers at ${baseUrl}/mcp`,
    });
  }
});
