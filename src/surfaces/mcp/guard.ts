import { Failure } from '../../model/failure.ts';
import type { Caller } from '../../operations/call.ts';
import type { Services } from '../../operations/ports.ts';
import { type Connection, readCaller } from '../caller.ts';
import { readBytes } from '../rest/json-body.ts';
import { failureResponse } from '../rest/responses.ts';
import { toRecord } from './exchange.ts';

/** The hosts and origins that `/mcp` answers; `isLocal` tells whether a host name can only be this machine. */
export interface HostPolicy {
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  isLocal(hostname: string): boolean;
}

/** Returns the policy that admits the host and origin of the base URL, and those that the owner allows besides. */
export function hostPolicyOf(
  baseUrl: string,
  hosts: readonly string[],
  origins: readonly string[],
  isLocal: HostPolicy['isLocal'],
): HostPolicy {
  const { host, origin } = new URL(baseUrl);
  return { hosts: [host, ...hosts], origins: [origin, ...origins], isLocal };
}

interface Guarded {
  readonly policy: HostPolicy;
  readonly services: Pick<Services, 'tokens' | 'audit' | 'record'>;
  serve(request: Request, caller: Caller): Promise<Response>;
}

/**
 * Checks a request to `/mcp` before the protocol begins: Host and Origin against DNS rebinding and foreign pages, then the
 * bearer token, then the method and the size of the body (answers, MCP).
 */
export async function guard(
  request: Request,
  connection: Connection,
  { policy, services, serve }: Guarded,
): Promise<Response> {
  const startedAt = performance.now();
  const origin = request.headers.get('origin');
  let caller: Caller = { kind: 'anonymous', token: null, ...connection };
  // A refused request reaches no operation, so it is recorded here.
  const refuse = (failure: Failure, allow?: string) => {
    services.record(toRecord('mcp', caller, failure.code, startedAt));
    return withOrigin(failureResponse(failure, request, allow), failure.code === 'FORBIDDEN' ? null : origin);
  };
  if (!admitsHost(policy, new URL(request.url)) || !admitsOrigin(policy, origin))
    return refuse(new Failure('FORBIDDEN'));
  if (request.method === 'OPTIONS') return withOrigin(new Response(null, { status: 204, headers: preflight }), origin);
  caller = await readCaller(request, connection, services);
  if (caller.token === null) return refuse(new Failure('UNAUTHORIZED'));
  if (request.method !== 'POST') return refuse(new Failure('METHOD_NOT_ALLOWED'), preflight.allow);
  try {
    // Read before the SDK sees it: a body that the SDK leaves unread would end the connection and what is pipelined on it.
    const body = await readBytes(request);
    // While the body was on its way the token may have been revoked.
    caller = await readCaller(request, connection, services);
    if (caller.token === null) return refuse(new Failure('UNAUTHORIZED'));
    return withOrigin(await serve(new Request(request, { body }), caller), origin);
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

const admitsHost = ({ hosts, isLocal }: HostPolicy, { host, hostname }: URL): boolean =>
  isLocal(hostname) || hosts.includes(host) || hosts.includes(hostname);

/** A page of this machine is admitted if the service is on this machine, too. */
function admitsOrigin({ origins, isLocal }: HostPolicy, origin: string | null): boolean {
  if (origin === null || origins.includes(origin)) return true;
  const isServedLocally = isLocal(new URL(origins[0]!).hostname);
  return isServedLocally && URL.canParse(origin) && isLocal(new URL(origin).hostname);
}

function withOrigin(response: Response, origin: string | null): Response {
  const answered = new Response(response.body, response);
  if (origin === null) answered.headers.delete('access-control-allow-origin');
  else answered.headers.set('access-control-allow-origin', origin);
  answered.headers.append('vary', 'Origin');
  return answered;
}
