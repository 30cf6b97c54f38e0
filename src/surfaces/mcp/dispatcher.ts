import {
  type AuthInfo,
  createMcpHandler,
  type JSONRPCMessage,
  type JSONRPCResponse,
  type McpHttpHandler,
  type McpServerFactory,
  type Server,
  type ServerEventBus,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { codeOfResponse, type InboundMessage } from './inbound-message.ts';
import { toPlainRequest } from './plain-request.ts';
import { type McpService, mcpServerFactory } from './server.ts';
import { openSharedServer } from './shared-server.ts';

/** Logs protocol errors. */
export interface Log {
  warn(fields: object, message: string): void;
}

/** Sends messages to servers of the SDK, and makes HTTP responses of theirs (ADR 10). */
export interface Dispatcher {
  readonly notify: ServerNotifier;
  /** Responds to any message but a subscription; records it if it is a request. */
  respond(request: Request, message: InboundMessage): Promise<Response>;
  /** Responds with an event stream that `end` ends, unless the SDK refuses the subscription. */
  subscribe(request: Request, message: InboundMessage): Promise<{ response: Response; end(): Promise<void> }>;
}

/** Makes the SDK's handler; handlers with the same bus send the same notifications. */
export const toHandler = (factory: McpServerFactory, log: Log, bus?: ServerEventBus): McpHttpHandler =>
  createMcpHandler(factory, {
    ...(bus && { bus }),
    // The code alone: the SDK's messages quote requests, which must not be logged.
    onerror: (error) => log.warn({ code: (error as { code?: unknown }).code ?? error.name }, 'MCP request refused'),
  });

/** Opens a server for the plain requests of each era, and the SDK's handler for all other messages. */
export function openDispatcher(service: McpService, log: Log): Dispatcher {
  const newServer = mcpServerFactory(service, 'mcp', ({ http }) => messageOf(http?.authInfo));
  const factory: McpServerFactory = ({ era, authInfo }) => recorded(newServer(era), messageOf(authInfo));
  const handler = toHandler(factory, log);
  const servers = {
    modern: openSharedServer(newServer('modern'), 'modern'),
    legacy: openSharedServer(newServer('legacy'), 'legacy'),
  };
  const respondBy = (by: McpHttpHandler, request: Request, message: InboundMessage): Promise<Response> =>
    by.fetch(request, { authInfo: authInfoOf(message), parsedBody: message.json });

  return {
    notify: handler.notify,
    async respond(request, message) {
      const plain = toPlainRequest(request.headers, message.json);
      if (plain === null) return respondBy(handler, request, message);
      const response = await servers[plain.era].ask(plain.message, authInfoOf(message));
      // The handler knows the HTTP status of a protocol error. An operation must not run again.
      if ('error' in response && !message.isInvoked()) return respondBy(handler, request, message);
      message.record(codeOfResponse(response));
      return plain.era === 'modern' ? jsonResponse(response) : eventResponse(response);
    },
    async subscribe(request, message) {
      // The SDK can only end all subscriptions of a handler, so each has a handler of its own.
      const own = toHandler(factory, log, handler.bus);
      return { response: await respondBy(own, request, message), end: own.close };
    },
  };
}

/** The SDK passes `extra` on to factories and handlers, and reads nothing else of this. */
const authInfoOf = (message: InboundMessage): AuthInfo => ({ token: '', clientId: '', scopes: [], extra: { message } });

const messageOf = (authInfo: AuthInfo | undefined): InboundMessage => authInfo?.extra?.message as InboundMessage;

/** Records the message with the code of the JSON-RPC response, before the server sends it. */
function recorded(server: Server, { record }: InboundMessage): Server {
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message: JSONRPCMessage, options) => {
      if ('result' in message || 'error' in message) record(codeOfResponse(message));
      return send(message, options);
    };
    return connect(transport);
  };
  return server;
}

/** A response of the modern era. */
const jsonResponse = (response: JSONRPCResponse): Response =>
  new Response(JSON.stringify(response), { headers: { 'content-type': 'application/json' } });

/** A response of the legacy era: an event stream that ends after one event. */
const eventResponse = (response: JSONRPCResponse): Response =>
  new Response(`event: message\ndata: ${JSON.stringify(response)}\n\n`, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    },
  });
