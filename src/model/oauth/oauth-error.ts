import type { Failure, FailureCode } from '../failure.ts';

/** The error codes of RFC 6749, sections 4.1.2.1 and 5.2; that for 429 is not of a standard, but clients know it. */
const codes: Partial<Record<FailureCode, string>> = {
  RATE_LIMITED: 'too_many_requests',
  UNAVAILABLE: 'temporarily_unavailable',
  INTERNAL_ERROR: 'server_error',
};

/** Returns the body with which a client of OAuth is told of a failure (RFC 6749, section 5.2). */
export const toOauthError = ({ code, message }: Failure) => ({
  error: codes[code] ?? 'invalid_request',
  error_description: message,
});
