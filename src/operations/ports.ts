import type { Profile } from 'resume-profile/profile-document';
import type { Contact } from '../model/contact.ts';
import type { Link } from '../model/link.ts';
import type { AuditEntry, CallRecord } from '../model/log-entry.ts';
import type { Notice } from '../model/notice.ts';
import type { QuotaCharge } from '../model/quota.ts';
import type { RecordedRead, TokenRecord } from '../model/reader.ts';
import type { IssuedToken } from '../model/token.ts';
import type { Visitor } from '../model/visitor.ts';

/** The published profile, or a view of it; reads depend on nothing else. Immutable; replaced by a reload and each hour. */
export interface Edition {
  readonly profile: Profile;
  /** Absolute URL of the printed resume, or null; a signed link's expiry is rounded up to the hour. */
  readonly resumeUrl: string | null;
  /** YYYY-MM-DD; ongoing entries last until then. */
  readonly today: string;
}

/** A visitor's idempotency key, valid for a day; `fingerprint` is the hash of the request. */
export interface IdempotencyClaim {
  readonly key: string;
  readonly fingerprint: string;
}

/** The token that a request was sent with, and the hashes that a revocation of its subject may be stored under. */
export interface Sender {
  readonly token: IssuedToken;
  readonly subjectHashes: readonly string[];
  readonly claim: IdempotencyClaim | null;
}

/** The store for calls of visitors; each method is one transaction and throws `UNAVAILABLE` if it can't be written. */
export interface Store {
  readonly contacts: {
    /** Stores a contact request, or returns the key's. Throws `IDEMPOTENCY_MISMATCH`, `RATE_LIMITED`, `UNAUTHORIZED`. */
    add(contact: Contact, notice: Notice, sender: Sender | null, charges: readonly QuotaCharge[]): Promise<string>;
    /** Whether a request of the sender, or of the same address, is stored with the key. */
    hasKey(sender: IssuedToken, key: string, now: Date): Promise<boolean>;
    /** Returns the messages sent with a token, or a token of its grant, the latest first. */
    sentWith(tokenId: string, limit: number): Promise<Contact[]>;
  };
  readonly tokens: {
    /** Stores a token, and for the page one notice an address and day, or link. Throws `RATE_LIMITED`, and `NOT_FOUND`. */
    add(
      token: IssuedToken,
      notice: Notice,
      charges: readonly QuotaCharge[],
      now: Date,
      origin: { readonly isOfPage: boolean },
    ): Promise<void>;
  };
  readonly links: {
    find(id: string): Promise<Link | null>;
  };
  readonly quotas: {
    /** Throws `RATE_LIMITED` if a quota is used up; counts nothing and takes no lock. */
    check(charges: readonly QuotaCharge[], now: Date): Promise<void>;
    /** Counts all charges, or throws `RATE_LIMITED` and counts none. */
    take(charges: readonly QuotaCharge[], now: Date): Promise<void>;
  };
}

export interface Tokens {
  /** Makes the record of a token to be issued now; it is signed after the record has been stored. */
  prepare(subject: Visitor): Promise<IssuedToken>;
  sign(token: IssuedToken): Promise<string>;
  /** The keyed hashes that a revocation of the subject may be stored under, one for each current key. */
  subjectHashes(subject: Visitor): readonly string[];
  /** Returns the token's record, null if the token is not valid. A token for `/mcp` is valid only there. */
  verify(token: string, at?: 'mcp'): Promise<IssuedToken | null>;
  /** Returns the record of a token with all scopes that was verified before; if null, `verify` decides. */
  recall(token: string): IssuedToken | null;
  /** Whether a token that `verify` or a page session returned is still valid. */
  isValid(token: IssuedToken): boolean;
}

export interface ReaderRecord {
  readonly isOn: boolean;
  readonly keepSeconds: number;
  /** Records a read within about a second, unless the token is revoked, or its visitor is erased, by then. */
  add(token: IssuedToken, read: Omit<RecordedRead, 'readAt'>): void;
  /** Returns what is recorded of a token, with its latest reads, at most `limit`. Throws `UNAVAILABLE`. */
  recordOf(token: IssuedToken, limit: number): Promise<TokenRecord>;
  /** Erases a token's reads until now, waiting ones too. Throws `UNAVAILABLE`, or `UNAUTHORIZED` for a revoked token. */
  erase(token: IssuedToken): Promise<void>;
}

export interface Services {
  /** Returns the edition that a token reads; for null, as for the owner and before a token is known, the whole one. */
  edition(token: IssuedToken | null): Edition;
  viewOf(token: IssuedToken): string | null;
  now(): Date;
  record(call: CallRecord): void;
  audit(entry: AuditEntry): void;
  hash(content: string): string;
  newId(): string;
  readonly store: Store;
  readonly tokens: Tokens;
  readonly reads: ReaderRecord;
  readonly limits: {
    /** Counts a use in this process and returns 0, or doesn't and returns the seconds until it can. */
    take(charge: QuotaCharge): number;
    /** Returns charges as the store counts them for all processes: scaled, under keyed hashes; none without limits. */
    toStored(charges: readonly QuotaCharge[]): readonly QuotaCharge[];
  };
}
