import type { Scope } from '../grant.ts';

/** A request of a client that waits for the visitor's answer. */
export interface PendingRequest {
  /** A hash of the id in the addresses of its pages, which is a secret of the browser. */
  readonly requestId: string;
  /** The id of the grant that consent makes: the same each time, but another one for another address. */
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
