import type { Failure } from '../../model/failure.ts';
import type { Reply } from '../../model/http.ts';
import { bearerTokenOf } from '../request.ts';

export const json = { 'content-type': 'application/json' };

/** CORS allows every origin: requests are authorized by token, never by cookie (answers, CORS). */
export const anyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Allow, ETag, Retry-After, WWW-Authenticate, X-Request-Id',
};

/** Whether If-None-Match has the entity tag, or is `*`, which matches any (RFC 9110, section 13.1.2). */
export const matchesEtag = (etag: string, ifNoneMatch: string | null): boolean =>
  ifNoneMatch === etag ||
  matchesAny(ifNoneMatch) ||
  (ifNoneMatch?.match(entityTags)?.some((tag) => tag.replace(/^W\//, '') === etag) ?? false);

// A tag may have a comma or an asterisk in it.
const entityTags = /(?:W\/)?"[^"]*"/g;

export const matchesAny = (ifNoneMatch: string | null): boolean => ifNoneMatch?.trim() === '*';

/** Replies with the error body, and the headers that its status requires; `authorization` is the request's header. */
export function failureReply(failure: Failure, authorization: string | null, allow?: string): Reply {
  const body = JSON.stringify(failure.body);
  const headers = {
    ...json,
    ...anyOrigin,
    'cache-control': 'no-store',
    'content-length': String(Buffer.byteLength(body)),
    ...(failure.code === 'UNAUTHORIZED' && { 'www-authenticate': challengeTo(authorization) }),
    ...(failure.neededScopes && { 'www-authenticate': scopeChallenge(failure.neededScopes) }),
    ...(failure.retryAfterSeconds !== null && { 'retry-after': String(failure.retryAfterSeconds) }),
    ...(allow !== undefined && { allow }),
  };
  return { status: failure.status, headers, body };
}

export function failureResponse(failure: Failure, request: Request, allow?: string): Response {
  const reply = failureReply(failure, request.headers.get('authorization'), allow);
  return new Response(reply.body, reply);
}

/** Responds to OPTIONS, the CORS preflight request of browsers. */
export const preflightResponse = (allow: string): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...anyOrigin,
      allow,
      'access-control-allow-methods': allow,
      // MCP clients in browsers send the last one to the metadata of OAuth.
      'access-control-allow-headers':
        'Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Range, X-Request-Id, MCP-Protocol-Version',
      'access-control-max-age': '86400',
    },
  });

/** Responds to the preflight request for a path without a route, so that a page can read its error; otherwise null. */
export const unroutedPreflight = ({ method, headers }: Request): Response | null =>
  method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method')
    ? preflightResponse('GET, HEAD, POST, DELETE, OPTIONS')
    : null;

const challenge = 'Bearer realm="candidate-profile"';

/** Names the scopes with which the request would be allowed (RFC 6750, section 3). */
const scopeChallenge = (scopes: readonly string[]): string =>
  `${challenge}, error="insufficient_scope", scope="${scopes.join(' ')}"`;

/** Returns the challenge of a 401, which names the error only if a token was sent (RFC 6750, section 3). */
export const challengeTo = (authorization: string | null): string =>
  `${challenge}${bearerTokenOf(authorization) === null ? '' : ', error="invalid_token"'}`;
