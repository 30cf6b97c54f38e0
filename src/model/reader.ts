/** A kind of data about visitors. Each table that holds some names its kind, and each kind has a line on `/privacy`. */
export type KeptData = 'tokens' | 'grants' | 'reads' | 'messages' | 'notes' | 'mail' | 'codes';

/** How often an operation was called for an item: the id of an entry, `pdf` for the link to the PDF, otherwise null. */
export interface ReadCount {
  readonly operation: string;
  readonly item: string | null;
  readonly count: number;
}

/** A visitor by the canonical address: it was typed in, and is verified only if one of its grants says so. */
export interface Reader {
  readonly canonicalAddress: string;
  /** As it was first typed. */
  readonly address: string;
  readonly firstSeenAt: Date;
  /** When a token was last issued to it, or it last connected a client, read or wrote. */
  readonly lastSeenAt: Date;
  /** The client of the latest read; null if it is not known. */
  readonly client: string | null;
  readonly reads: readonly ReadCount[];
  /** How many contact requests it sent or is named in. */
  readonly messages: number;
  /** When the visitor last erased a record of reads; null if never. */
  readonly erasedAt: Date | null;
  /** The owner's note; empty if there is none. */
  readonly note: string;
}

/** A read, as the owner sees it. */
export interface ReadEvent {
  readonly operation: string;
  readonly item: string | null;
  readonly client: string | null;
  readonly readAt: Date;
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

/** How many reads there were within a day or longer, and by how many visitors. */
export interface ReadTotals {
  readonly reads: number;
  readonly readers: number;
  /** How many visitors asked for the link to the PDF. */
  readonly pdfReaders: number;
}

/** The actions of one visitor since an instant. */
export interface Activity {
  readonly canonicalAddress: string;
  /** As it was typed last. */
  readonly address: string;
  readonly lastAt: Date;
  readonly hasAskedForAccess: boolean;
  /** The names of the clients that they connected. */
  readonly connected: readonly string[];
  readonly hasErasedReads: boolean;
  readonly reads: readonly ReadCount[];
}

/** The readers of a list are counted up to this many. */
export const maxCounted = 10_000;
