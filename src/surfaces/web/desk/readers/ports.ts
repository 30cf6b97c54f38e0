import type { Contact } from '../../../../model/contact.ts';
import type { Grant, IssuedToken, StoredToken } from '../../../../model/grant.ts';
import type { ReadEvent, Reader, ReadTotals } from '../../../../model/reader.ts';
import type { Operation } from '../../../../operations/operation.ts';

/** How many valid tokens, and how many clients' grants, have ended. */
export interface Ended {
  readonly tokens: number;
  readonly grants: number;
}

/** What the owner can see of readers and do about them. Addresses are canonical unless they are said to be typed. */
export interface Readers {
  /** Whether it is recorded what visitors read. */
  readonly isRecorded: boolean;
  /** Returns the operations that visitors can call at the moment. */
  offered(): readonly Operation[];
  /** Returns the id of a reader for URLs: a keyed hash, because addresses would stay in browsers and in the logs of proxies. */
  idOf(address: string): string;
  /** Yields the addresses of all readers, in batches: first those seen last. */
  readerAddresses(): AsyncIterable<readonly string[]>;
  /** Returns the readers seen last, at most `limit`, and how many there are; null if there are more than `maxCounted`. */
  listReaders(
    filter: { readonly text?: string; readonly since?: Date; readonly address?: string },
    limit: number,
  ): Promise<{ readonly readers: readonly Reader[]; readonly total: number | null }>;
  /** Returns the latest reads, the latest first. */
  readsOf(address: string, limit: number): Promise<readonly ReadEvent[]>;
  /** Returns the tokens of addresses, the latest first, at most `limit` of each. */
  tokensOf(addresses: readonly string[], limit?: number): Promise<readonly StoredToken[]>;
  /** Returns what addresses have allowed clients, also what has ended, the latest first, at most `limit` of each. */
  grantsOf(addresses: readonly string[], limit?: number): Promise<readonly Grant[]>;
  isRevoked(token: IssuedToken): boolean;
  /** Returns the messages that an address, typed in any way, sent or is named in. */
  listContacts(email: string): Promise<readonly Contact[]>;
  readTotals(from: Date, to: Date): Promise<ReadTotals>;
  noteReader(address: string, note: string, now: Date): Promise<void>;
  /** Ends a token, a grant with its tokens, or all of an address; returns how many valid ones have ended. A token ends its grant. */
  revoke(
    target: { kind: 'jti'; jti: string } | { kind: 'grant'; id: string } | { kind: 'subject'; subject: string },
  ): Promise<Ended>;
  /** Erases all that is kept of a visitor; returns why bytes of it are left in the files of the database, null if none are. */
  eraseVisitor(email: string): Promise<string | null>;
  /** Rewrites the database to remove such bytes; returns why some are left, null if none are. */
  scrub(): Promise<string | null>;
}
