import type { Failure } from '../../model/failure.ts';
import type { Answer } from '../../operations/answers.ts';
import { bearerTokenOf } from '../caller.ts';

const json = { 'content-type': 'application/json' };

/** CORS allows every origin: requests are authorized by token, never by cookie (answers, CORS). */
const anyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Allow, ETag, Retry-After, WWW-Authenticate, X-Request-Id',
};

const readHeaders = { ...anyOrigin, 'cache-control': 'private, no-cache', vary: 'Authorization' };

/** Responds to a read, with 304 if the client has the answer already (RFC 9110, section 13.1.2). */
export function readResponse(answer: Pick<Answer, 'compact' | 'etag'>, request: Request): Response {
  const headers = { ...readHeaders, etag: answer.etag };
  if (matchesEtag(answer.etag, request)) return new Response(null, { status: 304, headers });
  // Set here for HEAD, which has no body to take it from.
  const length = { 'content-length': String(Buffer.byteLength(answer.compact)) };
  return new Response(answer.compact, { headers: { ...json, ...headers, ...length } });
}

/** Whether If-None-Match has the entity tag. */
export function matchesEtag(etag: string, request: Request): boolean {
  const known = request.headers.get('if-none-match')?.split(',');
  return known?.some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) ?? false;
}

/** Responds to a mutation; caches never store the response. */
export const mutationResponse = (answer: Answer, status: number): Response =>
  new Response(answer.compact, { status, headers: { ...json, ...anyOrigin, 'cache-control': 'no-store' } });

/** Responds to a failed request with the error body of the specification and the headers that the status requires. */
export function failureResponse(failure: Failure, request: Request, allow?: string): Response {
  const headers = new Headers({ ...json, ...anyOrigin, 'cache-control': 'no-store' });
  if (failure.code === 'UNAUTHORIZED') headers.set('www-authenticate', challengeTo(request));
  if (failure.retryAfterSeconds !== null) headers.set('retry-after', String(failure.retryAfterSeconds));
  if (allow !== undefined) headers.set('allow', allow);
  return new Response(JSON.stringify(failure.body), { status: failure.status, headers });
}

/** Responds to OPTIONS, the CORS preflight request of browsers. */
export const preflightResponse = (allow: string): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...anyOrigin,
      allow,
      'access-control-allow-methods': allow,
      'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id',
      'access-control-max-age': '86400',
    },
  });

/** Names the error only if a token was sent (RFC 6750, section 3). */
const challengeTo = (request: Request): string =>
  `Bearer realm="candidate-profile"${bearerTokenOf(request) === null ? '' : ', error="invalid_token"'}`;
