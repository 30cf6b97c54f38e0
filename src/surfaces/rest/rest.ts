import { type Context, Hono } from 'hono';
import { BoundedMap } from '../../model/bounded-map.ts';
import { Failure } from '../../model/failure.ts';
import type { Reply, RequestHead } from '../../model/http.ts';
import type { Caller } from '../../operations/call.ts';
import { type Answer, answerTo, invoke, invokeRead, recordOf, toInput } from '../../operations/invoke.ts';
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
} from './responses.ts';

type Http = Hono<{ Bindings: Connection }>;

/** Routes every path of the catalogue to its operations, with HEAD and OPTIONS. */
export function restOf(
  operations: readonly Operation[],
  services: Services,
  { add }: Pick<RepeatedReads, 'add'> = { add() {} },
): Http {
  const rest: Http = new Hono();
  for (const [path, routes] of Map.groupBy(operations.flatMap(routesOf), ({ path }) => path))
    rest.all(path.replace(/\{(\w+)\}/g, ':$1'), (context, next) => {
      const offered = routes.flatMap(({ operation }) => (isOffered(operation, null, services) ? [operation] : []));
      // As for a path that is not routed.
      return offered.length === 0 ? next() : respond(context, offered, services, add);
    });
  return rest;
}

const routesOf = (operation: Operation) =>
  [operation.rest.path, operation.rest.alias].flatMap((path) => (path === undefined ? [] : [{ path, operation }]));

async function respond(
  context: Context<{ Bindings: Connection }>,
  offered: readonly Operation[],
  services: Services,
  addRead: RepeatedReads['add'],
): Promise<Response> {
  const request = context.req.raw;
  const allow = () =>
    [...offered.flatMap(({ rest }) => (rest.method === 'GET' ? ['GET', 'HEAD'] : [rest.method])), 'OPTIONS'].join(', ');
  if (request.method === 'OPTIONS') return preflightResponse(allow());
  try {
    const caller = await readCaller(request, context.env, services);
    const operation = offered.find(({ rest }) => rest.method === (request.method === 'HEAD' ? 'GET' : request.method));
    if (operation === undefined) throw refuseMethod(offered, caller, services);
    const query = operation.rest.method === 'POST' ? null : readQuery(context, operation);
    const ifNoneMatch = request.headers.get('if-none-match');
    if (operation.kind === 'read') {
      const edition = services.edition(caller.token);
      const compute = () => answerTo(operation, query, edition, services);
      const read = toRoutedRead(operation, invokeRead(operation, { surface: 'rest', caller }, services, compute));
      addRead(request.url, edition, read);
      const reply = replyOf(read, ifNoneMatch);
      return new Response(reply.body, reply);
    }
    const input = () => query ?? readJsonBody(request);
    const idempotencyKey = request.headers.get('idempotency-key');
    const answer = await invoke(operation, { surface: 'rest', caller, input, idempotencyKey }, services);
    const isKnown = operation.rest.method === 'GET' && matchesAny(ifNoneMatch);
    return uncachedResponse(answer, isKnown ? 304 : (operation.rest.status ?? 200));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failureResponse(error, request, error.code === 'METHOD_NOT_ALLOWED' ? allow() : undefined);
  }
}

/** Records a request whose method the path does not have, under its first operation; returns the failure. */
function refuseMethod(offered: readonly Operation[], caller: Caller, { record }: Services): Failure {
  // If only some methods of a path need a token, a client without one must not learn which methods exist.
  const isAdmitted = caller.kind !== 'anonymous' || offered.every(({ access }) => access === 'open');
  const failure = new Failure(isAdmitted ? 'METHOD_NOT_ALLOWED' : 'UNAUTHORIZED');
  record(recordOf(offered[0]!.name, { surface: 'rest', caller }, failure, performance.now()));
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

/** Responds to an operation that is not a read: no cache stores the response. 204 and 304 have no body. */
function uncachedResponse(answer: Answer, status: number): Response {
  const headers = { ...anyOrigin, 'cache-control': 'no-store' };
  if (status === 204 || status === 304) return new Response(null, { status, headers });
  return new Response(answer.compact, { status, headers: { ...json, ...headers } });
}

/** The replies of the router to a read: with the answer, and to a client that has it already. */
interface RoutedRead {
  readonly operation: Read;
  readonly answer: Answer;
  readonly full: Reply;
  readonly unchanged: Reply;
}

// Made once for an answer, which many URLs can have.
const routedReads = new WeakMap<Answer, RoutedRead>();

function toRoutedRead(operation: Read, answer: Answer): RoutedRead {
  const known = routedReads.get(answer);
  if (known !== undefined) return known;
  const { compact, etag } = answer;
  const headers = { ...anyOrigin, 'cache-control': 'private, no-cache', vary: 'Authorization', etag };
  // Set here for HEAD, which has no body to take it from.
  const length = { 'content-length': String(Buffer.byteLength(compact)) };
  const full = { status: 200, headers: { ...json, ...headers, ...length }, body: compact };
  const read = { operation, answer, full, unchanged: { status: 304, headers, body: null } };
  routedReads.set(answer, read);
  return read;
}

/** Returns the reply to a client with this If-None-Match (RFC 9110, section 13.1.2). */
const replyOf = ({ answer, full, unchanged }: RoutedRead, ifNoneMatch: string | null): Reply =>
  ifNoneMatch !== null && matchesEtag(answer.etag, ifNoneMatch) ? unchanged : full;

/** How many URLs are remembered: more than a profile has entries. */
const maxReads = 1_000;

export type RepeatedReads = ReturnType<typeof openRepeatedReads>;

/**
 * Keeps replies of the router to reads, by URL and edition, so that a GET of the same URL needs no routing, no
 * `Request` and no promise. Each request is admitted, charged and recorded by its own token.
 */
export function openRepeatedReads(services: Services) {
  const reads = new BoundedMap<string, WeakMap<Edition, RoutedRead>>(maxReads);
  return {
    /** Keeps a reply to a URL; above 1,000 URLs, the one added longest ago is dropped. */
    add(url: string, edition: Edition, read: RoutedRead): void {
      const { host, pathname, search } = new URL(url);
      const key = keyOf(host, pathname + search);
      reads.set(key, (reads.get(key) ?? new WeakMap()).set(edition, read));
    },

    /** Replies to a GET as the router did; null if the token is not known, or the URL was not routed in its edition. */
    reply(head: RequestHead, { address, requestId }: Connection): Reply | null {
      const { host, target, authorization, ifNoneMatch } = head;
      const ofUrl = reads.get(keyOf(host, target));
      if (ofUrl === undefined) return null;
      try {
        const text = bearerTokenOf(authorization);
        const token = text === null ? null : services.tokens.recall(text);
        const read = token === null ? undefined : ofUrl.get(services.edition(token));
        if (read === undefined) return null;
        const caller: Caller = { kind: 'visitor', token, address, requestId, client: toClientName(head.userAgent) };
        invokeRead(read.operation, { surface: 'rest', caller }, services, () => read.answer);
        return replyOf(read, ifNoneMatch);
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
