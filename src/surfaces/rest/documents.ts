import { createHash } from 'node:crypto';
import { Failure } from '../../model/failure.ts';
import { toEtag } from '../../operations/invoke.ts';
import { type Content, contentResponse, isCompressed } from '../compression.ts';
import type { Connection } from '../request.ts';
import { anyOrigin, failureResponse, matchesEtag, preflightResponse } from './responses.ts';

/** A document that anybody may read. */
export interface Document extends Content {
  readonly etag: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const documentOf = (type: string, body: Document['body']): Document => ({ type, body, etag: etagOf(body) });

/** Responds to GET and HEAD. Caches have to revalidate, because the owner may take back a part that was public. */
export function documentResponse(document: Document, request: Request): Response {
  const headers = new Headers({ ...anyOrigin, 'cache-control': 'public, no-cache', ...document.headers });
  if (document.headers?.['cache-control'] === undefined) headers.append('vary', 'Accept-Encoding');
  return unlessKnown(document, request, headers);
}

/** Responds with a document, or with 304 to a client that has it. It is compressed if `Vary` names Accept-Encoding. */
export function unlessKnown(document: Document, request: Request, headers: Headers): Response {
  const { etag } = document;
  // Weak, because the compressed forms have the same tag (RFC 9110, section 8.8.1).
  headers.set('etag', isCompressed(document, headers) ? `W/${etag}` : etag);
  if (matchesEtag(etag, request.headers.get('if-none-match'))) return new Response(null, { status: 304, headers });
  return contentResponse(request, document, headers);
}

/** Responds to a request to a path that needs no token. */
export type PublicHandler = (request: Request, connection: Connection) => Promise<Response>;

/** Handles requests to a path that needs no token; `respond` gets the methods of `allow`, and may throw a `Failure`. */
export function publicHandler(
  respond: (...request: Parameters<PublicHandler>) => Response | Promise<Response>,
  allow = 'GET, HEAD, OPTIONS',
  explain: (failure: Failure, request: Request) => Response = failureResponse,
): PublicHandler {
  return async (request, connection) => {
    if (request.method === 'OPTIONS') return preflightResponse(allow);
    if (!allow.split(', ').includes(request.method))
      return failureResponse(new Failure('METHOD_NOT_ALLOWED'), request, allow);
    try {
      return await respond(request, connection);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return explain(error, request);
    }
  };
}

/** Handles requests for a JSON document, which is made for the first one and whenever `versionOf` has changed. */
export function documentHandler(load: () => unknown, versionOf: () => string = () => '') {
  const latest = keepLatest<Document>();
  const toDocument = async () => documentOf('application/json', JSON.stringify(await load()));
  return publicHandler(async (request) => documentResponse(await latest(versionOf(), toDocument), request));
}

interface Health {
  readonly isDraining: boolean;
  readonly isWritable: boolean;
  readonly hasProfile: boolean;
  readonly isStale: boolean;
  readonly isMailHealthy: boolean;
  /** Whether the last attempt to print the served profile failed. */
  readonly isUnprinted: boolean;
}

/** Responds to `/readyz`: 503 only while draining; the body reports what is degraded (interface, Addresses). */
export function readinessResponse(health: Health): Response {
  const { isDraining, isWritable, hasProfile, isStale, isMailHealthy, isUnprinted } = health;
  const body = {
    status: isDraining ? 'draining' : 'ready',
    store: isWritable ? 'ok' : 'readonly',
    profile: hasProfile ? (isStale ? 'stale' : 'ok') : 'none',
    mail: isMailHealthy ? 'ok' : 'degraded',
    pdf: isUnprinted ? 'unavailable' : 'ok',
    // Constant, because a reason may name files of this machine.
    ...(isUnprinted ? { pdf_fault: 'The resume cannot be printed; the log says why.' } : {}),
  };
  return stateResponse(body, isDraining ? 503 : 200);
}

/** Responds to a probe, also to one from a page of another site. */
export const stateResponse = (body: object, status = 200): Response =>
  Response.json(body, { status, headers: { ...anyOrigin, 'cache-control': 'no-store' } });

/** Returns the strong entity tag of a content. */
export const etagOf = (content: string | Uint8Array): string =>
  toEtag(createHash('sha256').update(content).digest('base64url'));

/** Returns a function that makes a value once, and again only if its key is another one or it could not be made. */
export function keepLatest<Value>() {
  let latest: { readonly key: unknown; readonly value: Promise<Value> } | undefined;
  return async (key: unknown, make: () => Value | Promise<Value>): Promise<Value> => {
    if (latest === undefined || latest.key !== key) latest = { key, value: Promise.try(make) };
    const asked = latest;
    try {
      return await asked.value;
    } catch (error) {
      if (latest === asked) latest = undefined;
      throw error;
    }
  };
}
