import { z } from 'zod';
import { Failure } from '../../model/failure.ts';
import { completed } from '../../model/profile/completed.ts';
import { differenceList } from '../../model/profile/differences.ts';
import { type DocumentState, maxDocumentMebibytes, type PublishRefusal } from '../../model/profile/document-state.ts';
import { readValues, textWith } from '../../model/profile/document-text.ts';
import { merge, pathAfter } from '../../model/profile/merge.ts';
import {
  applyPatch,
  equals,
  fold,
  idOf,
  PatchFault,
  recorded,
  toPath,
  toPointer,
  valueAt,
} from '../../model/profile/patch.ts';
import type {
  Change,
  Conflict,
  PatchOperation,
  StoredChange,
  StoredCopy,
  Value,
  WorkingEvent,
} from '../../model/profile/working-copy.ts';
import { ownerOperation } from './operation.ts';
import { findVersion, publishText, removeUnusedPhotos, restoreVersion, SessionId } from './profile.ts';
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
const publishedText = ({ place, text }: DocumentState): string | null =>
  place === 'sample' || place === 'none' ? '' : text;

/** Reads the working copy, merged with changes of the published text by other programs. */
async function open(services: OwnerServices): Promise<OpenCopy> {
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
function foldedOrNull(values: Value, changes: readonly StoredChange[]): Value | null {
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
async function save(
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

/** What became of a change: `stale` if the copy has another revision; `failed` names the event that could not be applied. */
interface Outcome {
  readonly copy: OpenCopy;
  readonly isStale: boolean;
  readonly failed: { readonly id: string; readonly message: string } | null;
  /** The events that were received before. */
  readonly known: ReadonlySet<string>;
}

export const getWorkingCopy = ownerOperation({
  name: 'get_working_copy',
  summary: 'The working copy of the profile: the published text with the changes that were made since.',
  handle: async (_input, services: OwnerServices) => open(services),
});

export const getWorkingText = ownerOperation({
  name: 'get_working_text',
  summary: 'The text of the working copy, as it would be published, and the name of the document.',
  async handle(_input, services: OwnerServices) {
    const { text, revision, document } = await open(services);
    return { text, revision, name: document.name };
  },
});

/** Returns how a working copy differs from the published profile, with the patches that take the differences back. */
export const differencesOfCopy = ({ base, values, baseText, text }: OpenCopy) => {
  const differences = values === null ? [] : differenceList(base, values);
  // Values say nothing of comments.
  return differences.length === 0 && values !== null && text !== baseText ? [inTextOnly] : differences;
};

const inTextOnly = { words: [{ text: 'The same values, written in another way', isName: false }], patch: [] };

const Revision = z.string();
const Events = z.custom<readonly WorkingEvent[]>();

export const changeWorkingCopy = ownerOperation({
  name: 'change_working_copy',
  summary: 'Adds changes to the working copy, or undoes some, if it still has the revision; known ones change nothing.',
  input: z.object({ events: Events, revision: Revision, session: SessionId }),
  async handle({ events, revision, session }, services: OwnerServices): Promise<Outcome> {
    const ids = events.flatMap((event) => ('id' in event ? event.id : []));
    for (;;) {
      const copy = await open(services);
      const known = await services.store.workingCopy.known(ids);
      const isCurrent = revision === copy.revision;
      // A step that was merged or published cannot be undone any more: the client has to see that.
      const isKnown = (event: WorkingEvent) =>
        'id' in event
          ? known.has(event.id)
          : (isCurrent || copy.changes.some(({ step }) => step === idOf(event))) &&
            recorded(copy.changes, event).every((one, index) => one.isUndone === copy.changes[index]!.isUndone);
      const outcome = { copy, isStale: false, failed: null, known };
      if (events.every(isKnown)) return outcome;
      if (!isCurrent) return { ...outcome, isStale: true };
      const { failed, changes } = applyEvents(
        copy,
        events.filter((event) => !('id' in event && known.has(event.id))),
      );
      if (changes === copy.changes) return { ...outcome, failed };
      const stored = new Map(copy.stored?.changes.map((change) => [change.id, change]));
      const kept = changes.map(
        ({ id, step, isUndone = false, patch = null }): StoredChange => ({
          ...{ id, step, isUndone, patch, text: stored.get(id)?.text ?? null },
        }),
      );
      const saved = await save(copy, { changes: kept }, session, services);
      if (saved !== null) return { ...outcome, failed, copy: saved };
    }
  },
});

/** Applies events until one cannot be applied. */
function applyEvents(
  copy: OpenCopy,
  events: readonly WorkingEvent[],
): Pick<Outcome, 'failed'> & Pick<OpenCopy, 'changes'> {
  let { changes, values } = copy;
  for (const event of events) {
    const next = recorded(changes, event);
    try {
      if (!('patch' in event)) values = fold(copy.base, next);
      else if (values === null) throw new Error('the text of the profile cannot be read');
      else values = applyPatch(values, event.patch);
    } catch (error) {
      return { changes, failed: { id: idOf(event), message: (error as Error).message } };
    }
    changes = next;
  }
  return { changes, failed: null };
}

export const chooseValue = ownerOperation({
  name: 'choose_value',
  summary: 'Decides a conflict between the working copy and the published profile.',
  input: z.object({ pointer: z.string(), value: z.enum(['mine', 'theirs']), session: SessionId }),
  async handle({ pointer, value, session }, services: OwnerServices): Promise<OpenCopy> {
    for (;;) {
      const copy = await open(services);
      const conflict = copy.conflicts.find((one) => one.pointer === pointer);
      if (conflict === undefined || (copy.values === null && pointer !== '')) return copy;
      const saved = await save(copy, decided(copy, conflict, value, services.newSecret), session, services);
      if (saved !== null) return open(services);
    }
  },
});

/** Returns what a decision changes in the stored copy; null if nothing of it is left. */
function decided(copy: OpenCopy, conflict: Conflict, value: 'mine' | 'theirs', newSecret: () => string) {
  const { document, text, values } = copy;
  const change = { id: newSecret(), step: newSecret(), isUndone: false, patch: null, text: null };
  if (conflict.pointer === '') {
    if (value === 'theirs') return null;
    const baseText = publishedText(document) ?? '';
    return { baseText, baseRevision: document.revision, changes: [{ ...change, text }] };
  }
  const conflicts = copy.conflicts.filter((one) => one !== conflict);
  const path = conflict.pointer;
  const [chosen, is] = [conflict[value], valueAt(values, toPath(path))];
  const test = { op: 'test', path, value: is ?? null } as const;
  const patch: PatchOperation[] | null = equals(is, chosen)
    ? null
    : chosen === undefined
      ? [test, { op: 'remove', path }]
      : [test, { op: is === undefined ? 'add' : 'replace', path, value: chosen }];
  return { conflicts, changes: [...(copy.stored?.changes ?? []), ...(patch === null ? [] : [{ ...change, patch }])] };
}

export const changeText = ownerOperation({
  name: 'change_text',
  summary: 'Replaces the text of the working copy, with or without faults, as one change that can be undone.',
  input: z.object({ text: z.string(), revision: Revision.optional(), id: z.string().optional(), session: SessionId }),
  async handle({ text, revision, id, session }, services: OwnerServices): Promise<Outcome> {
    // PostgreSQL stores no text with NUL.
    if (text.includes('\0')) throw new Failure('BAD_REQUEST', 'The text has the character U+0000.');
    for (;;) {
      const copy = await open(services);
      const outcome = { copy, isStale: false, failed: null, known: new Set<string>() };
      if (text === copy.text) return outcome;
      if (revision !== undefined && revision !== copy.revision) return { ...outcome, isStale: true };
      const made = (copy.stored?.changes ?? []).filter(({ isUndone }) => !isUndone);
      const change = { id: id ?? services.newSecret(), step: services.newSecret(), isUndone: false, patch: null, text };
      const saved = await save(copy, { changes: [...made, change] }, session, services);
      if (saved !== null) return { ...outcome, copy: saved };
    }
  },
});

export const takeVersion = ownerOperation({
  name: 'take_version',
  summary: 'Puts a version of the profile document into the working copy, as one change that can be undone.',
  input: z.object({ id: z.int(), session: SessionId }),
  async handle({ id, session }, services: OwnerServices) {
    const { text } = await findVersion(id, services);
    return changeText.handle({ text, session }, services);
  },
});

export const discardChanges = ownerOperation({
  name: 'discard_changes',
  summary: 'Removes all changes of the working copy, if it still has the revision.',
  input: z.object({ revision: Revision, session: SessionId }),
  async handle({ revision, session }, services: OwnerServices): Promise<Outcome> {
    const copy = await open(services);
    const outcome = { copy, isStale: revision !== copy.revision, failed: null, known: new Set<string>() };
    if (outcome.isStale || copy.stored === null) return outcome;
    const saved = await save(copy, null, session, services);
    return { ...outcome, isStale: saved === null, copy: await open(services) };
  },
});

export const publishWorkingCopy = ownerOperation({
  name: 'publish_working_copy',
  summary: 'Publishes the working copy if it still has the revision, and keeps the version.',
  input: z.object({ revision: Revision, session: SessionId }),
  audits: ['profile_published'],
  async handle(
    { revision, session }: { readonly revision: string; readonly session?: string | undefined },
    services: OwnerServices,
  ): Promise<{ readonly refusal: PublishRefusal | null; readonly copy: OpenCopy }> {
    const copy = await open(services);
    const changed = { reason: 'changed', message: 'it was changed elsewhere meanwhile' } as const;
    if (revision !== copy.revision) return { copy, refusal: changed };
    const [conflict] = copy.conflicts;
    if (conflict !== undefined)
      return { copy, refusal: { reason: 'changed', message: 'both changed the same; choose which of the two counts' } };
    const { text, baseRevision: base_revision } = copy;
    const edited = { text, base_revision, session, copy_revision: copy.stored?.revision };
    const refusal = await publishText(edited, 'published', services);
    if (refusal !== null) return { refusal, copy: await open(services) };
    services.audit({ event: 'profile_published' });
    // If this fails, the next reading of the working copy finds that its changes are published.
    await removePublished(copy, services).catch(() => {});
    await removeUnusedPhotos(services);
    return { refusal, copy: await open(services) };
  },
});

export const undoPublish = ownerOperation({
  name: 'undo_publish',
  summary: 'Publishes a version again; what the working copy had stays as one change that is not published.',
  input: z.object({ id: z.int(), session: SessionId }),
  audits: ['profile_restored'],
  async handle({ id, session }, services: OwnerServices): Promise<{ readonly refusal: PublishRefusal | null }> {
    const { document, stored, text, values } = await open(services);
    const { refusal } = await restoreVersion.handle({ id, base_revision: document.revision, session }, services);
    if (refusal !== null) return { refusal };
    const { revision: baseRevision, text: baseText } = await services.profileDocument.read();
    const [revision, change] = [services.newSecret(), services.newSecret()];
    const next = { revision, baseRevision, baseText: baseText ?? '', conflicts: [] };
    for (let [kept, known] = [text, stored]; ; ) {
      const changes = [{ id: change, step: change, isUndone: false, patch: null, text: kept }];
      if (await services.store.workingCopy.save(known?.revision ?? null, { ...next, changes }, services.now(), session))
        return { refusal };
      // It was changed meanwhile.
      const copy = await open(services);
      known = copy.stored;
      if (copy.values !== null && values !== null)
        kept = textWith(text, merge(copy.base, copy.values, values).value).text;
    }
  },
});

/** Removes published changes, but not those that were made since. */
async function removePublished({ stored, text }: OpenCopy, { store, now, hash, newSecret }: OwnerServices) {
  const copy = await store.workingCopy.load();
  if (stored === null || copy === null || copy.baseRevision !== stored.baseRevision) return;
  const [published, made] = [stored, copy].map(({ changes }) => changes.filter(({ isUndone }) => !isUndone));
  const later = made!.slice(published!.length);
  if (later.length === 0 && copy.revision === stored.revision) await store.workingCopy.save(copy.revision, null, now());
  // Otherwise, the next reading of the working copy merges it.
  if (later.length === 0 || !equals(made!.slice(0, published!.length), published)) return;
  if (foldedOrNull(readValues(text), later) === null) return;
  const next = { revision: newSecret(), baseRevision: hash(text), baseText: text, conflicts: [], changes: later };
  await store.workingCopy.save(copy.revision, next, now());
}
