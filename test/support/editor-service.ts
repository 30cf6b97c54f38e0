import { fold, PatchFault, recorded } from '../../src/model/profile/patch.ts';
import type { Change, Value, WorkingCopy, WorkingEvent } from '../../src/model/profile/working-copy.ts';
import type { Answer, Send, SharedStorage, Tabs } from '../../src/surfaces/web/desk/editor/client/connection.ts';

/** What becomes of a request: the service answers, its answer is lost, the request is lost, or another status. */
export type Fate = 'answered' | 'answer lost' | 'request lost' | number;

/** The service as the client sees it: it records events as the real one does, without a file. */
export function openEditorService(base: Value) {
  let changes: readonly Change[] = [];
  let revision = 1;
  const fates: Fate[] = [];
  const batches: WorkingEvent[][] = [];
  const ids = new Set<string>();

  const copy = (): WorkingCopy => ({
    ...{ revision: String(revision), findings: [], unpublished: changes.length, conflicts: [] },
    ...{ base, changes, unreadable: [] },
  });

  /** What is dropped in the same request is never stored, and unknown afterwards. */
  const keep = () => {
    for (const { id } of changes) ids.add(id);
  };

  function record(events: readonly WorkingEvent[], asked?: string): Answer {
    const isKnown = (event: WorkingEvent) =>
      'patch' in event
        ? ids.has(event.id)
        : recorded(changes, event).every((one, index) => one.isUndone === changes[index]?.isUndone);
    if (events.every(isKnown)) return { status: 200, body: copy() };
    if (asked !== String(revision)) {
      const known = events.flatMap((event) => ('patch' in event && ids.has(event.id) ? [event.id] : []));
      return { status: 412, body: { ...copy(), known } };
    }
    for (const event of events.filter((event) => !('patch' in event && isKnown(event)))) {
      const next = recorded(changes, event);
      try {
        fold(base, next);
      } catch (fault) {
        if (!(fault instanceof PatchFault)) throw fault;
        keep();
        return {
          status: 409,
          body: { failed: 'patch' in event ? event.id : Object.values(event)[0], message: fault.message },
        };
      }
      changes = next;
      revision++;
    }
    keep();
    return { status: 200, body: copy() };
  }

  const send: Send = async (_path, request) => {
    if (request === undefined) return structuredClone({ status: 200, body: copy() });
    const fate = fates.shift() ?? 'answered';
    if (typeof fate === 'number') return { status: fate, body: null };
    if (fate === 'request lost') throw new TypeError('Failed to fetch');
    const { events } = structuredClone(request.body) as { events: WorkingEvent[] };
    batches.push(events);
    const answer = record(events, request.revision);
    if (fate === 'answer lost') throw new TypeError('Failed to fetch');
    return structuredClone(answer);
  };

  return {
    send,
    copy: () => structuredClone(copy()),
    /** The values of the working copy. */
    values: () => fold(base, changes),
    /** What becomes of the next requests. */
    next: (...given: readonly Fate[]) => void fates.push(...given),
    /** The events of each request that arrived. */
    batches,
  };
}

/** The storage that the tabs of a browser share, and which of them are open. */
export function openBrowserStorage() {
  const items = new Map<string, string>();
  const waiting = new Map<string, (() => void)[]>();
  const open = new Set<string>();
  const storage: SharedStorage = {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
  return {
    storage,
    items,
    tab(id: string): Tabs {
      open.add(id);
      const whenClosed = (other: string, act: () => void): void => {
        if (open.has(other)) waiting.set(other, [...(waiting.get(other) ?? []), act]);
        else act();
      };
      return { id, place: '/desk/profile', whenClosed };
    },
    /** Ends a tab, as a crash does. */
    close(id: string): void {
      open.delete(id);
      for (const act of waiting.get(id) ?? []) act();
    },
  };
}
