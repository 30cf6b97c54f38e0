import type { Scope } from './token.ts';

/** The codes of all failures, each with its HTTP status and default message (specification, Errors). */
export const failures = {
  BAD_REQUEST: { status: 400, message: 'The request is not valid.' },
  UNAUTHORIZED: { status: 401, message: 'A valid bearer token is required' },
  FORBIDDEN: { status: 403, message: 'This host or origin is not allowed.' },
  NOT_FOUND: { status: 404, message: 'The requested resource could not be found.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This method is not allowed here.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'Request body must be at most 65536 bytes' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Request body must be application/json without content encoding' },
  RANGE_NOT_SATISFIABLE: { status: 416, message: 'The file does not reach as far as that range.' },
  IDEMPOTENCY_MISMATCH: { status: 422, message: 'This Idempotency-Key was used with another request body.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The request headers are too large.' },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side.' },
  UNAVAILABLE: { status: 503, message: 'The service cannot store anything at the moment. Try again shortly.' },
} as const;

export type FailureCode = keyof typeof failures;

/** The cause of a failure, and the seconds after which the same call may succeed. */
export interface FailureOptions extends ErrorOptions {
  readonly retryAfterSeconds?: number;
  readonly neededScopes?: readonly Scope[];
}

/** An expected failure of a call; the message is written for the caller and never repeats input. */
export class Failure extends Error {
  readonly code: FailureCode;
  /** Null if a retry can't succeed. */
  readonly retryAfterSeconds: number | null;
  /** The scopes that a client's token needs; null if the failure has another cause. */
  readonly neededScopes: readonly Scope[] | null;

  constructor(code: FailureCode, message: string = failures[code].message, options: FailureOptions = {}) {
    super(message, options);
    this.name = 'Failure';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? (code === 'UNAVAILABLE' ? 5 : null);
    this.neededScopes = options.neededScopes ?? null;
  }

  get status(): number {
    return failures[this.code].status;
  }

  /** The error body of the specification: `{error: {code, message}}`. */
  get body(): { error: { code: FailureCode; message: string } } {
    return { error: { code: this.code, message: this.message } };
  }
}

/** Returns null if an error is the failure `NOT_FOUND`; rethrows every other error. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof Failure && error.code === 'NOT_FOUND') return null;
  throw error;
}
