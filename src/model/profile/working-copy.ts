import type { DocumentFault } from 'resume-profile/profile-reader';

/** A plain value of a document: what YAML and JSON can hold. */
export type Value = unknown;

/** The keys and indexes that lead to a value of a document. */
export type Path = readonly (string | number)[];

/** An operation of JSON Patch (RFC 6902); `path` and `from` are JSON Pointers (RFC 6901). */
export type PatchOperation =
  | { readonly op: 'test' | 'add' | 'replace'; readonly path: string; readonly value: Value }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string };

/**
 * A change of the working copy. Changes with the same `step` are undone and redone together. A change made as text, such as on
 * the page of the YAML or by taking over a proposal, has `document` instead of `patch`: the values that the text has afterwards,
 * null if the text cannot be read.
 */
export type Change = {
  readonly id: string;
  readonly step: string;
  readonly isUndone?: true;
} & (
  | { readonly patch: readonly PatchOperation[]; readonly document?: never }
  | { readonly document: Value; readonly patch?: never }
);

/** What a client sends, in the order in which it happened. */
export type WorkingEvent =
  | { readonly id: string; readonly step: string; readonly patch: readonly PatchOperation[] }
  | { readonly undo: string }
  | { readonly redo: string };

/** A value that both the owner and another program changed; the working copy has `mine` until the owner chooses. */
export interface Conflict {
  readonly pointer: string;
  readonly mine: Value;
  readonly theirs: Value;
}

/** A fault or remark at a place of the document; `mend` is the one right correction, if there is one. */
export interface Finding {
  readonly kind: 'fault' | 'remark';
  readonly pointer: string;
  /** A sentence to stand at the place. */
  readonly message: string;
  /** The same with the name of the place. */
  readonly summary: string;
  readonly line: number | null;
  readonly mend?: { readonly label: string; readonly patch: readonly PatchOperation[] };
}

/** What the service answers to each event, and to who asks for the state. */
export interface WorkingState {
  /** Changes with each accepted event, and when the published text changes. */
  readonly revision: string;
  readonly findings: readonly Finding[];
  /** How many differences to the published text there are, as `differences` lists them. */
  readonly unpublished: number;
  readonly conflicts: readonly Conflict[];
}

/** The whole working copy. */
export interface WorkingCopy extends WorkingState {
  /** The values of the published text; an empty map if there is none. */
  readonly base: Value;
  readonly changes: readonly Change[];
  /** Why the text cannot be read as values now; the paper then shows the last readable state and cannot be edited. */
  readonly unreadable: readonly DocumentFault[];
}

/** A change as it is stored: with a patch, or with the whole text that it makes. */
export interface StoredChange {
  readonly id: string;
  readonly step: string;
  readonly isUndone: boolean;
  readonly patch: readonly PatchOperation[] | null;
  readonly text: string | null;
}

/** The working copy as it is stored, if it was changed since the last publish. */
export interface StoredCopy {
  readonly revision: string;
  /** The revision and the text of the published document that the changes are based on. */
  readonly baseRevision: string;
  readonly baseText: string;
  readonly conflicts: readonly Conflict[];
  readonly changes: readonly StoredChange[];
}
