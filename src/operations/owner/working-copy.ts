import { z } from 'zod';
import { Failure } from '../../model/failure.ts';
import type { PublishRefusal } from '../../model/profile/document-state.ts';
import { readValues, textWith } from '../../model/profile/document-text.ts';
import { merge } from '../../model/profile/merge.ts';
import { applyPatch, equals, fold, idOf, joined, recorded, toPath, valueAt } from '../../model/profile/patch.ts';
import type { Conflict, PatchOperation, StoredChange, WorkingEvent } from '../../model/profile/working-copy.ts';
import { foldedOrNull, type OpenCopy, openCopy, publishedText, saveCopy } from './open-copy.ts';
import { ownerOperation } from './operation.ts';
import { findVersion, publishText, removeUnusedPhotos, restoreVersion, SessionId } from './profile.ts';
import type { OwnerServices } from './services.ts';

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
  handle: async (_input, services: OwnerServices) => openCopy(services),
});

export const getWorkingText = ownerOperation({
  name: 'get_working_text',
  summary: 'The text of the working copy, as it would be published, and the name of the document.',
  async handle(_input, services: OwnerServices) {
    const { text, revision, document } = await openCopy(services);
    return { text, revision, name: document.name };
  },
});

const Revision = z.string();
const Events = z.custom<readonly WorkingEvent[]>();

export const changeWorkingCopy = ownerOperation({
  name: 'change_working_copy',
  summary: 'Adds changes to the working copy, or undoes some, if it still has the revision; known ones change nothing.',
  input: z.object({ events: Events, revision: Revision, session: SessionId }),
  async handle({ events, revision, session }, services: OwnerServices): Promise<Outcome> {
    const ids = events.flatMap((event) => ('id' in event ? event.id : []));
    for (;;) {
      const copy = await openCopy(services);
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
      const saved = await saveCopy(copy, { changes: kept }, session, services);
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
  // A text that is typed on is one change: those that this client has sent before, it knows to be stored.
  const [last, first] = [changes.at(-1), events[0]];
  const both = last && !last.isUndone && first && joined(last, first, idOf(first));
  const isJoined = both && 'patch' in both && both.patch.length > 0;
  for (const event of events) {
    const next = isJoined && event === first ? [...changes.slice(0, -1), both] : recorded(changes, event);
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
      const copy = await openCopy(services);
      const conflict = copy.conflicts.find((one) => one.pointer === pointer);
      if (conflict === undefined || (copy.values === null && pointer !== '')) return copy;
      const saved = await saveCopy(copy, decided(copy, conflict, value, services.newSecret), session, services);
      if (saved !== null) return openCopy(services);
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
  async handle({ text, revision, id, session }, services: OwnerServices): Promise<Pick<Outcome, 'isStale'>> {
    // PostgreSQL stores no text with NUL.
    if (text.includes('\0')) throw new Failure('BAD_REQUEST', 'The text has the character U+0000.');
    for (;;) {
      const copy = await openCopy(services);
      if (text === copy.text) return { isStale: false };
      if (revision !== undefined && revision !== copy.revision) return { isStale: true };
      const made = (copy.stored?.changes ?? []).filter(({ isUndone }) => !isUndone);
      const change = { id: id ?? services.newSecret(), step: services.newSecret(), isUndone: false, patch: null, text };
      if ((await saveCopy(copy, { changes: [...made, change] }, session, services)) !== null) return { isStale: false };
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
  async handle({ revision, session }, { store, now }: OwnerServices) {
    await store.workingCopy.save(revision, null, now(), session);
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
    const copy = await openCopy(services);
    const changed = { reason: 'changed', message: 'it was changed elsewhere meanwhile' } as const;
    if (revision !== copy.revision) return { copy, refusal: changed };
    const [conflict] = copy.conflicts;
    if (conflict !== undefined)
      return { copy, refusal: { reason: 'changed', message: 'both changed the same; choose which of the two counts' } };
    const { text, baseRevision: base_revision } = copy;
    const edited = { text, base_revision, session, copy_revision: copy.stored?.revision };
    const refusal = await publishText(edited, 'published', services);
    if (refusal !== null) return { refusal, copy: await openCopy(services) };
    services.audit({ event: 'profile_published' });
    // If this fails, the next reading of the working copy finds that its changes are published.
    await removePublished(copy, services).catch(() => {});
    await removeUnusedPhotos(services);
    return { refusal, copy: await openCopy(services) };
  },
});

export const undoPublish = ownerOperation({
  name: 'undo_publish',
  summary: 'Publishes a version again; what the working copy had stays as one change that is not published.',
  input: z.object({ id: z.int(), session: SessionId }),
  audits: ['profile_restored'],
  async handle({ id, session }, services: OwnerServices): Promise<{ readonly refusal: PublishRefusal | null }> {
    const { document, stored, text, values } = await openCopy(services);
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
      const copy = await openCopy(services);
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
