import { isVisible } from 'resume-profile/text';
import type { Failure, FailureCode } from './failure.ts';
import type { Access, Scope } from './token.ts';
import type { AddressVisitor, Visitor } from './visitor.ts';

const longestName = 60;

/** Whether a client describes itself by a document: its id is the address of that. */
export const hasDocument = (clientId: string): boolean => URL.canParse(clientId);

/** Returns a client's own name on one line, at most 60 characters long; null if nothing in it can be seen. */
export function toOauthClientName(given: string | undefined): string | null {
  if (given === undefined || !isVisible(given)) return null;
  const characters = [...given.normalize('NFC').replace(/\s+/g, ' ').trim()];
  return characters.length <= longestName ? characters.join('') : `${characters.slice(0, longestName - 1).join('')}…`;
}

/** The names by which programs on this machine call one and the same service. */
export const loopbackNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Returns a URL with the host of another one if both hosts are `loopbackNames`, and scheme and port are the same;
 * otherwise the URL as it is.
 */
export function withLoopbackHostOf(url: string, other: string): string {
  if (!URL.canParse(url)) return url;
  const [own, to] = [new URL(url), new URL(other)];
  const isSame = own.protocol === to.protocol && own.port === to.port;
  if (!isSame || !loopbackNames.has(own.hostname) || !loopbackNames.has(to.hostname) || !url.startsWith(own.origin))
    return url;
  return to.origin + url.slice(own.origin.length);
}

/** The error codes of RFC 6749, sections 4.1.2.1 and 5.2; that for 429 is not of a standard, but clients know it. */
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
  /** Where the visitor was sent back to. */
  readonly redirectUri: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A grant as stored. */
export interface StoredGrant extends Grant {
  /** The view of the profile that its tokens read; null for the whole. */
  readonly view: string | null;
}

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
  /** Whether it asks for tokens that open only `/mcp`. */
  readonly isForMcp: boolean;
  /** Null until an address was typed. */
  readonly visitor: AddressVisitor | null;
  /** Whether the visitor has proven that the address is theirs. */
  readonly isVerified: boolean;
}

/** How long a code that was sent to a visitor's address can be used. */
export const codeSeconds = 10 * 60;

/** How often a code can be tried. */
export const codeTries = 5;

/** Why a code is not accepted: it differs, was tried too often, or has expired or was used or replaced. */
export type CodeFault = { readonly triesLeft: number } | 'used up' | 'expired';

/** A code as it is stored: by a keyed hash, for a request of a client and an address. */
export interface StoredCode {
  readonly requestId: string;
  readonly subject: AddressVisitor;
  readonly hash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}
