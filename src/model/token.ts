import type { Visitor } from './visitor.ts';

/** The permissions of clients of OAuth, in the order of `scope` (RFC 6749, section 3.3). */
export const scopes = ['profile:read', 'contact:write'] as const;
export type Scope = (typeof scopes)[number];

export const wholeScope = 'profile';

/** Returns the scopes in a text, each once and in order; other words are ignored (RFC 6749, section 3.3). */
export const readScopes = (text: string): Scope[] => {
  const words = new Set(text.split(' '));
  return scopes.filter((scope) => words.has(scope));
};

/** The access of a token that a client got for a visitor; a token without it opens everything. */
export interface Access {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** Whether it opens only `/mcp`. */
  readonly isForMcp: boolean;
  /** Whether the visitor has proven that the address is theirs. */
  readonly isVerified: boolean;
}

/** The record of an issued token; the token itself is never stored. Instants are whole seconds, as in the claims. */
export interface IssuedToken {
  readonly jti: string;
  readonly subject: Visitor;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly access?: Access;
  readonly grantId?: string | null;
}

/** A token as stored; grant and client are null for a token of `POST /auth/token`. */
export interface StoredToken extends IssuedToken {
  readonly grantId: string | null;
  readonly view: string | null;
  readonly clientName: string | null;
}

/** A stored revocation; `value` is the `jti` of one token, the keyed hash of a subject, or `allTokens`. */
export interface Revocation {
  readonly kind: 'jti' | 'subject' | 'all';
  readonly value: string;
  /** For a subject or all: tokens issued up to this second, inclusive, are revoked. */
  readonly revokedAt: Date;
}

/** The `value` of a revocation of all tokens. */
export const allTokens = '';
