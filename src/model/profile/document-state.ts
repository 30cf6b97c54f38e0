import type { DocumentFault } from 'resume-profile/profile-reader';
import { Failure } from '../failure.ts';

export interface DocumentState {
  /** The path of the file, or the address without its possible secrets. */
  readonly name: string;
  /** Publishing replaces a `file`; in place of the `sample` or of `none` it creates the owner's own file. */
  readonly place: 'file' | 'sample' | 'none' | 'address' | 'read-only';
  /** Why publishing is impossible, in words that follow "because"; null if it is possible. */
  readonly obstacle: string | null;
  /** The text with its byte-order mark, if it has one; empty before the file exists, null if it cannot be read. */
  readonly text: string | null;
  /** The SHA-256 of the bytes in base64url; empty if they cannot be read. */
  readonly revision: string;
  /** Why it cannot be read; empty if it can, even if its text has faults. */
  readonly readFaults: readonly DocumentFault[];
}

export interface PublishRefusal {
  readonly reason: 'changed' | 'faulty' | 'unwritable' | 'at-address' | 'too-large' | 'signed-out';
  readonly message: string;
}

/** The origin of a version: the desk or the terminal, an earlier version, or another program. */
export type VersionKind = 'published' | 'restored' | 'outside';

/** A past or current text of the profile document. */
export interface DocumentVersion {
  readonly id: number;
  readonly revision: string;
  readonly kind: VersionKind;
  readonly at: Date;
  readonly bytes: number;
  readonly text: string;
}

/** A text that the owner may take over into the working copy. */
export interface Proposal {
  readonly id: string;
  /** The name of its source, such as an imported file; empty if it is a draft of an earlier version of this service. */
  readonly name: string;
  /** The revision of the document when it was begun. */
  readonly baseRevision: string;
  /** The revision of its own text. */
  readonly revision: string;
  readonly savedAt: Date;
  readonly bytes: number;
  readonly text: string;
}

export const maxDocumentMebibytes = 1;

export const maxProposals = 20;
/** How long a proposal stays after its last change. */
export const proposalDays = 90;

const retryAfterSeconds = 60;

/** The failure of every call that needs a profile, until the owner has published the first one. */
export const noProfile = (): Failure =>
  new Failure('UNAVAILABLE', 'There is no profile here yet.', { retryAfterSeconds });
