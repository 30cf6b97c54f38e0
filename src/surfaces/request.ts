import { parseAccept } from 'hono/utils/accept';
import type { Caller } from '../operations/call.ts';
import type { Services } from '../operations/ports.ts';

/** The client's network address and the id of the HTTP request; null for requests without an HTTP server. */
export interface Connection {
  readonly address: string | null;
  readonly requestId: string | null;
}

/** Who sent a request, before their token is read. */
export type Peer = Omit<Caller, 'kind' | 'token'>;

export const peerOf = ({ headers }: Request, { address, requestId }: Connection): Peer => ({
  address,
  requestId,
  client: toClientName(headers.get('user-agent')),
});

/**
 * Returns the caller of a request by its bearer token (RFC 6750, section 2.1); anonymous without a valid token. Tokens for `/mcp`
 * alone are valid with `at`.
 */
export async function readCaller(
  request: Request,
  connection: Connection,
  { tokens, audit }: Pick<Services, 'tokens' | 'audit'>,
  at?: 'mcp',
): Promise<Caller> {
  const text = bearerTokenOf(request.headers.get('authorization'));
  const token = text === null ? null : await tokens.verify(text, at);
  if (text !== null && token === null) audit({ event: 'token_refused', from: connection.address });
  return { kind: token === null ? 'anonymous' : 'visitor', token, ...peerOf(request, connection) };
}

/** Returns the bearer token of an Authorization header, unverified; null if it has none. */
export function bearerTokenOf(authorization: string | null): string | null {
  if (authorization?.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  return authorization.slice(7).replace(/^ +/, '') || null;
}

const longestClientName = 200;

/** Returns the name that a client gives itself, cut to 200 code points; null if it gives none. */
export function toClientName(given: string | null): string | null {
  if (given === null || given.length <= longestClientName) return given || null;
  return [...given.slice(0, 2 * longestClientName)].slice(0, longestClientName).join('');
}

/** Whether a request comes from a browser that shows pages: `text/html` is named, and JSON not preferred to it (RFC 9110, section 12.5.1). */
export function prefersHtml(request: Request): boolean {
  const accepted = parseAccept(request.headers.get('accept') ?? '');
  const weightOf = (type: string) => accepted.find((one) => one.type.toLowerCase() === type)?.q ?? 0;
  const html = Math.max(weightOf('text/html'), weightOf('application/xhtml+xml'));
  return html > 0 && html >= weightOf('application/json');
}

/** The Host and Origin headers that `/mcp` and the forms of the pages accept; `isLocal` tells whether a host name always means this machine. */
export interface HostPolicy {
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  isLocal(hostname: string): boolean;
}

/** Returns the policy that accepts the host and origin of the base URL, and those that the owner adds. */
export function hostPolicyOf(
  baseUrl: string,
  hosts: readonly string[],
  origins: readonly string[],
  isLocal: HostPolicy['isLocal'],
): HostPolicy {
  const { host, origin } = new URL(baseUrl);
  return { hosts: [host, ...hosts], origins: [origin, ...origins], isLocal };
}

/** Whether a host name, with or without its port, is accepted. */
export const acceptsHost = ({ hosts, isLocal }: HostPolicy, { host, hostname }: URL): boolean =>
  isLocal(hostname) || hosts.includes(host) || hosts.includes(hostname);

/** Whether an Origin header is accepted, or absent. A local page is accepted if the service is local, too. */
export function acceptsOrigin({ origins, isLocal }: HostPolicy, origin: string | null): boolean {
  if (origin === null || origins.includes(origin)) return true;
  const isServedLocally = isLocal(new URL(origins[0]!).hostname);
  return isServedLocally && URL.canParse(origin) && isLocal(new URL(origin).hostname);
}
