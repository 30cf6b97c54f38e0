/** What a client of OAuth can be allowed to do, in the order of `scope` (RFC 6749, section 3.3). */
export const scopes = ['profile:read', 'contact:write'] as const;
export type Scope = (typeof scopes)[number];

/** The scope of tokens from `POST /auth/token`, which stands for all scopes. */
export const wholeScope = 'profile';

/** Returns the scopes that a text names, each once and in order; other words are ignored (RFC 6749, section 3.3). */
export const readScopes = (text: string): Scope[] => {
  const words = new Set(text.split(' '));
  return scopes.filter((scope) => words.has(scope));
};

/** What a token opens that a client got for a visitor; a token without it opens everything. */
export interface Access {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** Whether it opens `/mcp` alone. */
  readonly isForMcp: boolean;
  /** Whether the visitor has proven that the address is theirs. */
  readonly isVerified: boolean;
}

/** What a visitor has allowed a client: until when, its tokens can be renewed. */
export interface Grant extends Access {
  readonly id: string;
  /** The visitor's address, as typed. */
  readonly subject: string;
  /** The client as it names itself; its host or id if it has no name. */
  readonly clientName: string;
  /** Where the visitor was sent back to. */
  readonly redirectUri: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}
