import type { Visitor, VisitorKey } from './visitor.ts';

/** A kind of data about visitors. Each table that holds some names its kind, and each kind has a line on `/privacy`. */
export type KeptData = 'tokens' | 'sessions' | 'grants' | 'reads' | 'messages' | 'notes' | 'mail' | 'codes';

/** A visitor in the desk's list: the address was typed in, and is verified only if one of its grants says so. */
export interface Reader {
  readonly key: VisitorKey;
  readonly visitor: Visitor;
  readonly firstSeenAt: Date;
  /** When it last received a token, connected a client, read or wrote. */
  readonly lastSeenAt: Date;
  /** The number of contact requests that it sent or is named in. */
  readonly messages: number;
  readonly erasedAt: Date | null;
  readonly note: string;
}

export interface ReaderFilter {
  /** A part of the address, ignoring case. */
  readonly text?: string | undefined;
  /** Further visitors, who match even without the text. */
  readonly links?: readonly VisitorKey[] | undefined;
  readonly since?: Date | undefined;
  readonly key?: VisitorKey;
  /** Whether the visitor has read or written, since `since` if it is set; spam does not count. */
  readonly hasVisited?: boolean | undefined;
}

export interface RecordedRead {
  readonly operation: string;
  /** The entry that was read, or whose PDF was requested; null if the operation says it all. */
  readonly item: string | null;
  readonly surface: string;
  readonly client: string | null;
  readonly readAt: Date;
}

export interface TokenRecord {
  readonly total: number;
  /** The latest reads, in descending order. */
  readonly reads: readonly RecordedRead[];
  readonly erasedAt: Date | null;
}

export interface Activity {
  readonly key: VisitorKey;
  /** As last typed. */
  readonly visitor: Visitor;
  readonly lastAt: Date;
  /** The number of access requests, without connected clients. */
  readonly requests: number;
  readonly connected: readonly string[];
  readonly hasErasedReads: boolean;
  readonly hasRead: boolean;
}

export const maxCounted = 10_000;
