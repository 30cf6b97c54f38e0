import { type Context, Hono } from 'hono';
import { Failure } from '../../model/failure.ts';
import type { Caller } from '../../operations/call.ts';
import { invoke, toInput } from '../../operations/invoke.ts';
import { isOffered, type Operation, type Read } from '../../operations/operation.ts';
import type { Services } from '../../operations/ports.ts';
import { type Connection, readCaller } from '../request.ts';
import { readJsonBody } from '../request-body.ts';
import { failureResponse, matchesAny, preflightResponse, readResponse, uncachedResponse } from './responses.ts';

type Http = Hono<{ Bindings: Connection }>;

/** Called with each GET request that was answered. */
type OnRead = (url: string, operation: Read, input: unknown) => void;

/** Routes every path of the catalogue to its operations, with HEAD and OPTIONS. */
export function restOf(operations: readonly Operation[], services: Services, onRead: OnRead = () => {}): Http {
  const rest: Http = new Hono();
  for (const [path, routes] of Map.groupBy(operations.flatMap(routesOf), ({ path }) => path))
    rest.all(path.replace(/\{(\w+)\}/g, ':$1'), (context, next) => {
      const offered = routes.flatMap(({ operation }) => (isOffered(operation, services) ? [operation] : []));
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
    const call = { surface: 'rest', caller };
    if (operation.kind === 'read') {
      const query = readQuery(context, operation);
      const answer = await invoke(operation, { ...call, input: () => query }, services);
      onRead(request.url, operation, query);
      return readResponse(answer, request);
    }
    const status = operation.rest.status ?? 200;
    if (operation.kind === 'own') {
      const query = readQuery(context, operation);
      const answer = await invoke(operation, { ...call, input: () => query }, services);
      const isKnown = operation.rest.method === 'GET' && matchesAny(request.headers.get('if-none-match'));
      return uncachedResponse(answer, isKnown ? 304 : status);
    }
    const idempotencyKey = request.headers.get('idempotency-key');
    const answer = await invoke(operation, { ...call, input: () => readJsonBody(request), idempotencyKey }, services);
    return uncachedResponse(answer, status);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failureResponse(error, request, error.code === 'METHOD_NOT_ALLOWED' ? allow.join(', ') : undefined);
  }
}

/** Records a request whose method the path does not have, under the first operation of the path, and returns its failure. */
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
    const given = query.filter(([name]) => name === field || name.startsWith(`${field}[`));
    return given.some(([name]) => name !== field) ? ['', ''] : given.map(([, value]) => value);
  });
}
