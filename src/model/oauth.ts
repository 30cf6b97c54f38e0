import { isVisible } from 'resume-profile/text';
import type { Failure, FailureCode } from './failure.ts';
import type { Access, Scope } from './token.ts';
import type { AddressVisitor, Visitor } from './visitor.ts';

const longestName = 60;

/** Whether a client has a metadata document: its id is the document's address. */
export const hasDocument = (clientId: string): boolean => URL.canParse(clientId);

/** Returns a client's own name on one line, at most 60 characters long; null if it has no visible character. */
export function toOauthClientName(name: string | undefined): string | null {
  if (name === undefined || !isVisible(name)) return null;
  const characters = [...name.normalize('NFC').replace(/\s+/g, ' ').trim()];
  return characters.length <= longestName ? characters.join('') : `${characters.slice(0, longestName - 1).join('')}…`;
}

/** The names of this machine under which programs reach the same service. */
export const loopbackNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Returns a URL with the loopback host of another one, if scheme and port are the same; otherwise unchanged. */
export function withLoopbackHostOf(url: string, other: string): string {
  if (!URL.canParse(url)) return url;
  const [own, to] = [new URL(url), new URL(other)];
  const isSame = own.protocol === to.protocol && own.port === to.port;
  if (!isSame || !loopbackNames.has(own.hostname) || !loopbackNames.has(to.hostname) || !url.startsWith(own.origin))
    return url;
  return to.origin + url.slice(own.origin.length);
}

/** The error codes of RFC 6749, sections 4.1.2.1 and 5.2; the code for 429 is not standardized, but clients know it. */
const codes: Partial<Record<FailureCode, string>> = {
  RATE_LIMITED: 'too_many_requests',
  UNAVAILABLE: 'temporarily_unavailable',
  INTERNAL_ERROR: 'server_error',
};

/** Returns the body of an error response to a client of OAuth (RFC 6749, section 5.2). */
export const toOauthError = ({ code, message }: Failure) => ({
  error: codes[code] ?? 'invalid_request',
  error_description: message,
});

/** The access that a visitor has allowed a client; until it expires, its tokens can be renewed. */
export interface Grant extends Access {
  readonly id: string;
  readonly subject: Visitor;
  /** The client as it names itself; its host or id if it has no name. */
  readonly clientName: string;
  readonly redirectUri: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface StoredGrant extends Grant {
  /** The view of the profile that its tokens read; null for the whole. */
  readonly view: string | null;
}

/** A request of a client that waits for the visitor's answer. */
export interface PendingRequest {
  /** A hash of the id in the addresses of its pages, which is the browser's secret. */
  readonly requestId: string;
  /** The id of the grant made by consent: stable, but different for a different address. */
  readonly grantId: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  /** Whether it asks for tokens that open only `/mcp`. */
  readonly isForMcp: boolean;
  /** Null until an address was typed. */
  readonly visitor: AddressVisitor | null;
  /** Whether the visitor has proven that the address is theirs. */
  readonly isVerified: boolean;
}

export const codeSeconds = 10 * 60;

export const codeTries = 5;

/** Why a code is refused: it differs, was tried too often, or has expired or was used or replaced. */
export type CodeFault = { readonly triesLeft: number } | 'used up' | 'expired';

/** A stored code: a keyed hash, for a client's request and an address. */
export interface StoredCode {
  readonly requestId: string;
  readonly subject: AddressVisitor;
  readonly hash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}
