import { createMcpHandler, type McpHttpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import { Failure } from '../model/failure.ts';
import type { Caller } from '../operations/operation.ts';
import { type McpService, mcpFactory } from './mcp-server.ts';
import { failureResponse } from './responses.ts';

/** Where the faults of the protocol go. */
interface Log {
  warn(fields: object, message: string): void;
}

/** MCP over HTTP, stateless, in every revision the SDK knows. */
export interface Mcp {
  /** Answers one request whose Host, Origin and token have been checked. */
  fetch(request: Request, caller: Caller): Promise<Response>;
  /** Tells whoever listens that these resources have changed. */
  notifyUpdated(uris: readonly string[]): void;
  /** Lets calls in flight finish, then ends the subscriptions; what comes later is answered 503. */
  close(): Promise<void>;
}

/** The SDK's handler, within the limits of this service. */
export const toHandler = (factory: McpServerFactory, log: Log): McpHttpHandler =>
  createMcpHandler(factory, {
    maxRequestBodySize: 65_536,
    maxSubscriptions: 200,
    // The code alone: the SDK's messages quote requests, which no log may hold.
    onerror: (error) => log.warn({ code: (error as { code?: unknown }).code ?? error.name }, 'MCP request refused'),
  });

/** Opens MCP over HTTP. */
export function openMcp({ log, ...service }: McpService & { log: Log }): Mcp {
  const factory = mcpFactory(service, 'mcp', ({ authInfo }) => authInfo?.extra?.caller as Caller);
  const handler = toHandler(factory, log);
  const inFlight = new Set<Promise<Response>>();
  let isClosed = false;
  return {
    async fetch(request, caller) {
      if (isClosed) return failureResponse(new Failure('UNAVAILABLE', 'The service is shutting down.'), request);
      // The SDK hands `extra` to the factory and looks at none of this.
      const answer = handler.fetch(request, { authInfo: { token: '', clientId: '', scopes: [], extra: { caller } } });
      inFlight.add(answer);
      return answer.finally(() => inFlight.delete(answer));
    },
    notifyUpdated: (uris) => {
      for (const uri of uris) handler.notify.resourceUpdated(uri);
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(inFlight);
      await handler.close();
    },
  };
}
