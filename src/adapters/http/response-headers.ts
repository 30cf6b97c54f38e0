import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The client's network address and the id of the request. */
export interface Connection {
  readonly address: string;
  readonly requestId: string;
}

/** The default headers of every response, which a response may replace. */
export const standardHeaders = (isHttps: boolean): Record<string, string> => ({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  ...(isHttps ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
});

export const requestIdHeader = 'X-Request-Id';

/** Returns the client's request id if it is valid, otherwise a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
}
