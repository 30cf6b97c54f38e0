import { Failure } from '../../model/failure.ts';
import type { Reply } from '../../model/http.ts';
import { personKeyOf } from '../../model/link.ts';
import type { CallRecord } from '../../model/log-entry.ts';
import { blockOf } from '../../model/network-block.ts';
import type { Caller } from '../../operations/call.ts';
import { recordOf } from '../../operations/invoke.ts';
import type { Services } from '../../operations/ports.ts';
import { auditLimit } from '../../operations/quotas.ts';
import {
  acceptsHost,
  acceptsOrigin,
  type Connection,
  type HostPolicy,
  peerOf,
  readCaller,
  readJsonBytes,
} from '../request.ts';
import { failureReply } from '../rest/responses.ts';
import type { ChangesByView } from './catalogue.ts';
import {
  isEventStream,
  type Log,
  openDispatcher,
  type ResponseType,
  readAccept,
  toAcceptingBoth,
  toBatchReply,
} from './dispatcher.ts';
import {
  codeOfStatus,
  type InboundMessage,
  isOverQuota,
  readBody,
  receiveMessage,
  scopeCheckOf,
} from './inbound-message.ts';
import type { McpService } from './server.ts';

interface McpHttpOptions extends McpService {
  readonly log: Log;
  readonly subscriptionLimits: typeof subscriptionLimits;
}

export type McpHttp = ReturnType<typeof openMcpHttp>;

/** Opens the Streamable HTTP transport of MCP, stateless, in every revision that the SDK supports. */
export function openMcpHttp({ log, subscriptionLimits, ...service }: McpHttpOptions) {
  const { services } = service;
  const dispatcher = openDispatcher(service, log);
  const subscriptions = openSubscriptions(subscriptionLimits);
  let isDraining = false;

  const scopeRefusalOf = scopeCheckOf(service);

  /** Replies to a message that `isOverQuota` lets through, and that is not a subscription. */
  async function handle(request: Request, message: InboundMessage, type: ResponseType): Promise<Reply> {
    const { kind, quotaFailure, record } = message;
    if (kind === 'notification' && quotaFailure !== null) {
      record(quotaFailure.code);
      return accepted;
    }
    const reply = await dispatcher.respond(request, message, type);
    // If the status is 200, the server has recorded the JSON-RPC response.
    if (reply.status !== 200) record(codeOfStatus(reply.status));
    return reply;
  }

  async function subscribe(request: Request, message: InboundMessage): Promise<Reply | Response> {
    const { caller } = message;
    const auditRefusal = () => auditLimit('subscriptions/listen', caller.address, services);
    const view = services.viewOf(caller.token!);
    // Its changes begin now.
    services.edition(caller.token);
    const { response, end } = await dispatcher.subscribe(request, message, view);
    if (!isEventStream(response)) return response;
    if (isDraining) {
      await end();
      return fail(new Failure('UNAVAILABLE', 'The service is shutting down.'));
    }
    const subscription = {
      subject: personKeyOf(caller.token!),
      block: blockOf(caller.address ?? ''),
      isAuthorized: () => services.tokens.isValid(caller.token!) && services.viewOf(caller.token!) === view,
      async end(reason?: 'limit') {
        if (reason === 'limit') auditRefusal();
        await end();
      },
    };
    if (!subscriptions.add(subscription)) {
      await end();
      auditRefusal();
      return fail(new Failure('RATE_LIMITED', tooManySubscriptions, { retryAfterSeconds: 60 }));
    }
    const lastsMilliseconds = caller.token!.expiresAt.getTime() - services.now().getTime();
    const expiry = setTimeout(subscriptions.endUnauthorized, Math.min(lastsMilliseconds + 1, longestTimeout)).unref();
    const release = () => {
      clearTimeout(expiry);
      subscriptions.delete(subscription);
    };
    // A disconnect aborts the request or cancels the body, depending on the HTTP server.
    request.signal.addEventListener('abort', release);
    return onBodyEnd(response, release);
  }

  return {
    /** Answers a request whose Host, Origin and token have been checked, and whose body has been read. */
    async answer(request: Request, bytes: Uint8Array, caller: Caller): Promise<Reply | Response> {
      const { json, error } = readBody(bytes, request.headers.get('mcp-protocol-version'));
      const isBatch = error === null && Array.isArray(json);
      const messages: InboundMessage[] = [];
      const refuse = (code: CallRecord['code'], reply: Reply) => {
        for (const { record } of messages) record(code);
        return reply;
      };
      for (const one of isBatch ? json : [error === null ? json : undefined]) {
        const message = receiveMessage(one, caller, services);
        messages.push(message);
        const failure = isOverQuota(message) ? message.quotaFailure : scopeRefusalOf(message);
        if (failure !== null) return refuse(failure.code, fail(failure));
      }
      if (error !== null) return refuse('BAD_REQUEST', errorReply(error, 400));
      const accept = readAccept(request.headers);
      const [first] = messages;
      const isSubscription = first?.kind === 'subscription';
      if (accept === null || (isSubscription && !accept.acceptsStream))
        return refuse('BAD_REQUEST', errorReply(notAcceptable, 406));
      const { type } = accept;
      const normalised = type === 'of the SDK' ? request : toAcceptingBoth(request);
      if (isSubscription) {
        const response = await subscribe(normalised, first);
        first.record(codeOfStatus(response.status));
        return response;
      }
      if (!isBatch) return await handle(normalised, first!, type);
      const replies: Reply[] = [];
      for (const message of messages) {
        const reply = await handle(normalised, message, type);
        // A fault of the headers, which all of the messages share.
        if (reply.status > 202) return refuse(codeOfStatus(reply.status), reply);
        replies.push(reply);
      }
      return toBatchReply(replies, type) ?? accepted;
    },
    /** Ends subscriptions whose token ended or reads another view, and notifies the others of their view's changes. */
    notify(changes: ChangesByView): void {
      subscriptions.endUnauthorized();
      for (const [view, { resources, isListChanged }] of changes) {
        const notify = dispatcher.notifierOf(view);
        for (const uri of resources) notify.resourceUpdated(uri);
        if (!isListChanged) continue;
        notify.toolsChanged();
        notify.resourcesChanged();
      }
    },
    /** Ends the subscriptions whose token is not valid any more. */
    endUnauthorized: subscriptions.endUnauthorized,
    /** Ends the subscriptions and answers new ones with 503. Calls are answered until the HTTP server stops listening. */
    async endSubscriptions(): Promise<void> {
      isDraining = true;
      await subscriptions.endAll();
      // The last events of the subscriptions reach the HTTP server a few promises later.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** The reply to notifications. */
const accepted: Reply = { status: 202, headers: {}, body: null };

// Every request has a valid token, so no challenge depends on its header.
const fail = (failure: Failure): Reply => failureReply(failure, null);

/** Replies to a body that cannot be answered with a JSON-RPC error, whose id is null. */
const errorReply = (error: { readonly code: number; readonly message: string }, status: number): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: null, error }),
});

const notAcceptable = {
  // The code of the SDK for it.
  code: -32_000,
  message: 'Not Acceptable: accept application/json or text/event-stream, for a subscription the latter',
};

/**
 * The maximum of `setTimeout`: 24 days. A subscription that lasts longer ends after the next change of the store, if it
 * has to.
 */
const longestTimeout = 2 ** 31 - 1;

const tooManySubscriptions = 'Too many subscriptions are open. End one of them first.';

/** Returns the response, with a callback when its body has been sent, has failed or was cancelled. */
function onBodyEnd(response: Response, onEnd: () => void): Response {
  // The types do not have `cancel` yet.
  const atEnd: Transformer = { flush: onEnd, ...{ cancel: onEnd } };
  return new Response(response.body!.pipeThrough(new TransformStream(atEnd)), response);
}

/** How many subscriptions may be open at the same time if LIMITS is 1. */
export const subscriptionLimits = { perSubject: 2, perBlock: 20, total: 200 };

/** An open subscription stream. `subject` is as of `personKeyOf`. */
interface Subscription {
  readonly subject: string;
  readonly block: string;
  /** Whether its token is still valid. */
  isAuthorized(): boolean;
  end(reason?: 'limit'): Promise<void>;
}

/** Keeps the open subscriptions, oldest first, within the limits, so that one network can't use up the total. */
function openSubscriptions({ perSubject, perBlock, total }: typeof subscriptionLimits) {
  const open = new Set<Subscription>();

  function oldestOverLimit(block: string): Subscription | undefined {
    const ofBlock = [...open].filter((one) => one.block === block);
    if (ofBlock.length >= perBlock) return ofBlock[0];
    if (open.size < total) return undefined;
    const blocks = [...Map.groupBy(open, (one) => one.block).values()];
    return blocks.reduce((largest, other) => (other.length > largest.length ? other : largest))[0];
  }

  function end(subscription: Subscription, reason?: 'limit'): void {
    open.delete(subscription);
    void subscription.end(reason);
  }

  return {
    /**
     * Adds a subscription; ends the oldest of its block if that is at its limit or, if the total is, the oldest of the
     * largest block. Returns false, and adds nothing, if the subject is at its limit.
     */
    add(subscription: Subscription): boolean {
      if ([...open].filter(({ subject }) => subject === subscription.subject).length >= perSubject) return false;
      const ended = oldestOverLimit(subscription.block);
      if (ended !== undefined) end(ended, 'limit');
      open.add(subscription);
      return true;
    },
    delete: (subscription: Subscription) => void open.delete(subscription),
    endUnauthorized(): void {
      for (const subscription of open) if (!subscription.isAuthorized()) end(subscription);
    },
    endAll: () => Promise.all([...open].map((subscription) => subscription.end())),
  };
}

interface GuardOptions {
  readonly policy: HostPolicy;
  readonly services: Pick<Services, 'tokens' | 'audit' | 'record'>;
  serve(request: Request, body: Uint8Array, caller: Caller): Promise<Reply | Response>;
}

/**
 * Checks Host and Origin of a request to `/mcp`, then the token, then the method and the size of the body (answers,
 * MCP).
 */
export async function guard(
  request: Request,
  connection: Connection,
  { policy, services, serve }: GuardOptions,
): Promise<Response> {
  const startedAt = performance.now();
  const origin = request.headers.get('origin');
  let caller: Caller = { kind: 'anonymous', token: null, ...peerOf(request, connection) };
  // No operation is invoked that would record it.
  const refuse = (failure: Failure, allow?: string) => {
    services.record(recordOf('mcp', { surface: 'mcp', caller }, failure, startedAt));
    const reply = failureReply(failure, request.headers.get('authorization'), allow);
    return respondTo(failure.code === 'FORBIDDEN' ? null : origin, reply);
  };
  if (!acceptsHost(policy, new URL(request.url)) || !acceptsOrigin(policy, origin))
    return refuse(new Failure('FORBIDDEN'));
  if (request.method === 'OPTIONS') return respondTo(origin, { status: 204, headers: preflight, body: null });
  caller = await readCaller(request, connection, services, 'mcp');
  if (caller.token === null) return refuse(new Failure('UNAUTHORIZED'));
  if (request.method !== 'POST') return refuse(new Failure('METHOD_NOT_ALLOWED'), preflight.allow);
  try {
    // Read here, because a body that the SDK leaves unread would close the connection and drop pipelined requests.
    const body = await readJsonBytes(request);
    // The token may have been revoked while the body was being received.
    caller = await readCaller(request, connection, services, 'mcp');
    if (caller.token === null) return refuse(new Failure('UNAUTHORIZED'));
    return respondTo(origin, await serve(request, body, caller));
  } catch (error) {
    if (error instanceof Failure) return refuse(error);
    throw error;
  }
}

const preflight = {
  allow: 'POST, OPTIONS',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'Authorization, Content-Type, Accept, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id',
  'access-control-max-age': '86400',
};

/** Responds so that a page of the origin, and no other, can read it, and no cache stores it. */
function respondTo(origin: string | null, { status, headers, body }: Reply | Response): Response {
  const all: Readonly<Record<string, string>> = headers instanceof Headers ? Object.fromEntries(headers) : headers;
  const { 'access-control-allow-origin': _all, 'access-control-expose-headers': _exposed, ...own } = all;
  return new Response(body, {
    status,
    headers: {
      ...(status !== 204 && { 'cache-control': 'no-store' }),
      ...own,
      vary: 'Origin',
      ...(origin !== null && { 'access-control-allow-origin': origin }),
      ...(origin !== null && status !== 204 && { 'access-control-expose-headers': exposed }),
    },
  });
}

const exposed = 'Allow, MCP-Protocol-Version, Mcp-Session-Id, Retry-After, WWW-Authenticate, X-Request-Id';
