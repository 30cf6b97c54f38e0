import type { Caller } from '../operations/call.ts';
import type { Services } from '../operations/ports.ts';

/** The client's network address and the id of the HTTP request; null for requests without an HTTP server. */
export interface Connection {
  readonly address: string | null;
  readonly requestId: string | null;
}

/** Returns the caller of a request by its bearer token (RFC 6750, section 2.1); anonymous without a valid token. */
export async function readCaller(
  request: Request,
  { address, requestId }: Connection,
  { tokens, audit }: Pick<Services, 'tokens' | 'audit'>,
): Promise<Caller> {
  const text = bearerTokenOf(request.headers.get('authorization'));
  const token = text === null ? null : await tokens.verify(text);
  if (text !== null && token === null) audit({ event: 'token_refused', from: address });
  return { kind: token === null ? 'anonymous' : 'visitor', token, address, requestId };
}

/** Returns the bearer token of an Authorization header, unverified; null if it has none. */
export function bearerTokenOf(authorization: string | null): string | null {
  if (authorization?.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  return authorization.slice(7).replace(/^ +/, '') || null;
}
