import type { ContactRequest, ContactState } from '../model/contact.ts';
import type { IssuedToken } from '../model/grant.ts';
import type { Profile } from '../model/profile/profile-document.ts';

/** What is published at the moment. Immutable; replaced as a whole by a reload and at every full hour. Reads depend on nothing else. */
export interface Edition {
  readonly profile: Profile;
  /** Absolute URL of the printed resume, null if there is none; a signed link's expiry is rounded up to the hour. */
  readonly resumeUrl: string | null;
}

/** An e-mail to the owner; `replyTo` is the sender's address, null if it has none or several. */
export interface Email {
  readonly subject: string;
  readonly text: string;
  readonly replyTo: string | null;
}

/** What the owner is told of what visitors do: that they asked for access, or sent a message. */
export type ReportKind = 'auth_request' | 'contact_request';

/**
 * What the owner is told of one contact request or issued token, in an e-mail of its own or in a digest; or a link to sign in, or
 * a visitor's code, which are always e-mails of their own.
 */
export interface Notice extends Email {
  readonly kind: ReportKind | 'sign_in' | 'verification_code';
  /** The id of the contact request or of the grant, the `jti` of the token, the hash of the link, or the grant that the code is asked for. */
  readonly about: string;
  /** The recipient's address; the owner's unless given. */
  readonly recipient?: string;
  /** The entry in a digest, without the message; the id is on a line of its own, so that mail programs don't wrap it. */
  readonly line: string;
  /** The hash of a contact request's message, its white space and case ignored; null for other notices. */
  readonly messageHash: string | null;
}

/**
 * Why a notice has not been sent: a process is sending it, its last attempt failed, the same message was sent within the hour,
 * the hourly budget is used up, or it only waits for its turn.
 */
export type WaitReason = 'being_sent' | 'retry' | 'same_words' | 'hour_used_up' | 'due';

/** A notice that has not been sent; `dueAt` and `waitsFor` are null for a dead letter. */
export interface UnsentNotice {
  readonly id: string;
  readonly kind: Notice['kind'];
  readonly createdAt: Date;
  readonly attempts: number;
  readonly dueAt: Date | null;
  readonly lastError: string | null;
  readonly waitsFor: WaitReason | null;
  /** Null for a dead letter, and if it only waits for its turn. */
  readonly waitsUntil: Date | null;
}

/** How many mails about one kind of notice were sent within the last hour, of how many allowed; infinite without a limit. */
export interface MailBudget {
  readonly kind: ReportKind;
  readonly sent: number;
  readonly perHour: number;
}

/** A contact request as stored: what the visitor sent, with which token, and when. */
export interface Contact extends ContactRequest {
  readonly id: string;
  /** The token's subject; null if the owner sent it. */
  readonly subject: string | null;
  readonly receivedAt: Date;
}

/** A contact request as the owner sees it. */
export interface StoredContact extends Contact {
  readonly state: ContactState;
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

/** Durable storage for what visitors cause; each method is one transaction and throws `UNAVAILABLE` if it can't be written. */
export interface Store {
  /**
   * Stores a contact request with its notice, counts the charges and returns its id; if the sender's key is used already, stores
   * and counts nothing and returns the id stored with the key. Throws `IDEMPOTENCY_MISMATCH` if the key was used for another
   * request, `UNAUTHORIZED` if the sender's token has been revoked since it was verified, and `RATE_LIMITED` if a quota is used
   * up. The sender is null for the owner.
   */
  addContact(contact: Contact, notice: Notice, sender: Sender | null, charges: readonly QuotaCharge[]): Promise<string>;
  /** Whether a request is stored with the key. */
  hasKey(subject: string, key: string, now: Date): Promise<boolean>;
  /** Stores a token with its notice and counts the charges. Throws `RATE_LIMITED` if a quota is used up. */
  addToken(token: IssuedToken, notice: Notice, charges: readonly QuotaCharge[], now: Date): Promise<void>;
  /** Throws `RATE_LIMITED` if a quota is used up; counts nothing. */
  checkQuotas(charges: readonly QuotaCharge[], now: Date): Promise<void>;
  /** Counts all charges, or throws `RATE_LIMITED` and counts none. */
  takeQuotas(charges: readonly QuotaCharge[], now: Date): Promise<void>;
}

/** Bearer tokens (answers, Tokens). */
export interface Tokens {
  /** Makes the record of a token to be issued now; it is signed after the record has been stored. */
  prepare(subject: string): Promise<IssuedToken>;
  sign(token: IssuedToken): Promise<string>;
  /** The keyed hashes that a revocation of the subject may be stored under, one for each current key. */
  subjectHashes(subject: string): readonly string[];
  /** Returns the token's record, null if the token is not valid for whatever reason; one for `/mcp` alone is valid only there. */
  verify(token: string, at?: 'mcp'): Promise<IssuedToken | null>;
  /** Returns the record of a token that was verified before, is still valid and opens everything; otherwise null, and `verify` decides. */
  recall(token: string): IssuedToken | null;
  /** Whether a token that `verify` returned is still valid. */
  isValid(token: IssuedToken): boolean;
}

/**
 * One use of the quota with a key, which allows `count` uses in each window of `seconds`. The key is an operation, the kind of the
 * holder and the holder, separated by spaces.
 */
export interface QuotaCharge {
  readonly key: string;
  readonly count: number;
  readonly seconds: number;
  /**
   * Allows `count` more uses, but only to calls whose charge with the key `firstOf` is the first in its window. That charge must
   * stand before this one.
   */
  readonly reserve?: { readonly count: number; readonly firstOf: string };
}

/** One read in the reader's record. */
export interface RecordedRead {
  readonly operation: string;
  /** Which entry was read, or that the PDF was asked for; null if the operation says it all. */
  readonly item: string | null;
  readonly surface: string;
  /** The client program as it called itself; null if it didn't. */
  readonly client: string | null;
  readonly readAt: Date;
}

/** The reader's record: what was read with each token, for the owner to see. */
export interface ReaderRecord {
  /** Whether reads are recorded. */
  readonly isOn: boolean;
  /** How long a read is kept. */
  readonly keepSeconds: number;
  /** Records a read within about a second, unless the token is revoked, or its visitor is erased, by then. */
  add(token: IssuedToken, read: Omit<RecordedRead, 'readAt'>): void;
  /** Returns what is recorded of a token, with its latest reads, at most `limit`. Throws `UNAVAILABLE`. */
  recordOf(token: IssuedToken, limit: number): Promise<TokenRecord>;
  /**
   * Erases all reads of a token until now, those that wait to be recorded included. Throws `UNAUTHORIZED` if the token has been
   * revoked since it was verified, and `UNAVAILABLE`.
   */
  erase(token: IssuedToken): Promise<void>;
}

/** What is recorded of a token. */
export interface TokenRecord {
  /** How many reads are recorded. */
  readonly total: number;
  /** The latest of them, the latest first. */
  readonly reads: readonly RecordedRead[];
  /** When the visitor erased the record last; null if never. */
  readonly erasedAt: Date | null;
}

/** One call as logged: no token, address or body. `cause` is set for unexpected failures and those of the store. */
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

/** An entry of the audit log; subject and network address are stored as keyed hashes only. */
export interface AuditEntry {
  readonly event:
    | 'token_issued'
    | 'token_refused'
    | 'token_revoked'
    | 'access_granted'
    | 'access_refused'
    | 'grant_ended'
    | 'client_registered'
    | 'code_sent'
    | 'code_refused'
    | 'address_verified'
    | 'key_rotated'
    | 'visitor_erased'
    | 'contact_erased'
    | 'contacts_exported'
    | 'limit_hit'
    | 'profile_reloaded'
    | 'dead_letter'
    | 'desk_link_requested'
    | 'desk_signed_in'
    | 'desk_sign_in_refused'
    | 'desk_signed_out';
  readonly subject?: string;
  readonly from?: string | null;
  readonly jti?: string;
  readonly operation?: string;
  /** Which one of several, or the reason. */
  readonly detail?: string;
}

/** What operations depend on. */
export interface Services {
  edition(): Edition;
  now(): Date;
  record(call: CallRecord): void;
  audit(entry: AuditEntry): void;
  /** Returns the SHA-256 hash of a content, in base64url. */
  hash(content: string): string;
  /** Generates a random id of 32 hexadecimal digits. */
  newId(): string;
  readonly store: Store;
  readonly tokens: Tokens;
  readonly reads: ReaderRecord;
  readonly limits: {
    /** Counts a use in this process and returns 0, or doesn't and returns the seconds until it can. */
    take(charge: QuotaCharge): number;
    /** Returns charges as the store counts them for all processes: scaled, and under keyed hashes; none if there are no limits. */
    toStored(charges: readonly QuotaCharge[]): readonly QuotaCharge[];
  };
}
