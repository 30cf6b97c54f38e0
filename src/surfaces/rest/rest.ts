import { type Context, Hono } from 'hono';
import { BoundedMap } from '../../model/bounded-map.ts';
import { Failure } from '../../model/failure.ts';
import type { Reply, RequestHead } from '../../model/http.ts';
import type { IssuedToken } from '../../model/token.ts';
import type { Caller } from '../../operations/call.ts';
import { type Answer, answerTo, invoke, invokeRead, toInput } from '../../operations/invoke.ts';
import { isOffered, type Operation, type Read } from '../../operations/operation.ts';
import type { Edition, Services } from '../../operations/ports.ts';
import { bearerTokenOf, type Connection, readCaller, readJsonBody, toClientName } from '../request.ts';
import {
  anyOrigin,
  failureReply,
  failureResponse,
  json,
  matchesAny,
  matchesEtag,
  preflightResponse,
  toResponse,
} from './responses.ts';

type Http = Hono<{ Bindings: Connection }>;

/** Called with each GET request that was answered. */
type OnRead = (url: string, operation: Read, input: unknown) => void;

/** Routes every path of the catalogue to its operations, with HEAD and OPTIONS. */
export function restOf(operations: readonly Operation[], services: Services, onRead: OnRead = () => {}): Http {
  const rest: Http = new Hono();
  for (const [path, routes] of Map.groupBy(operations.flatMap(routesOf), ({ path }) => path))
    rest.all(path.replace(/\{(\w+)\}/g, ':$1'), (context, next) => {
      const offered = routes.flatMap(({ operation }) => (isOffered(operation, null, services) ? [operation] : []));
      // As for a path that is not routed.
      return offered.length === 0 ? next() : respond(context, offered, services, onRead);
    });
  return rest;
}

const routesOf = (operation: Operation) =>
  [operation.rest.path, operation.rest.alias].flatMap((path) => (path === undefined ? [] : [{ path, operation }]));

async function respond(
  context: Context<{ Bindings: Connection }>,
  offered: readonly Operation[],
  services: Services,
  onRead: OnRead,
): Promise<Response> {
  const request = context.req.raw;
  const allow = [
    ...offered.flatMap(({ rest }) => (rest.method === 'GET' ? ['GET', 'HEAD'] : [rest.method])),
    'OPTIONS',
  ];
  if (request.method === 'OPTIONS') return preflightResponse(allow.join(', '));
  try {
    const caller = await readCaller(request, context.env, services);
    const operation = offered.find(({ rest }) => rest.method === (request.method === 'HEAD' ? 'GET' : request.method));
    if (operation === undefined) throw refuseMethod(offered, caller, services);
    const query = operation.rest.method === 'POST' ? null : readQuery(context, operation);
    const input = () => query ?? readJsonBody(request);
    const idempotencyKey = request.headers.get('idempotency-key');
    const answer = await invoke(operation, { surface: 'rest', caller, input, idempotencyKey }, services);
    if (operation.kind === 'read') {
      onRead(request.url, operation, query);
      return toResponse(readReply(answer, request.headers.get('if-none-match')));
    }
    const isKnown = operation.rest.method === 'GET' && matchesAny(request.headers.get('if-none-match'));
    return uncachedResponse(answer, isKnown ? 304 : (operation.rest.status ?? 200));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failureResponse(error, request, error.code === 'METHOD_NOT_ALLOWED' ? allow.join(', ') : undefined);
  }
}

/** Records a request whose method the path does not have, under its first operation; returns the failure. */
function refuseMethod(offered: readonly Operation[], caller: Caller, { record }: Services): Failure {
  // If only some methods of a path need a token, a client without one must not learn which methods exist.
  const isAdmitted = caller.kind !== 'anonymous' || offered.every(({ access }) => access === 'open');
  const failure = new Failure(isAdmitted ? 'METHOD_NOT_ALLOWED' : 'UNAUTHORIZED');
  record({
    operation: offered[0]!.name,
    surface: 'rest',
    caller: caller.token?.jti ?? caller.kind,
    code: failure.code,
    milliseconds: 0,
    ...(caller.requestId !== null && { request: caller.requestId }),
  });
  return failure;
}

/** Reads path parameters, and all other fields from the query; `current[]` counts as a repeated `current`. */
function readQuery(context: Context, { input }: Operation): Record<string, unknown> {
  const parameters: Record<string, string> = context.req.param();
  const query = [...new URL(context.req.url).searchParams];
  return toInput(input, (field) => {
    const parameter = parameters[field];
    if (parameter !== undefined) return [parameter];
    const fields = query.filter(([name]) => name === field || name.startsWith(`${field}[`));
    return fields.some(([name]) => name !== field) ? ['', ''] : fields.map(([, value]) => value);
  });
}

// Built once for an answer, as the answer is for an edition.
const readReplies = new WeakMap<Answer, { readonly full: Reply; readonly unchanged: Reply }>();

/** Replies to a read, with 304 if the client has the answer already (RFC 9110, section 13.1.2). */
function readReply(answer: Answer, ifNoneMatch: string | null): Reply {
  const { full, unchanged } = readReplies.get(answer) ?? addReadReplies(answer);
  return matchesEtag(answer.etag, ifNoneMatch) ? unchanged : full;
}

function addReadReplies(answer: Answer) {
  const { compact, etag } = answer;
  const headers = { ...anyOrigin, 'cache-control': 'private, no-cache', vary: 'Authorization', etag };
  // Set here for HEAD, which has no body to take it from.
  const length = { 'content-length': String(Buffer.byteLength(compact)) };
  const replies = {
    full: { status: 200, headers: { ...json, ...headers, ...length }, body: compact },
    unchanged: { status: 304, headers, body: null },
  };
  readReplies.set(answer, replies);
  return replies;
}

/** Responds to an operation that is not a read: no cache stores the response. 204 and 304 have no body. */
function uncachedResponse(answer: Answer, status: number): Response {
  const headers = { ...anyOrigin, 'cache-control': 'no-store' };
  if (status === 204 || status === 304) return new Response(null, { status, headers });
  return new Response(answer.compact, { status, headers: { ...json, ...headers } });
}

/** How many URLs are remembered: more than a profile has entries. */
const maxReads = 1_000;

/** A read with its input and its answers in the editions that readers have. */
interface RepeatedRead {
  readonly operation: Read;
  readonly input: unknown;
  readonly answers: WeakMap<Edition, Answer>;
}

/**
 * Remembers the reads that were answered, by their URL, so that a GET of the same URL needs no routing, no `Request`
 * and no promise. Token, quota and record are those of each request.
 */
export function openRepeatedReads(services: Services) {
  const reads = new BoundedMap<string, RepeatedRead>(maxReads);

  function answerAgain({ operation, input, answers }: RepeatedRead, token: IssuedToken): Answer {
    const edition = services.edition(token);
    const known = answers.get(edition);
    if (known !== undefined) return known;
    const answer = answerTo(operation, input, edition, services);
    answers.set(edition, answer);
    return answer;
  }

  return {
    /** Remembers that a URL was answered; above 1,000, the one remembered longest ago is dropped. */
    add(url: string, operation: Read, input: unknown): void {
      const { host, pathname, search } = new URL(url);
      reads.set(keyOf(host, pathname + search), { operation, input, answers: new WeakMap() });
    },

    /**
     * Replies to a GET request without a body. Returns null if the request has to be routed: the URL or the token is
     * not known, or the read is not offered any more.
     */
    reply(head: RequestHead, { address, requestId }: Connection): Reply | null {
      const { host, target, authorization, ifNoneMatch } = head;
      const read = reads.get(keyOf(host, target));
      if (read === undefined) return null;
      try {
        const text = bearerTokenOf(authorization);
        const token = text === null ? null : services.tokens.recall(text);
        if (token === null || !isOffered(read.operation, token, services)) return null;
        const client = toClientName(head.userAgent);
        const caller: Caller = { kind: 'visitor', token, address, requestId, client };
        const answer = invokeRead(read.operation, { surface: 'rest', caller }, services, () =>
          answerAgain(read, token),
        );
        return readReply(answer, ifNoneMatch);
      } catch (error) {
        // A fault of our own, which the router answers and logs.
        if (!(error instanceof Failure)) return null;
        return failureReply(error, authorization);
      }
    },
  };
}

/** A target has no space, so no Host with a path in it has the key of another URL. */
const keyOf = (host: string, target: string): string => `${host} ${target}`;
