import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { test } from 'node:test';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { stdioTransport } from '../../../src/surfaces/mcp/stdio-transport.ts';
import { legacy } from '../../support/mcp-service.ts';

/** A transport between two pipes, with what it has received. */
async function open() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = stdioTransport(input, output);
  const received: JSONRPCMessage[] = [];
  const faults: Error[] = [];
  transport.onmessage = (message) => void received.push(message);
  transport.onerror = (fault) => void faults.push(fault);
  let isClosed = false;
  const closed = new Promise<void>((resolve) => {
    transport.onclose = () => {
      isClosed = true;
      resolve();
    };
  });
  await transport.start();
  const write = (...messages: object[]) =>
    void input.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  /** Ends the input; resolves a few turns of the event loop later, when the transport would have closed. */
  const end = async () => {
    input.end();
    await finished(input);
    for (const _ of Array(10).keys()) await new Promise((resolve) => setImmediate(resolve));
  };
  return { transport, input, output, received, faults, closed, isClosed: () => isClosed, write, end };
}

const answer = (id: number) => ({ jsonrpc: '2.0', id, result: {} }) as const;
const cancelled = (requestId: number) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

test('each line on standard input is a message, and each message is a line on standard output', async () => {
  const { transport, output, received, write, end } = await open();
  write(legacy('ping', {}, 1), { jsonrpc: '2.0', method: 'notifications/initialized' });
  await end();
  assert.deepEqual(received, [legacy('ping', {}, 1), { jsonrpc: '2.0', method: 'notifications/initialized' }]);
  await transport.send(answer(1));
  assert.equal(String(output.read()), '{"jsonrpc":"2.0","id":1,"result":{}}\n');
});

test('at the end of input the transport closes after all requests have been answered', async () => {
  const { transport, closed, isClosed, write, end } = await open();
  write(legacy('ping', {}, 1), legacy('ping', {}, 2));
  await end();
  assert.equal(isClosed(), false);
  await transport.send(answer(2));
  await transport.send({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: '' } });
  for (const _ of Array(10).keys()) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isClosed(), false);
  await transport.send({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } });
  await closed;
});

test("cancelled requests and subscriptions don't delay closing", async () => {
  const { isClosed, write, end } = await open();
  write(legacy('tools/call', {}, 1), legacy('subscriptions/listen', {}, 2), cancelled(1));
  await end();
  assert.equal(isClosed(), true);
});

test('a cancelled request does not cancel the others', async () => {
  const { transport, closed, isClosed, write, end } = await open();
  write(legacy('tools/call', {}, 1), legacy('tools/call', {}, 2), cancelled(1), cancelled(3));
  write({ jsonrpc: '2.0', method: 'notifications/progress', params: { requestId: 2 } });
  write({ jsonrpc: '2.0', method: 'notifications/cancelled' }, { jsonrpc: '2.0', method: 'notifications/initialized' });
  await end();
  assert.equal(isClosed(), false);
  await transport.send(answer(2));
  await closed;
});

test('a line that is not a message is reported as an error, and the lines after it are read', async () => {
  const { faults, received, input, write, end } = await open();
  input.write('{"jsonrpc":"2.0"}\n');
  write({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await end();
  assert.deepEqual([faults.length, received.length], [1, 1]);
});
