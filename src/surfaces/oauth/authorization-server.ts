import type { PendingRequest } from '../../model/oauth/pending-request.ts';

/** The authorization server, besides its pages. Requests are bound to the browser that began them, by a cookie. */
export interface AuthorizationServer {
  /** Responds to an authorization request with a redirect, or an error in JSON; resumes the request with this id unless the id is empty. */
  authorize(request: Request, id: string, from: string | null): Promise<Response>;
  /** Throws `RATE_LIMITED` if a network asks too often. */
  token(fields: URLSearchParams, from: string | null): Promise<Response>;
  /** Throws `RATE_LIMITED` if a network asks too often. */
  revoke(fields: URLSearchParams, from: string | null): Promise<Response>;
  register(metadata: unknown, from: string | null): Promise<Response>;
  /** Returns the request with this id; null if it has expired, or another browser began it. */
  pending(request: Request, id: string): Promise<PendingRequest | null>;
  /** Stores the address of the visitor with the request; null removes it. Throws `NOT_FOUND` if the request has expired. */
  keepAddress(request: Request, id: string, address: string | null, isVerified: boolean): Promise<void>;
  /** Returns the address to redirect the visitor to, with the grant, or without one after a refusal. Throws `NOT_FOUND` if the request has expired. */
  finish(request: Request, id: string, grant: { address: string; id: string } | null): Promise<string>;
  /** Returns until when a grant made now lasts, if it is not used. */
  grantExpiry(): Date;
}
