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

/** How long responses may take after the end of input: the SDK's request timeout. */
const drainTimeoutMs = 60_000;

/** The SDK's stdio transport closes at the end of input; this one does so after it has responded to all requests. */
export function stdioTransport(input: Readable = process.stdin, output: Writable = process.stdout): Transport {
  const pending = new Set<RequestId | undefined>();
  let onDrained = () => {};
  const removePending = (id: RequestId | undefined) => {
    if (pending.delete(id) && pending.size === 0) onDrained();
  };

  async function drained(): Promise<void> {
    // By then the transport has read all input.
    await new Promise((resolve) => setImmediate(resolve));
    if (pending.size === 0) return;
    await new Promise<void>((resolve) => {
      onDrained = resolve;
      setTimeout(resolve, drainTimeoutMs).unref();
    });
  }

  const delayedInput = new Transform({
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush: (done) => void drained().then(() => done()),
  });
  const stdio = new StdioServerTransport(delayedInput, output);

  function track(message: JSONRPCMessage): void {
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      removePending(message.params?.requestId as RequestId | undefined);
    // The response to a subscription is sent only when it ends.
    else if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') pending.add(message.id);
  }

  const transport: Transport = {
    async start() {
      stdio.onmessage = (message: JSONRPCMessage) => {
        track(message);
        transport.onmessage?.(message);
      };
      stdio.onerror = (error) => transport.onerror?.(error);
      stdio.onclose = () => {
        delayedInput.destroy();
        transport.onclose?.();
      };
      await stdio.start();
      pipeline(input, delayedInput, () => {});
    },
    async send(message) {
      await stdio.send(message);
      if (isJSONRPCResponse(message)) removePending(message.id);
    },
    close: () => stdio.close(),
  };
  return transport;
}
