import { Failure } from '../model/failure.ts';
import type { Caller } from '../operations/operation.ts';
import type { Services } from '../operations/services.ts';
import { type Connection, readCaller } from './caller.ts';
import { readBytes } from './json-body.ts';
import { failureResponse } from './responses.ts';

/** Which names and pages may reach `/mcp`; `isLocal` tells whether a host name can only be this machine. */
export interface Door {
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  isLocal(hostname: string): boolean;
}

/** The door that stands open to the service's own address and to what the owner allows besides. */
export function doorOf(
  baseUrl: string,
  hosts: readonly string[],
  origins: readonly string[],
  isLocal: Door['isLocal'],
): Door {
  const { host, origin } = new URL(baseUrl);
  return { hosts: [host, ...hosts], origins: [origin, ...origins], isLocal };
}

interface Guarded {
  readonly door: Door;
  readonly services: Pick<Services, 'tokens' | 'audit' | 'record'>;
  serve(request: Request, caller: Caller): Promise<Response>;
}

/**
 * What `/mcp` asks of a request before the protocol begins: a known Host and Origin, so that no rebound name and no
 * foreign page gets in, then a bearer token, then POST (answers, MCP).
 */
export async function enterMcp(
  request: Request,
  connection: Connection,
  { door, services, serve }: Guarded,
): Promise<Response> {
  const origin = request.headers.get('origin');
  let who = 'anonymous';
  // These get no further than here, so this is where they are told of.
  const refuse = (failure: Failure, allow?: string) => {
    const { requestId } = connection;
    const asked = { operation: 'mcp', surface: 'mcp', caller: who, ...(requestId && { request: requestId }) };
    services.record({ ...asked, code: failure.code, milliseconds: 0 });
    return withOrigin(failureResponse(failure, request, allow), failure.code === 'FORBIDDEN' ? null : origin);
  };
  if (!admitsHost(door, new URL(request.url)) || !admitsOrigin(door, origin)) return refuse(new Failure('FORBIDDEN'));
  if (request.method === 'OPTIONS') return withOrigin(new Response(null, { status: 204, headers: preflight }), origin);
  const caller = await readCaller(request, connection, services);
  if (caller.token === null) return refuse(new Failure('UNAUTHORIZED'));
  who = caller.token.jti;
  if (request.method !== 'POST') return refuse(new Failure('METHOD_NOT_ALLOWED'), preflight.allow);
  try {
    // Read here: what the SDK leaves unread of a large body would cost the connection, and whatever is on it by then.
    const body = await readBytes(request);
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

const admitsHost = ({ hosts, isLocal }: Door, { host, hostname }: URL): boolean =>
  isLocal(hostname) || hosts.includes(host) || hosts.includes(hostname);

/** A page on this machine may reach a service on this machine, not one elsewhere. */
function admitsOrigin({ origins, isLocal }: Door, origin: string | null): boolean {
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
