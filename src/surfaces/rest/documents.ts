import { Failure } from '../../model/failure.ts';
import type { Connection } from '../caller.ts';
import { keepLatest } from '../latest.ts';
import { type Document, documentOf, documentResponse } from './document.ts';
import { failureResponse, preflightResponse } from './responses.ts';

/** Responds to a request to a path that needs no token. */
export type PublicHandler = (request: Request, connection: Connection) => Promise<Response>;

/** Handles GET, HEAD and OPTIONS of a path that needs no token; `respond` gets GET and HEAD and may throw a `Failure`. */
export function publicHandler(
  respond: (...request: Parameters<PublicHandler>) => Response | Promise<Response>,
): PublicHandler {
  const allow = 'GET, HEAD, OPTIONS';
  return async (request, connection) => {
    if (request.method === 'OPTIONS') return preflightResponse(allow);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return failureResponse(new Failure('METHOD_NOT_ALLOWED'), request, allow);
    try {
      return await respond(request, connection);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return failureResponse(error, request);
    }
  };
}

/**
 * Handles requests for a JSON document, with its entity tag. `load` is called for the first request, and again if `versionOf`, a
 * text of all that the document depends on, has changed.
 */
export function documentHandler(load: () => unknown, versionOf: () => string = () => '') {
  const latest = keepLatest<Document>();
  const toDocument = async () => documentOf('application/json', JSON.stringify(await load()));
  return publicHandler(async (request) => documentResponse(await latest(versionOf(), toDocument), request));
}

/** The state of the service that `/readyz` reports. */
export interface Health {
  readonly isDraining: boolean;
  readonly isWritable: boolean;
  readonly isStale: boolean;
  readonly isMailHealthy: boolean;
  readonly hasPdf: boolean;
  /** Whether the latest profile could be printed. */
  readonly isPrinted: boolean;
}

/** Responds to `/readyz`: 503 only while draining; the body reports what is degraded (interface, Addresses). */
export function readinessResponse(health: Health): Response {
  const { isDraining, isWritable, isStale, isMailHealthy, hasPdf, isPrinted } = health;
  const body = {
    status: isDraining ? 'draining' : 'ready',
    store: isWritable ? 'ok' : 'readonly',
    profile: isStale ? 'stale' : 'ok',
    mail: isMailHealthy ? 'ok' : 'degraded',
    pdf: isPrinted ? 'ok' : hasPdf ? 'stale' : 'unavailable',
    // Constant, because a reason may name files of this machine.
    ...(isPrinted ? {} : { pdf_fault: 'The resume cannot be printed; the log says why.' }),
  };
  return Response.json(body, { status: isDraining ? 503 : 200, headers: { 'cache-control': 'no-store' } });
}
