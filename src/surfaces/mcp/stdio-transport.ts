import { pipeline, type Readable, Transform, type Writable } from 'node:stream';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** How long an answer may take after the input has ended, as long as clients wait for one (the SDK's request timeout). */
const patienceMs = 60_000;

/** Standard input and output for one client. The SDK's transport closes with its input; this one when all requests are answered. */
export function stdioTransport(input: Readable = process.stdin, output: Writable = process.stdout): Transport {
  const unanswered = new Set<RequestId | undefined>();
  let onAllAnswered = () => {};
  const settle = (id: RequestId | undefined) => {
    if (unanswered.delete(id) && unanswered.size === 0) onAllAnswered();
  };

  async function allAnswered(): Promise<void> {
    // By then the transport has what has arrived.
    await new Promise((resolve) => setImmediate(resolve));
    if (unanswered.size === 0) return;
    await new Promise<void>((resolve) => {
      onAllAnswered = resolve;
      setTimeout(resolve, patienceMs).unref();
    });
  }

  const held = new Transform({
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush: (done) => void allAnswered().then(() => done()),
  });
  const stdio = new StdioServerTransport(held, output);

  function note(message: JSONRPCMessage): void {
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      settle(message.params?.requestId as RequestId | undefined);
    // A subscription is answered when it ends.
    else if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') unanswered.add(message.id);
  }

  const transport: Transport = {
    async start() {
      stdio.onmessage = (message: JSONRPCMessage) => {
        note(message);
        transport.onmessage?.(message);
      };
      stdio.onerror = (error) => transport.onerror?.(error);
      stdio.onclose = () => {
        held.destroy();
        transport.onclose?.();
      };
      await stdio.start();
      pipeline(input, held, () => {});
    },
    async send(message) {
      await stdio.send(message);
      if (isJSONRPCResponse(message)) settle(message.id);
    },
    close: () => stdio.close(),
  };
  return transport;
}
