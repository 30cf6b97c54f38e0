import type { Scope } from '../../model/grant.ts';

/** A request of a client that waits for the visitor's answer. */
export interface Pending {
  /** The id of the grant that an answer makes, the same for each answer. */
  readonly grantId: string;
  readonly clientId: string;
  /** As the client names itself; its host or id if it has no name. */
  readonly clientName: string;
  /** Where the visitor is sent back to. */
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  /** Whether it asks for tokens for `/mcp` alone. */
  readonly isForMcp: boolean;
  /** What the visitor has typed; null at first. */
  readonly address: string | null;
  /** Whether the visitor has proven that the address is theirs. */
  readonly isVerified: boolean;
}

/** The authorization server, besides its pages. Requests are bound to the browser that began them, by a cookie. */
export interface AuthorizationServer {
  /** Responds to an authorization request, or goes on with the one with this id unless it is empty: with a redirect, or an error in JSON. */
  authorize(request: Request, id: string, from: string | null): Promise<Response>;
  /** Throws `RATE_LIMITED` if a network asks too often. */
  token(fields: URLSearchParams, from: string | null): Promise<Response>;
  register(metadata: unknown, from: string | null): Promise<Response>;
  /** Returns the request with this id; null if it has expired, or another browser began it. Throws `BAD_REQUEST` if its client cannot be looked up. */
  pending(request: Request, id: string): Promise<Pending | null>;
  /** Keeps the address of the visitor with the request; null removes it. Throws `NOT_FOUND` if it has expired. */
  keepAddress(request: Request, id: string, address: string | null, isVerified: boolean): Promise<void>;
  /** Returns where the visitor goes on to: with the grant, or without one after a refusal. Throws `NOT_FOUND` if it has expired. */
  finish(request: Request, id: string, grant: { address: string; id: string } | null): Promise<string>;
  /** Returns until when a grant made now lasts, if it is not used. */
  grantExpiry(): Date;
}
