import { Failure } from '../../model/failure.ts';
import { completed } from '../../model/profile/completed.ts';
import { differenceList } from '../../model/profile/differences.ts';
import { type DocumentState, maxDocumentMebibytes } from '../../model/profile/document-state.ts';
import { readValues, textWith } from '../../model/profile/document-text.ts';
import { merge, pathAfter } from '../../model/profile/merge.ts';
import { equals, fold, PatchFault, toPath, toPointer, valueAt } from '../../model/profile/patch.ts';
import type { Change, Conflict, StoredChange, StoredCopy, Value } from '../../model/profile/working-copy.ts';
import type { OwnerServices } from './services.ts';

/** The working copy: the published text with the changes that were made since. */
export interface OpenCopy {
  readonly document: DocumentState;
  readonly stored: StoredCopy | null;
  readonly revision: string;
  /** The revision and the text that the changes are based on; without a profile, the text is empty. */
  readonly baseRevision: string;
  readonly baseText: string;
  readonly base: Value;
  readonly changes: readonly Change[];
  /** Null if the text cannot be read. */
  readonly values: Value | null;
  readonly text: string;
  /** What the edits cost in the text: see `textWith`. */
  readonly costs: ReturnType<typeof textWith>['costs'];
  readonly conflicts: readonly Conflict[];
}

/** The published text; empty before there is one, null if it cannot be read. */
export const publishedText = ({ place, text }: DocumentState): string | null =>
  place === 'sample' || place === 'none' ? '' : text;

/** Reads the working copy, merged with changes of the published text by other programs. */
export async function openCopy(services: OwnerServices): Promise<OpenCopy> {
  const { store, profileDocument, now } = services;
  for (;;) {
    const document = await profileDocument.read();
    const stored = await store.workingCopy.load();
    const text = publishedText(document);
    // A process that cannot publish may have another file than the one that can.
    const isBehind = stored !== null && stored.baseRevision !== document.revision && document.obstacle === null;
    if (!isBehind) return toOpenCopy(document, stored);
    // Another program may be about to write the rest of a text that is empty or faulty.
    const isWhole = text !== null && (text === stored.baseText || profileDocument.check(text).faults.length === 0);
    const next = isWhole ? rebased(stored, { revision: document.revision, text }, services) : null;
    // It cannot be merged: the owner decides which of the two texts counts.
    if (next === null) return withWholeConflict(toOpenCopy(document, stored));
    await store.workingCopy.save(stored.revision, next.changes.length === 0 ? null : next, now());
  }
}

function toOpenCopy(document: DocumentState, stored: StoredCopy | null): OpenCopy {
  const baseText = publishedText(document) ?? '';
  return {
    ...{ document, stored },
    revision: stored?.revision ?? (document.revision || 'none'),
    baseRevision: stored?.baseRevision ?? document.revision,
    baseText: stored?.baseText ?? baseText,
    conflicts: stored?.conflicts ?? [],
    ...(stored === null ? contentOf({ baseText, changes: [] }) : rememberedContentOf(stored)),
    ...(stored === null && publishedText(document) === null && { values: null }),
  };
}

type Content = Pick<OpenCopy, 'base' | 'changes' | 'text' | 'values' | 'costs'>;

function contentOf({ baseText, changes: stored }: Pick<StoredCopy, 'baseText' | 'changes'>): Content {
  const changes = stored.map(toChange);
  return { base: readValues(baseText) ?? {}, changes, ...textOf(baseText, stored, changes) };
}

/** The content of the latest revision, which takes long to compute and is asked for again with the next change. */
let latest: { readonly revision: string; readonly content: Content } | null = null;

function rememberedContentOf(stored: StoredCopy): Content {
  if (latest?.revision !== stored.revision) latest = { revision: stored.revision, content: contentOf(stored) };
  return latest.content;
}

const withWholeConflict = (copy: OpenCopy): OpenCopy => ({
  ...copy,
  conflicts: [{ pointer: '', mine: copy.values, theirs: readValues(publishedText(copy.document) ?? '') }],
});

function toChange({ id, step, isUndone, patch, text }: StoredChange): Change {
  const change = { id, step, ...(isUndone && { isUndone }) };
  if (patch !== null) return { ...change, patch };
  const known = latest?.content.changes.find((one) => one.id === id)?.document;
  return { ...change, document: known ?? readValues(text ?? '') };
}

/** Returns the text and the values of changes: those of the last change as text, edited by the later ones. */
function textOf(
  baseText: string,
  stored: readonly StoredChange[],
  changes: readonly Change[],
): Pick<OpenCopy, 'text' | 'values' | 'costs'> {
  const last = stored.findLastIndex(({ text, isUndone }) => text !== null && !isUndone);
  const start = stored[last]?.text ?? baseText;
  const before = last === -1 ? readValues(start) : changes[last]!.document;
  const values = fold(before, changes.slice(last + 1));
  if (values === null || equals(values, before)) return { text: start, values, costs: 'nothing' };
  return { values, ...textWith(start, completed(before, values)) };
}

/** Returns a working copy on the text that another program has published; null if one of the texts cannot be read. */
function rebased(
  stored: StoredCopy,
  published: { readonly revision: string; readonly text: string },
  { newSecret }: Pick<OwnerServices, 'newSecret'>,
): StoredCopy | null {
  const [base, theirs] = [stored.baseText, published.text].map(readValues);
  const mine = rememberedContentOf(stored);
  if (base == null || theirs == null || mine.values === null) return null;
  const { value, conflicts } = merge(base, completed(base, mine.values), theirs);
  const next = {
    revision: newSecret(),
    baseRevision: published.revision,
    baseText: published.text,
    conflicts: [...stillOpen(stored.conflicts, mine.values, value), ...conflicts],
  };
  if (equals(value, theirs)) return { ...next, changes: [] };
  const isText = stored.changes.some(({ text, isUndone }) => text !== null && !isUndone);
  if (!isText && equals(value, foldedOrNull(theirs, stored.changes))) return { ...next, changes: stored.changes };
  const change = { id: newSecret(), step: newSecret(), isUndone: false, patch: null, text: null };
  return isText
    ? { ...next, changes: [{ ...change, text: textWith(mine.text, value).text }] }
    : { ...next, changes: [{ ...change, patch: [{ op: 'replace', path: '', value }] }] };
}

/** Returns what changes make of other values than those that they were made on; null if they do not apply to them. */
export function foldedOrNull(values: Value, changes: readonly StoredChange[]): Value | null {
  try {
    return completed(values, fold(values, changes.map(toChange)));
  } catch (error) {
    if (error instanceof PatchFault) return null;
    throw error;
  }
}

/** Returns the conflicts at their places after an edit, if these still have the owner's values: others were decided by it. */
function stillOpen(conflicts: readonly Conflict[], before: Value, after: Value): readonly Conflict[] {
  if (before === null || after === null) return conflicts;
  return conflicts.flatMap((conflict) => {
    const path = pathAfter(toPath(conflict.pointer), before, after);
    const isOpen = path !== null && equals(valueAt(after, path), conflict.mine ?? conflict.theirs);
    return isOpen ? [{ ...conflict, pointer: toPointer(path) }] : [];
  });
}

/** Stores changes of a working copy; returns it as it is then, or null if it was changed meanwhile. */
export async function saveCopy(
  copy: OpenCopy,
  edited: Partial<Pick<StoredCopy, 'changes' | 'conflicts' | 'baseText' | 'baseRevision'>> | null,
  session: string | undefined,
  { store, now, newSecret }: OwnerServices,
): Promise<OpenCopy | null> {
  const { baseRevision, baseText, stored } = copy;
  const { changes = [], conflicts = [] } = stored ?? {};
  const next = edited && { revision: newSecret(), baseRevision, baseText, conflicts, changes, ...edited };
  const opened = toOpenCopy(copy.document, next);
  if (new TextEncoder().encode(opened.text).length > maxDocumentMebibytes * 1024 ** 2)
    throw new Failure('PAYLOAD_TOO_LARGE', `The profile would be larger than ${maxDocumentMebibytes} MiB.`);
  const kept = next && { ...next, conflicts: stillOpen(next.conflicts, copy.values, opened.values) };
  const isSaved = await store.workingCopy.save(stored?.revision ?? null, kept, now(), session);
  return isSaved ? { ...opened, conflicts: kept?.conflicts ?? [], stored: kept } : null;
}

/** Returns how a working copy differs from the published profile, with the patches that take the differences back. */
export const differencesOfCopy = ({ base, values, baseText, text }: OpenCopy) => {
  const differences = values === null ? [] : differenceList(base, values);
  // Values say nothing of comments.
  return differences.length === 0 && values !== null && text !== baseText ? [inTextOnly] : differences;
};

const inTextOnly = { words: [{ text: 'The same values, written in another way', isName: false }], patch: [] };
