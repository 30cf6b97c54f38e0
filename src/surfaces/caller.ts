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
