import type { Visitor, VisitorKey } from './visitor.ts';

/** A kind of data about visitors. Each table that holds some names its kind, and each kind has a line on `/privacy`. */
export type KeptData = 'tokens' | 'sessions' | 'grants' | 'reads' | 'messages' | 'notes' | 'mail' | 'codes';

/** A visitor as the desk lists them: the address was typed in, and is verified only if one of its grants says so. */
export interface Reader {
  readonly key: VisitorKey;
  /** Spelled as it was first typed. */
  readonly visitor: Visitor;
  readonly firstSeenAt: Date;
  /** When a token was last issued to it, or it last connected a client, read or wrote. */
  readonly lastSeenAt: Date;
  /** How many contact requests it sent or is named in. */
  readonly messages: number;
  /** When the visitor last erased a record of reads; null if never. */
  readonly erasedAt: Date | null;
  /** The owner's note; empty if there is none. */
  readonly note: string;
}

/** Limits the readers of a list to those that meet all conditions. */
export interface ReaderFilter {
  /** A part of the address, in any case. */
  readonly text?: string | undefined;
  /** Further visitors, whose addresses need not have the text. */
  readonly links?: readonly VisitorKey[] | undefined;
  /** Seen at or after this instant. */
  readonly since?: Date | undefined;
  readonly key?: VisitorKey;
  /** Whether the visitor has read or written, since that instant if there is one; spam does not count. */
  readonly hasVisited?: boolean | undefined;
}

/** One read in the reader's record. */
export interface RecordedRead {
  readonly operation: string;
  /** The entry that was read, or that the PDF was asked for; null if the operation says it all. */
  readonly item: string | null;
  readonly surface: string;
  /** The client program as it called itself; null if it didn't. */
  readonly client: string | null;
  readonly readAt: Date;
}

/** The reads with a token. */
export interface TokenRecord {
  /** How many reads are recorded. */
  readonly total: number;
  /** The latest of them, the latest first. */
  readonly reads: readonly RecordedRead[];
  /** When the visitor erased the record last; null if never. */
  readonly erasedAt: Date | null;
}

/** The actions of one visitor since an instant. */
export interface Activity {
  readonly key: VisitorKey;
  /** Spelled as it was typed last. */
  readonly visitor: Visitor;
  readonly lastAt: Date;
  /** How often they asked for access; not by connecting a client. */
  readonly requests: number;
  /** The names of the clients that they connected. */
  readonly connected: readonly string[];
  readonly hasErasedReads: boolean;
  readonly hasRead: boolean;
}

/** The readers of a list are counted up to this many. */
export const maxCounted = 10_000;
