import {
  createMcpHandler,
  type McpHttpHandler,
  type McpServerFactory,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { toCanonicalAddress } from '../../model/email-address.ts';
import { Failure } from '../../model/failure.ts';
import { blockOf } from '../../model/network-block.ts';
import type { Caller } from '../../operations/call.ts';
import { failureResponse } from '../rest/responses.ts';
import { batchResponse, faultResponse, isEventStream, readPosted } from './batch.ts';
import { codeOfStatus, type Exchange, isRefused, openExchange } from './exchange.ts';
import { type McpService, mcpFactory } from './server.ts';
import { openSubscriptions, type SubscriptionLimits } from './subscriptions.ts';

/** Where the faults of the protocol go. */
interface Log {
  warn(fields: object, message: string): void;
}

/** MCP over HTTP, stateless, in every revision the SDK knows. */
export interface Mcp {
  /** Answers one request whose Host, Origin and token have been checked. */
  fetch(request: Request, caller: Caller): Promise<Response>;
  /** Tells the clients that listen, and whose tokens are still good, that these resources have changed. */
  notifyUpdated(uris: readonly string[]): void;
  /** Ends the subscriptions whose token has ended. */
  endUnauthorized(): void;
  /** Lets calls in flight finish, then ends the subscriptions; what comes later is answered 503. */
  close(): Promise<void>;
}

/** The SDK's handler; those that share a bus have the same news. */
export const toHandler = (factory: McpServerFactory, log: Log, bus?: ServerEventBus): McpHttpHandler =>
  createMcpHandler(factory, {
    ...(bus && { bus }),
    // The code alone: the SDK's messages quote requests, which no log may hold.
    onerror: (error) => log.warn({ code: (error as { code?: unknown }).code ?? error.name }, 'MCP request refused'),
  });

interface Options extends McpService {
  readonly log: Log;
  readonly subscriptionLimits: SubscriptionLimits;
}

/** Opens MCP over HTTP. */
export function openMcp({ log, subscriptionLimits, ...service }: Options): Mcp {
  const { services } = service;
  const factory = mcpFactory(service, 'mcp', ({ authInfo }) => authInfo?.extra?.exchange as Exchange);
  const handler = toHandler(factory, log);
  const inFlight = new Set<Promise<Response>>();
  const subscriptions = openSubscriptions(subscriptionLimits);
  const listeners = new Set<McpHttpHandler>();
  let isClosed = false;

  function serve(request: Request, exchange: Exchange, by = handler): Promise<Response> {
    // The SDK hands `extra` to the factory and looks at none of this.
    const authInfo = { token: '', clientId: '', scopes: [], extra: { exchange } };
    const answer = by.fetch(request, { authInfo, parsedBody: exchange.message });
    inFlight.add(answer);
    return answer.finally(() => inFlight.delete(answer));
  }

  /** Answers one message that the quota has room for, or whose kind is not refused for it. */
  async function answer(request: Request, exchange: Exchange): Promise<Response> {
    const { kind, counted, record } = exchange;
    if (isClosed) {
      record('UNAVAILABLE');
      return closing(request);
    }
    if (kind === 'notification' && counted !== null) {
      record(counted.code);
      return new Response(null, { status: 202 });
    }
    const isListening = kind === 'subscription';
    const response = await (isListening ? listen(request, exchange) : serve(request, exchange));
    // The server that answers a request with 200 records what is in the answer.
    if (isListening || response.status !== 200) record(codeOfStatus(response.status));
    return response;
  }

  async function listen(request: Request, exchange: Exchange): Promise<Response> {
    const { caller } = exchange;
    const limitHit = () =>
      services.audit({ event: 'limit_hit', operation: 'subscriptions/listen', from: caller.address });
    // The SDK ends all subscriptions of a handler or none, so each has a handler of its own.
    const own = toHandler(factory, log, handler.bus);
    const response = await serve(request, exchange, own);
    if (!isEventStream(response)) return response;
    const subscription = {
      subject: toCanonicalAddress(caller.token!.subject),
      block: caller.address === null ? '' : blockOf(caller.address),
      isAuthorized: () => services.tokens.isValid(caller.token!),
      end(reason: 'limit' | 'token') {
        if (reason === 'limit') limitHit();
        void own.close();
      },
    };
    if (!subscriptions.add(subscription)) {
      await own.close();
      limitHit();
      return failureResponse(new Failure('RATE_LIMITED', tooManySubscriptions, { retryAfterSeconds: 60 }), request);
    }
    listeners.add(own);
    const forget = () => {
      subscriptions.delete(subscription);
      listeners.delete(own);
    };
    // Who hangs up is told by the signal or by the body, as the HTTP server has it.
    request.signal.addEventListener('abort', forget);
    return whenOver(response, forget);
  }

  return {
    async fetch(request, caller) {
      if (isClosed) return closing(request);
      const posted = readPosted(await request.arrayBuffer(), request.headers.get('mcp-protocol-version'));
      const exchanges: Exchange[] = [];
      for (const message of posted.messages) {
        const exchange = await openExchange(message, caller, services);
        exchanges.push(exchange);
        if (isRefused(exchange)) return refuse(request, exchanges, exchange.counted!);
      }
      const [first] = exchanges;
      if (posted.fault !== null) {
        first!.record('BAD_REQUEST');
        return faultResponse(posted.fault);
      }
      if (!posted.isBatch) return await answer(request, first!);
      // Each message has a request of its own: what the SDK ties to a request's signal would stay until the end of the batch.
      const { url, headers } = request;
      return await batchResponse(exchanges, (one) => answer(new Request(url, { method: 'POST', headers }), one));
    },
    notifyUpdated: (uris) => {
      subscriptions.endUnauthorized();
      for (const uri of uris) handler.notify.resourceUpdated(uri);
    },
    endUnauthorized: subscriptions.endUnauthorized,
    async close() {
      isClosed = true;
      await Promise.allSettled(inFlight);
      await Promise.all([handler, ...listeners].map((one) => one.close()));
      // The last words of the subscriptions have a few promises to go before they are with the HTTP server.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const closing = (request: Request): Response =>
  failureResponse(new Failure('UNAVAILABLE', 'The service is shutting down.'), request);

/** Answers 429 to a message that is over the quota, and to the batch it is in, of which nothing has been done. */
function refuse(request: Request, exchanges: readonly Exchange[], failure: Failure): Response {
  for (const { record } of exchanges) record(failure.code);
  return failureResponse(failure, request);
}

const tooManySubscriptions = 'Too many subscriptions are open. End one of them first.';

/** The response, with a call once its body has been sent or its reader has gone. */
function whenOver(response: Response, end: () => void): Response {
  const reader = response.body!.getReader();
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
