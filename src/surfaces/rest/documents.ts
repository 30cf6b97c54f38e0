import { Failure } from '../../model/failure.ts';
import type { Connection } from '../caller.ts';
import { etagOf } from './etag.ts';
import { failureResponse, preflightResponse, readResponse } from './responses.ts';

/** Answers a request to a path that is open without a token. */
export type Open = (request: Request, connection: Connection) => Promise<Response>;

/** Serves GET, HEAD and OPTIONS of such a path; `respond` is asked for GET and HEAD and may throw a `Failure`. */
export function openTo(respond: (...asked: Parameters<Open>) => Response | Promise<Response>): Open {
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

/** Serves a constant JSON document with its entity tag. */
export function documentOf(data: unknown) {
  const compact = JSON.stringify(data);
  const answer = { compact, etag: etagOf(compact) };
  return openTo((request) => readResponse(answer, request));
}

/** The state of the service as `/readyz` tells it. */
export interface Health {
  readonly isDraining: boolean;
  readonly isWritable: boolean;
  readonly isStale: boolean;
  readonly isMailHealthy: boolean;
  readonly hasPdf: boolean;
  /** Why the latest profile could not be printed, in one line; null where it could. */
  readonly pdfFault: string | null;
}

/** Whether to send requests here: 503 only while draining; what is degraded is said in the body (interface, Addresses). */
export function readinessResponse(health: Health): Response {
  const { isDraining, isWritable, isStale, isMailHealthy, hasPdf, pdfFault } = health;
  const body = {
    status: isDraining ? 'draining' : 'ready',
    store: isWritable ? 'ok' : 'readonly',
    profile: isStale ? 'stale' : 'ok',
    mail: isMailHealthy ? 'ok' : 'degraded',
    pdf: pdfFault === null ? 'ok' : hasPdf ? 'stale' : 'unavailable',
    ...(pdfFault === null ? {} : { pdf_fault: pdfFault }),
  };
  return Response.json(body, { status: isDraining ? 503 : 200, headers: { 'cache-control': 'no-store' } });
}
