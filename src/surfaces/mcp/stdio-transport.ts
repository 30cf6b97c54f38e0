import { finished, PassThrough, type Readable, type Writable } from 'node:stream';
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
  const delayedInput = new PassThrough();
  let isInputEnded = false;
  const endIfAnswered = () => isInputEnded && pending.size === 0 && delayedInput.end();
  const stdio = new StdioServerTransport(delayedInput, output);

  function track(message: JSONRPCMessage): void {
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      pending.delete(message.params?.requestId as RequestId | undefined);
      endIfAnswered();
      // The response to a subscription is sent only when it ends.
    } else if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') pending.add(message.id);
  }

  const transport: Transport = {
    async start() {
      stdio.onmessage = (message: JSONRPCMessage) => {
        track(message);
        transport.onmessage?.(message);
      };
      stdio.onerror = (error) => transport.onerror?.(error);
      stdio.onclose = () => {
        input.destroy();
        transport.onclose?.();
      };
      await stdio.start();
      input.pipe(delayedInput, { end: false });
      finished(input, { writable: false }, (error) => {
        if (error) {
          transport.onerror?.(error);
          void stdio.close();
          return;
        }
        // By then the transport has read all input.
        setImmediate(() => {
          isInputEnded = true;
          endIfAnswered();
          setTimeout(() => delayedInput.end(), drainTimeoutMs).unref();
        });
      });
    },
    async send(message) {
      await stdio.send(message);
      if (isJSONRPCResponse(message) && pending.delete(message.id)) endIfAnswered();
    },
    close: () => stdio.close(),
  };
  return transport;
}
