import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The client's network address and the id of the request. */
export interface Connection {
  readonly address: string;
  readonly requestId: string;
}

export const requestIdHeader = 'X-Request-Id';

/** Returns the client's request id if it is valid, otherwise a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
}
