import { Failure } from '../../model/failure.ts';
import type { Reply } from '../../model/http.ts';
import type { Caller } from '../../operations/call.ts';
import { recordOf } from '../../operations/invoke.ts';
import type { Services } from '../../operations/ports.ts';
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
