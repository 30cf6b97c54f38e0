import type { Caller } from '../operations/call.ts';
import type { Services } from '../operations/ports.ts';

/** What the HTTP server knows of a request besides the request itself: the client's network address and the id of the request; null without a port. */
export interface Connection {
  readonly address: string | null;
  readonly requestId: string | null;
}

/** Who sent a request, by its bearer token (RFC 6750, section 2.1); whoever shows no good one is anonymous. */
export async function readCaller(
  request: Request,
  { address, requestId }: Connection,
  { tokens, audit }: Pick<Services, 'tokens' | 'audit'>,
): Promise<Caller> {
  const text = bearerTokenOf(request);
  const token = text === null ? null : await tokens.verify(text);
  if (text !== null && token === null) audit({ event: 'token_refused', from: address });
  return { kind: token === null ? 'anonymous' : 'visitor', token, address, requestId };
}

/** What stands behind `Bearer` in the Authorization header, null where nothing does. */
export function bearerTokenOf(request: Request): string | null {
  return request.headers.get('authorization')?.match(/^bearer +([^ ].*)/i)?.[1] ?? null;
}
