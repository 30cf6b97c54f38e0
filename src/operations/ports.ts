import type { ContactRequest } from '../model/contact.ts';
import type { Profile } from '../model/profile-document.ts';

/** What is published at the moment; replaced whole by a reload and on the hour, never changed. A read depends on nothing else. */
export interface Edition {
  readonly profile: Profile;
  /** Absolute URL of the printed resume; a signed link's expiry is rounded up to the hour. */
  readonly resumeUrl: string;
}

/** An e-mail to the owner; `replyTo` is the visitor's address, null if there is nobody to answer. */
export interface Email {
  readonly subject: string;
  readonly text: string;
  readonly replyTo: string | null;
}

/** What the owner is told, in an e-mail of its own or with others in one. */
export interface Notice extends Email {
  readonly kind: 'auth_request' | 'contact_request';
  /** The id of the contact request, or the `jti` of the token. */
  readonly about: string;
  /** One line of a digest, without the message; the id is on a second line, which no mail program breaks. */
  readonly line: string;
  /** The hash of a contact request's message, its white space and case ignored; null for an access notice. */
  readonly messageHash: string | null;
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

/** The key under which a visitor may send the same request again for a day; `fingerprint` tells whether it is the same. */
export interface IdempotencyClaim {
  readonly key: string;
  readonly fingerprint: string;
}

/** The token that a request was sent with, and the hashes under which a revocation of its subject may be kept. */
export interface Sender {
  readonly token: IssuedToken;
  readonly subjectHashes: readonly string[];
  readonly claim: IdempotencyClaim | null;
}

/** What visitors cause, kept durably; each method is one transaction and throws `UNAVAILABLE` if it cannot be written. */
export interface Store {
  /**
   * Keeps it, unless its key is taken: returns the id of what is kept under it. Throws `IDEMPOTENCY_MISMATCH` if that is another
   * request, and `UNAUTHORIZED` if the sender's token has been revoked since it was checked. The owner is not a sender.
   */
  addContact(contact: Contact, notice: Notice, sender: Sender | null): Promise<string>;
  /** Whether something is kept under the key. */
  hasKey(subject: string, key: string, now: Date): Promise<boolean>;
  addToken(token: IssuedToken, notice: Notice): Promise<void>;
}

/** Bearer tokens (answers, Tokens). */
export interface Tokens {
  /** The record of a token to be issued now, signed only after it has been kept. */
  prepare(subject: string): Promise<IssuedToken>;
  sign(token: IssuedToken): Promise<string>;
  /** The keyed hashes under which a revocation of the subject may be kept, for each key that verifies at the moment. */
  subjectHashes(subject: string): readonly string[];
  /** The token's record, or null for every kind of bad token. */
  verify(token: string): Promise<IssuedToken | null>;
  /** Whether a token that `verify` has returned is still good. */
  isValid(token: IssuedToken): boolean;
}

/** What a call is counted as: one use of the quota under a key, which has room for `count` in each window of `seconds`. */
export interface QuotaCharge {
  readonly key: string;
  readonly count: number;
  readonly seconds: number;
}

/** Counts against quotas; `take` returns 0 if all have room and are counted, otherwise the seconds until they have, and counts none. */
export interface Limits {
  take(charges: readonly QuotaCharge[]): Promise<number>;
}

/** One call as it is logged: no token, address or body. `cause` is set for unforeseen failures and those of the store. */
export interface CallRecord {
  readonly operation: string;
  readonly surface: string;
  /** Who called: the token's `jti`, `owner` or `anonymous`. */
  readonly caller: string;
  readonly code: string;
  readonly milliseconds: number;
  /** The id of the HTTP request. */
  readonly request?: string;
  readonly cause?: unknown;
}

/** Something the owner may want to look up later; subject and network address are kept as keyed hashes alone. */
export interface AuditEntry {
  readonly event:
    | 'token_issued'
    | 'token_refused'
    | 'token_revoked'
    | 'key_rotated'
    | 'visitor_erased'
    | 'contacts_exported'
    | 'limit_hit'
    | 'profile_reloaded'
    | 'dead_letter';
  readonly subject?: string;
  readonly from?: string | null;
  readonly jti?: string;
  readonly operation?: string;
  /** Which of several it was, or why. */
  readonly detail?: string;
}

/** All that an operation may reach for. */
export interface Services {
  edition(): Edition;
  now(): Date;
  record(call: CallRecord): void;
  audit(entry: AuditEntry): void;
  /** The SHA-256 hash of a content, in base64url. */
  hash(content: string): string;
  /** Generates a random id of 32 hexadecimal digits. */
  newId(): string;
  readonly store: Store;
  readonly tokens: Tokens;
  /** Counted in this process alone, and by all that share the store. */
  readonly limits: { readonly local: Limits; readonly shared: Limits };
}
