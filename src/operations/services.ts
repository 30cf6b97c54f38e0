import type { ContactRequest } from '../model/contact.ts';
import type { Profile } from '../model/profile-document.ts';

/** What is published at the moment; replaced whole by a reload and on the hour, never changed. A read depends on nothing else. */
export interface Edition {
  readonly profile: Profile;
  /** Absolute URL of the printed resume; a signed link's expiry is rounded up to the hour. */
  readonly resumeUrl: string;
}

/** An e-mail to the owner; `replyTo` is the visitor's address, null where there is nobody to answer. */
export interface Notice {
  readonly kind: 'auth_request' | 'contact_request';
  readonly subject: string;
  readonly text: string;
  readonly replyTo: string | null;
}

/** A contact request as it is kept: what the visitor sent, who was signed in, and when. */
export interface Contact extends ContactRequest {
  readonly id: string;
  /** The token's subject; null where the owner's own machine sent it. */
  readonly subject: string | null;
  readonly receivedAt: Date;
}

/** One issued token; the token itself is never kept. Instants are whole seconds, as the claims are. */
export interface IssuedToken {
  readonly jti: string;
  readonly subject: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** What visitors cause, kept durably; each method is one transaction and throws `UNAVAILABLE` where it cannot be written. */
export interface Store {
  addContact(contact: Contact, notice: Notice): Promise<void>;
  addToken(token: IssuedToken, notice: Notice): Promise<void>;
}

/** Bearer tokens (answers, Tokens). */
export interface Tokens {
  /** The record of a token to be issued now, signed only after it has been kept. */
  prepare(subject: string): Promise<IssuedToken>;
  sign(token: IssuedToken): Promise<string>;
  /** The token's record, or null for every kind of bad token. */
  verify(token: string): Promise<IssuedToken | null>;
}

/** One call as it is logged: no token, address or body. `cause` is set for unforeseen failures and those of the store. */
export interface CallRecord {
  readonly operation: string;
  readonly surface: string;
  /** Who called: the token's `jti`, `owner` or `anonymous`. */
  readonly caller: string;
  readonly code: string;
  readonly milliseconds: number;
  readonly cause?: unknown;
}

/** All that an operation may reach for. */
export interface Services {
  edition(): Edition;
  now(): Date;
  record(call: CallRecord): void;
  readonly store: Store;
  readonly tokens: Tokens;
}
