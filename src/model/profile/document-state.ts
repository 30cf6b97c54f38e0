import type { DocumentFault } from 'resume-profile/profile-reader';
import { Failure } from '../failure.ts';

/** The profile document as it is stored now. */
export interface DocumentState {
  /** The path of the file, or the address without what may be secret in it. */
  readonly name: string;
  /** Publishing replaces a `file`; in place of the `sample` or of `none` it creates the owner's own file. */
  readonly place: 'file' | 'sample' | 'none' | 'address' | 'read-only';
  /** Why it cannot be published to, in words that follow "because"; null if it can. */
  readonly obstacle: string | null;
  /** The text with its byte-order mark, if it has one; empty before the file exists, null if it cannot be read. */
  readonly text: string | null;
  /** The SHA-256 of the bytes in base64url; empty if they cannot be read. */
  readonly revision: string;
  /** Why it cannot be read; empty if it can, even if its text has faults. */
  readonly readFaults: readonly DocumentFault[];
}

/** Why a text was not published. */
export interface PublishRefusal {
  readonly reason: 'changed' | 'faulty' | 'unwritable' | 'at-address' | 'too-large' | 'signed-out';
  /** The cause in a few words. */
  readonly message: string;
}

/** How a version came to be: at the desk or in the terminal, from a version before, or by another program. */
export type VersionKind = 'published' | 'restored' | 'outside';

/** A text that the profile document has had. */
export interface DocumentVersion {
  readonly id: number;
  readonly revision: string;
  readonly kind: VersionKind;
  readonly at: Date;
  /** The length of the text in UTF-8. */
  readonly bytes: number;
  readonly text: string;
}

/** A text that is not published yet. */
export interface DocumentDraft {
  readonly id: string;
  /** The name of what it was made from, such as a file that was read; empty if that is the document itself. */
  readonly name: string;
  /** The revision of the document when the draft was begun. */
  readonly baseRevision: string;
  /** The revision of its own text, which changes with each save. */
  readonly revision: string;
  readonly savedAt: Date;
  readonly bytes: number;
  readonly text: string;
}

/** The size that a profile document may have. */
export const maxDocumentMebibytes = 1;

export const maxDrafts = 20;
export const draftDays = 90;

/** When a program may try again. */
const retryAfterSeconds = 60;

/** The failure of everything that needs a profile, until the owner has published the first one. */
export const noProfile = (): Failure =>
  new Failure('UNAVAILABLE', 'There is no profile here yet.', { retryAfterSeconds });
