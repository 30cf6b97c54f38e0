import type { Failure } from '../../model/failure.ts';
import type { Answer } from '../../operations/answers.ts';
import { bearerTokenOf } from '../caller.ts';

const json = { 'content-type': 'application/json' };

/** REST is open to every origin: there are no cookies that a page could ride on (answers, CORS). */
const anyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Allow, ETag, Retry-After, WWW-Authenticate, X-Request-Id',
};

const readHeaders = { ...anyOrigin, 'cache-control': 'private, no-cache', vary: 'Authorization' };

/** The answer to a read, 304 where the client has it already (RFC 9110, section 13.1.2). */
export function readResponse(answer: Pick<Answer, 'compact' | 'etag'>, request: Request): Response {
  const headers = { ...readHeaders, etag: answer.etag };
  if (isKnown(answer.etag, request)) return new Response(null, { status: 304, headers });
  // Written here, because HEAD has it too.
  const length = { 'content-length': String(Buffer.byteLength(answer.compact)) };
  return new Response(answer.compact, { headers: { ...json, ...headers, ...length } });
}

/** Whether the client has what has this entity tag, and does not want it again. */
export function isKnown(etag: string, request: Request): boolean {
  const known = request.headers.get('if-none-match')?.split(',');
  return known?.some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) ?? false;
}

/** The answer to a mutation: never stored by a cache. */
export const mutationResponse = (answer: Answer, status: number): Response =>
  new Response(answer.compact, { status, headers: { ...json, ...anyOrigin, 'cache-control': 'no-store' } });

/** The answer to a failed request: the error body of the specification with the headers its status calls for. */
export function failureResponse(failure: Failure, request: Request, allow?: string): Response {
  const headers = new Headers({ ...json, ...anyOrigin, 'cache-control': 'no-store' });
  if (failure.code === 'UNAUTHORIZED') headers.set('www-authenticate', challengeTo(request));
  if (failure.retryAfterSeconds !== null) headers.set('retry-after', String(failure.retryAfterSeconds));
  if (allow !== undefined) headers.set('allow', allow);
  return new Response(JSON.stringify(failure.body), { status: failure.status, headers });
}

/** The answer to OPTIONS, which a browser asks before a cross-origin request. */
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

/** RFC 6750, section 3: the error is named only where a token was sent. */
const challengeTo = (request: Request): string =>
  `Bearer realm="candidate-profile"${bearerTokenOf(request) === null ? '' : ', error="invalid_token"'}`;
