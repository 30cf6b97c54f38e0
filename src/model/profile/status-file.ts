/** The lines of a file, counted from 1, that a text without line end would replace. */
export interface LineChange {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/** The status of availability as it is written down. */
export interface StatusFileState {
  /** The path of the file, or the address. */
  readonly path: string;
  /** Whether it is a file that may be edited, the sample, or at an address. */
  readonly place: 'file' | 'sample' | 'address';
  /** Changes with each byte of the file. */
  readonly revision: string;
  /** The status; null if the file has faults, or is at an address. */
  readonly status: string | null;
  readonly faults: readonly string[];
}

/** A refused edit of the status; a `faulty` file has a fault before or after the edit. */
export interface StatusRefusal {
  readonly reason: 'changed' | 'faulty' | 'unwritable' | 'at-address';
  /** The cause in a few words. */
  readonly message: string;
  /** The edit that the owner can make by hand; null if it is not known. */
  readonly change: LineChange | null;
}
