import {
  type AuthInfo,
  createMcpHandler,
  isJsonContentType,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type McpHttpHandler,
  type McpServerFactory,
  PerRequestHTTPServerTransport,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
  type ServerEventBus,
  type ServerNotifier,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { parseAccept } from 'hono/utils/accept';
import type { Reply } from '../../model/http.ts';
import { codeOfResponse, type InboundMessage } from './inbound-message.ts';
import { type McpService, mcpServerFactory, modernRevision } from './server.ts';

export interface Log {
  warn(fields: object, message: string): void;
}

/** Makes the SDK's handler; handlers with the same bus send the same notifications. */
export const toHandler = (factory: McpServerFactory, log: Log, bus?: ServerEventBus): McpHttpHandler =>
  createMcpHandler(factory, {
    ...(bus && { bus }),
    onerror: (error) => log.warn({ code: faultOf(error) }, 'MCP request refused'),
  });

/** Returns the log text of an error of the SDK: its name for the fault, or a code, because messages quote requests. */
function faultOf({ message, name, code }: Error & { code?: unknown }): unknown {
  if (message.startsWith('Unsupported Media Type:')) return 'unsupported-media-type';
  // Such as `Rejected inbound request (name-header-missing): …`.
  return /^Rejected inbound request \(([a-z-]+)\): /.exec(message)?.[1] ?? code ?? name;
}

/** Opens a server for the plain requests of each era, and the SDK's handler for all other messages (ADR 10). */
export function openDispatcher(service: McpService, log: Log) {
  const newServer = mcpServerFactory(service, 'mcp', ({ http }) => messageOf(http?.authInfo));
  const factory: McpServerFactory = ({ era }) => newServer(era);
  const handler = toHandler(factory, log);
  /** One for each view, so that no client is notified of a change that is hidden from it. */
  const notifying = new Map<string | null, McpHttpHandler>([[null, handler]]);
  function notifyingOf(view: string | null): McpHttpHandler {
    const known = notifying.get(view) ?? toHandler(factory, log);
    notifying.set(view, known);
    return known;
  }
  const servers = {
    modern: openSharedServer(newServer, 'modern'),
    legacy: openSharedServer(newServer, 'legacy'),
  };
  const respondBy = (by: McpHttpHandler, request: Request, message: InboundMessage): Promise<Response> =>
    by.fetch(request, { authInfo: authInfoOf(message), parsedBody: message.json });

  /** Replies by the SDK's handler, in the type that is accepted; errors of HTTP remain JSON. */
  async function replyBySdk(request: Request, message: InboundMessage, type: ResponseType): Promise<Reply> {
    const response = await respondBy(handler, request, message);
    const { status, headers } = response;
    const body = (await response.text()) || null;
    if (status !== 200) return { status, headers: Object.fromEntries(headers), body };
    const isEvent = isEventStream(response);
    const json = isEvent ? /^data: (.*)$/m.exec(body!)![1]! : body!;
    message.record(codeOfResponse(JSON.parse(json)));
    return (type === 'json' || (type === 'of the SDK' && !isEvent) ? jsonReply : eventReply)(json);
  }

  return {
    /** Returns the notifier of the subscribers that read a view; null is the whole profile. */
    notifierOf: (view: string | null): ServerNotifier => notifyingOf(view).notify,
    /** Replies to any message but a subscription in the type that is accepted; records it if it is a request. */
    async respond(request: Request, message: InboundMessage, type: ResponseType): Promise<Reply> {
      const plain = toPlainRequest(request.headers, message.json);
      const response = plain && (await servers[plain.era].ask(plain.message, authInfoOf(message)));
      // The handler knows the HTTP status of a protocol error. An operation must not run again.
      if (response === null || ('error' in response && !message.isInvoked())) return replyBySdk(request, message, type);
      message.record(codeOfResponse(response));
      const isJson = type === 'json' || (type === 'of the SDK' && plain!.era === 'modern');
      return (isJson ? jsonReply : eventReply)(JSON.stringify(response));
    },
    /** Responds with an event stream that `end` ends, unless the SDK refuses the subscription. */
    async subscribe(request: Request, message: InboundMessage, view: string | null) {
      // The SDK can only end all subscriptions of a handler, so each has a handler of its own.
      const own = toHandler(factory, log, notifyingOf(view).bus);
      return { response: await respondBy(own, request, message), end: own.close };
    },
  };
}

/** The SDK passes `extra` on to factories and handlers, and reads nothing else of this. */
const authInfoOf = (message: InboundMessage): AuthInfo => ({ token: '', clientId: '', scopes: [], extra: { message } });

const messageOf = (authInfo: AuthInfo | undefined): InboundMessage => authInfo?.extra?.message as InboundMessage;

/** Joins the replies to the messages of a batch; null if no reply has a body, as for notifications. */
export function toBatchReply(replies: readonly Reply[], type: ResponseType): Reply | null {
  const bodies = replies.flatMap(({ body }) => body ?? []);
  if (bodies.length === 0) return null;
  return type === 'json' ? jsonReply(`[${bodies.join()}]`) : { ...eventReply(''), body: bodies.join('') };
}

const jsonHeaders = { 'content-type': 'application/json' };

const jsonReply = (message: string): Reply => ({ status: 200, headers: jsonHeaders, body: message });

const eventHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** An event stream that ends after one event. */
const eventReply = (message: string): Reply => ({
  status: 200,
  headers: eventHeaders,
  body: `event: message\ndata: ${message}\n\n`,
});

/** The type of a successful response; the SDK's is JSON in the modern era, a stream in the legacy one. */
export type ResponseType = 'json' | 'event stream' | 'of the SDK';

const bothTypes = 'application/json, text/event-stream';

/**
 * Returns the type of response for a client, and whether it accepts an event stream; null if it accepts neither type.
 * The SDK refuses clients that do not name both, as proxies and simple clients do; these get JSON if they accept it.
 */
export function readAccept(headers: Headers): { type: ResponseType; acceptsStream: boolean } | null {
  const accept = headers.get('accept')?.trim() || '*/*';
  if (accept === bothTypes) return { type: 'of the SDK', acceptsStream: true };
  const ranges = new Map(parseAccept(accept).map(({ type, q }) => [type.toLowerCase(), q]));
  // The most specific range decides (RFC 9110, section 12.5.1).
  const weightOf = (type: string) =>
    ranges.get(type) ?? ranges.get(`${type.split('/')[0]}/*`) ?? ranges.get('*/*') ?? 0;
  const acceptsJson = weightOf('application/json') > 0;
  const acceptsStream = weightOf('text/event-stream') > 0;
  if (!acceptsJson && !acceptsStream) return null;
  const namesBoth = acceptsJson && acceptsStream && ranges.has('application/json') && ranges.has('text/event-stream');
  return { type: namesBoth ? 'of the SDK' : acceptsJson ? 'json' : 'event stream', acceptsStream };
}

/** Returns a request without its body that accepts both types, as the SDK requires. */
export function toAcceptingBoth({ url, headers, signal }: Request): Request {
  const request = new Request(url, { method: 'POST', headers, signal });
  request.headers.set('accept', bothTypes);
  return request;
}

export const isEventStream = ({ headers }: Response): boolean => headers.get('content-type') === 'text/event-stream';

/**
 * Returns a request whose headers are as its revision requires, with the era of the server that the SDK's handler would hand it
 * to; null for other messages, and for `initialize`.
 */
export function toPlainRequest(headers: Headers, json: unknown) {
  if (!isJsonContentType(headers.get('content-type')) || !isRequest(json)) return null;
  const revision = headers.get('mcp-protocol-version');
  const claimed = json.params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (claimed === modernRevision && revision === modernRevision && repeats(headers, json))
    return { era: 'modern', message: json } as const;
  if (claimed === undefined && isLegacy(revision) && json.method !== 'initialize')
    return { era: 'legacy', message: json } as const;
  return null;
}

/** Whether a message is a request, as far as the server that is asked does not check it. */
function isRequest(json: unknown): json is JSONRPCRequest {
  const { jsonrpc, id, method } = Object(json) as Partial<JSONRPCRequest>;
  return jsonrpc === '2.0' && typeof method === 'string' && (typeof id === 'string' || Number.isSafeInteger(id));
}

/** Whether the headers repeat the method and the name, in plain text (2026-07-28, Standard Request Headers). */
function repeats(headers: Headers, { method, params }: JSONRPCRequest): boolean {
  const name = headers.get('mcp-name');
  const isPlainText = !name?.startsWith('=?');
  const named = method === 'resources/read' ? params?.uri : params?.name;
  return headers.get('mcp-method') === method && name === (named ?? null) && isPlainText;
}

const isLegacy = (revision: string | null): boolean =>
  revision === null || SUPPORTED_PROTOCOL_VERSIONS.includes(revision);

/**
 * Connects one server for the requests of all clients, each under an id of its own, because clients choose the same
 * ones. It must get no notifications: one could cancel the request of another client.
 */
function openSharedServer(newServer: ReturnType<typeof mcpServerFactory>, era: 'modern' | 'legacy') {
  const server = newServer(era);
  // The SDK classifies only requests of the modern era.
  const classification = { era, ...(era === 'modern' && { revision: modernRevision }) };
  const pending = new Map<RequestId, (response: JSONRPCResponse) => void>();
  let latestId = 0;
  let isRefused = false;
  // Called at once for a message that is not valid.
  server.onerror = () => {
    isRefused = true;
  };
  // The one transport of the SDK that binds a server to a revision of the modern era.
  const transport = new PerRequestHTTPServerTransport({ classification });
  transport.send = async (message) => {
    if (!('id' in message) || 'method' in message) return;
    pending.get(message.id!)?.(message);
    pending.delete(message.id!);
  };
  const connected = server.connect(transport);
  return {
    /** Resolves with the server's response, null if the request is not valid JSON-RPC. `authInfo` is for the handlers. */
    async ask(request: JSONRPCRequest, authInfo: AuthInfo): Promise<JSONRPCResponse | null> {
      await connected;
      latestId += 1;
      const { promise, resolve } = Promise.withResolvers<JSONRPCResponse>();
      pending.set(latestId, resolve);
      isRefused = false;
      try {
        transport.onmessage!({ ...request, id: latestId }, { authInfo, ...(era === 'modern' && { classification }) });
      } catch {
        // The SDK quotes refused messages, and a deeply nested one overflows the stack.
        isRefused = true;
      }
      if (!isRefused) return { ...(await promise), id: request.id };
      pending.delete(latestId);
      return null;
    },
  };
}
