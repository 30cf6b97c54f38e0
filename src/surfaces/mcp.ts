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

interface Options extends McpService {
  readonly log: Log;
  /** How many subscriptions one visitor may hold open at a time. */
  readonly subscriptionsPerSubject: number;
}

/** Opens MCP over HTTP. */
export function openMcp({ log, subscriptionsPerSubject, ...service }: Options): Mcp {
  const factory = mcpFactory(service, 'mcp', ({ authInfo }) => authInfo?.extra?.caller as Caller);
  const handler = toHandler(factory, log);
  const inFlight = new Set<Promise<Response>>();
  const listening = new Map<string, number>();
  let isClosed = false;

  function serve(request: Request, caller: Caller): Promise<Response> {
    // The SDK hands `extra` to the factory and looks at none of this.
    const answer = handler.fetch(request, { authInfo: { token: '', clientId: '', scopes: [], extra: { caller } } });
    inFlight.add(answer);
    return answer.finally(() => inFlight.delete(answer));
  }

  async function listen(request: Request, caller: Caller): Promise<Response> {
    const subject = caller.token?.subject ?? '';
    const open = listening.get(subject) ?? 0;
    if (open >= subscriptionsPerSubject) {
      service.services.audit({ event: 'limit_hit', operation: 'subscriptions/listen', from: caller.address });
      return failureResponse(new Failure('RATE_LIMITED', tooManySubscriptions, { retryAfterSeconds: 60 }), request);
    }
    listening.set(subject, open + 1);
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      const left = listening.get(subject)! - 1;
      if (left === 0) listening.delete(subject);
      else listening.set(subject, left);
    };
    // Who hangs up is told by the signal or by the body, as the HTTP server has it.
    request.signal.addEventListener('abort', end);
    const response = await serve(request, caller).catch((error: unknown) => {
      end();
      throw error;
    });
    return whenOver(response, end);
  }

  return {
    async fetch(request, caller) {
      if (isClosed) return failureResponse(new Failure('UNAVAILABLE', 'The service is shutting down.'), request);
      // The header says truly what the body asks for, or the SDK refuses the request.
      const isListening = request.headers.get('mcp-method') === 'subscriptions/listen';
      return isListening ? listen(request, caller) : serve(request, caller);
    },
    notifyUpdated: (uris) => {
      for (const uri of uris) handler.notify.resourceUpdated(uri);
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(inFlight);
      await handler.close();
      // The last words of the subscriptions have a few promises to go before they are with the HTTP server.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const tooManySubscriptions = 'Too many subscriptions are open. End one of them first.';

/** The response, with a call once its body has been sent or its reader has gone. */
function whenOver(response: Response, end: () => void): Response {
  if (response.body === null) {
    end();
    return response;
  }
  const reader = response.body.getReader();
  // Not pipeTo: it learns that nobody reads any more only when there is something to send.
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        end();
        throw error;
      });
      if (!done) return controller.enqueue(value);
      controller.close();
      end();
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
  });
  return new Response(body, response);
}
