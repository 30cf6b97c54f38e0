import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import {
  applyPatch,
  equals,
  fold,
  idOf,
  joined,
  recorded,
  toPath,
  valueAt,
} from '../../../../../model/profile/patch.ts';
import type {
  Change,
  Conflict,
  PatchOperation,
  Value,
  WorkingCopy,
  WorkingEvent,
} from '../../../../../model/profile/working-copy.ts';

/** An answer of the service; `body` is its JSON. */
export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each route has its own, and only our service answers.
  readonly body: any;
}

/** Sends a request below `/desk/profile/`. Rejects without a connection. */
export type Send = (
  path: string,
  request?: { readonly method: 'PATCH' | 'POST'; readonly body: unknown; readonly revision?: string },
) => Promise<Answer>;

/** The storage of the browser, which all tabs share. */
export type SharedStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** The tabs of the browser: the id of this one, and what only one of them does for one that is closed. */
export interface Tabs {
  readonly id: string;
  /** Where the page is: two services may have the same origin. */
  readonly place: string;
  /** Calls `act` once the tab is closed, in one tab at a time. */
  whenClosed(id: string, act: () => void): void;
}

/** What became of an own change that no longer fits: the document has `theirs`, and `patch` makes `mine` of it. */
interface OwnConflict extends Conflict {
  readonly patch: readonly PatchOperation[];
}

/** What a tab keeps in the storage of the browser. */
interface Unsent {
  readonly pending: readonly WorkingEvent[];
  readonly refused: readonly OwnConflict[];
}

export type Saving = 'saved' | 'saving' | 'not-saved' | 'signed-out';
export type Connection = ReturnType<typeof openConnection>;

/** Browsers send 64 KiB after a page is left; some of it is for headers. */
const maxBytes = 60_000;
const milliseconds = { afterTyping: 400, atMost: 2000, firstRetry: 1000, lastRetry: 30_000 };
const sizeOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

/** Returns a new id. Other than `randomUUID`, it also works at addresses without HTTPS. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36).padStart(7, '0')).join('');

/** The values that can be shown: without the text that cannot be read, if there is one. */
export const readable = (base: Value, changes: readonly Change[]): Value =>
  fold(
    base,
    changes.filter(({ patch, document }) => patch !== undefined || document !== null),
  );

/** Keeps the changes that the service has not acknowledged, in the browser's storage too, and sends them. */
export function openConnection(opened: WorkingCopy, storage: SharedStorage, send: Send, tabs: Tabs) {
  const prefix = `resume-changes ${tabs.place} `;
  let copy = opened;
  let pending: WorkingEvent[] = [];
  let typedSince: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryMilliseconds = milliseconds.firstRetry;
  let running: Promise<boolean> | null = null;
  /** Whether an answer was lost: others may have changed the copy after what it answered. */
  let isUnsure = false;
  /** What is under way, and can no longer be joined with what is typed. */
  let sent: readonly WorkingEvent[] = [];

  const refused = signal<readonly OwnConflict[]>([]);
  const answered = signal(opened);
  const changes = signal(opened.changes);
  const document = signal<Value>(readable(opened.base, opened.changes));
  const saving = signal<Saving>('saved');
  const savedAt = signal<Date | null>(null);

  function persist(): void {
    const kept: Unsent = { pending, refused: refused.value };
    try {
      if (pending.length + refused.value.length === 0) storage.removeItem(prefix + tabs.id);
      else storage.setItem(prefix + tabs.id, JSON.stringify(kept));
    } catch {
      // The storage is full or forbidden: what is typed is sent at once.
      void flush();
    }
  }

  function schedule(delay: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), delay);
  }

  /** Puts the own unsent changes onto another copy; those that no longer fit become conflicts. */
  function rebase({ known = [], ...next }: WorkingCopy & { known?: readonly string[] }, failed?: string): void {
    const before = pending;
    const conflicts = [...refused.value];
    pending = [];
    let list = next.changes;
    let values = readable(next.base, list);
    // What a later change has dropped stays gone: the service may have received both, and does not know it any more.
    const lasting = before.reduce(recorded, []);
    const has = (changes: readonly Change[], given: string) => changes.some(({ id }) => id === given);
    for (const event of before) {
      const isPatch = 'patch' in event;
      if (isPatch && (known.includes(event.id) || has(list, event.id) || !has(lasting, event.id))) continue;
      const after = recorded(list, event);
      try {
        if (idOf(event) === failed) throw new Error('The service refuses it');
        values = isPatch ? applyPatch(values, event.patch) : readable(next.base, after);
      } catch {
        if (isPatch) addConflict(conflicts, event.patch, values);
        continue;
      }
      list = after;
      pending.push(event);
    }
    copy = next;
    batch(() => {
      refused.value = conflicts;
      answered.value = next;
      changes.value = list;
      document.value = values;
    });
    persist();
  }

  async function reload(failed?: string): Promise<boolean> {
    const answer = await send('changes').catch(() => null);
    const isNew = isUnsure || failed !== undefined || answer?.body?.revision !== copy.revision;
    if (answer?.status === 200 && isNew) rebase(answer.body, failed);
    if (answer?.status === 401) saving.value = 'signed-out';
    else if (answer?.status === 200 && saving.value === 'signed-out') saving.value = 'saved';
    return answer?.status === 200;
  }

  /** Takes in what the service answers to events. Returns whether to go on with the next. */
  async function take(events: readonly WorkingEvent[], answer: Answer | null): Promise<boolean> {
    const { status, body } = answer ?? { status: 0, body: null };
    if (status === 200) {
      copy = { ...copy, ...body, changes: events.reduce(recorded, copy.changes) };
      pending = pending.filter((event) => !events.includes(event));
      retryMilliseconds = milliseconds.firstRetry;
      answered.value = copy;
      persist();
      return true;
    }
    if (status === 412) {
      rebase(body);
      return true;
    }
    if ([400, 409, 413, 422].includes(status)) {
      const failed = events.find((event) => idOf(event) === body?.failed) ?? events[0]!;
      if (await reload(idOf(failed))) return true;
    }
    return sendLater(status);
  }

  function sendLater(status: number): false {
    isUnsure = true;
    saving.value = status === 401 ? 'signed-out' : 'not-saved';
    schedule(retryMilliseconds);
    retryMilliseconds = Math.min(milliseconds.lastRetry, 2 * retryMilliseconds);
    return false;
  }

  async function run(): Promise<boolean> {
    const first = new Set(pending);
    typedSince = null;
    let isSaved = true;
    while (isSaved && pending.length > 0 && first.has(pending[0]!)) {
      const events = [...pending];
      while (events.length > 1 && sizeOf(events) > maxBytes) events.splice(Math.ceil(events.length / 2));
      const request = { method: 'PATCH', body: { events }, revision: copy.revision } as const;
      sent = events;
      isSaved = await take(events, await send('changes', request).catch(() => null));
    }
    // After a lost answer: the service knew the events, and another tab may have changed the copy meanwhile.
    if (isSaved && isUnsure) {
      isSaved = (await reload()) || sendLater(saving.value === 'signed-out' ? 401 : 0);
      isUnsure = !isSaved;
    }
    if (isSaved && first.size > 0) savedAt.value = new Date();
    if (isSaved && (first.size > 0 || saving.value !== 'saved'))
      saving.value = pending.length === 0 ? 'saved' : 'saving';
    return isSaved;
  }

  /** One request at a time: answers then arrive in the order of their revisions. */
  function exclusively(act: () => Promise<boolean>): Promise<boolean> {
    running ??= act().finally(() => {
      running = null;
    });
    return running;
  }

  async function flush(): Promise<boolean> {
    clearTimeout(timer);
    await running;
    return exclusively(run);
  }

  /** Takes over what closed tabs have left, and what open tabs leave when they are closed. */
  function adopt(): void {
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
    for (const key of keys.filter((key) => key.startsWith(prefix) && key !== prefix + tabs.id))
      tabs.whenClosed(key.slice(prefix.length), () => void takeOver(key));
  }

  async function takeOver(key: string): Promise<void> {
    while (running !== null) await running;
    await exclusively(async () => {
      // The service may have received what the tab sent last.
      const answer = await send('changes').catch(() => null);
      const left: Unsent | null = JSON.parse(storage.getItem(key) ?? 'null');
      if (left === null) return true;
      pending = [...pending, ...left.pending];
      refused.value = [...refused.value, ...left.refused];
      isUnsure = true;
      rebase(answer?.status === 200 ? answer.body : copy);
      storage.removeItem(key);
      return true;
    });
    await flush();
  }

  return {
    changes: changes as ReadonlySignal<readonly Change[]>,
    document: document as ReadonlySignal<Value>,
    copy: computed<WorkingCopy>(() => ({
      ...answered.value,
      conflicts: [...answered.value.conflicts, ...refused.value],
    })),
    saving: saving as ReadonlySignal<Saving>,
    savedAt: savedAt as ReadonlySignal<Date | null>,
    flush,
    adopt,
    /** Asks for the working copy, which others may have changed. */
    async refresh(): Promise<boolean> {
      return (await flush()) && exclusively(() => reload());
    },

    /** Shows values that the next event leads to. */
    show(values: Value): void {
      document.value = values;
    },

    /** Adds an event that leads to the values that are shown, joined with the last one if they are of the same text. */
    add(event: WorkingEvent): void {
      const last = pending.at(-1);
      const both = last === undefined || sent.includes(last) ? null : joined(last, event, newId());
      if (both !== null) pending.pop();
      const added = both ?? event;
      const isEmpty = 'patch' in added && added.patch.length === 0;
      if (!isEmpty) pending.push(added);
      const before = both === null ? changes.value : changes.value.slice(0, -1);
      changes.value = isEmpty ? before : recorded(before, added);
      persist();
      if (saving.value === 'not-saved' || saving.value === 'signed-out') return;
      saving.value = 'saving';
      typedSince ??= Date.now();
      const latest = typedSince + milliseconds.atMost - Date.now();
      schedule(Math.min(milliseconds.afterTyping, Math.max(0, latest)));
    },

    /** Takes `mine` or `theirs` of a conflict. */
    async choose(pointer: string, value: 'mine' | 'theirs'): Promise<readonly PatchOperation[]> {
      const own = refused.value.find((conflict) => conflict.pointer === pointer);
      if (own !== undefined) {
        refused.value = refused.value.filter((conflict) => conflict !== own);
        persist();
        return value === 'mine' ? own.patch : [];
      }
      await flush();
      await exclusively(async () => {
        const answer = await send('changes/choose', { method: 'POST', body: { pointer, value } }).catch(() => null);
        if (answer?.status === 200) rebase(answer.body);
        return answer?.status === 200;
      });
      return [];
    },
  };
}

/** Adds what a patch wanted, with what is there now. A later patch at the same place continues an earlier one. */
function addConflict(conflicts: OwnConflict[], patch: readonly PatchOperation[], values: Value): void {
  const steps = patch.filter(({ op }) => op !== 'test');
  const [step] = steps;
  if (step === undefined) return;
  const pointer = step.op === 'move' ? step.from : step.path;
  const before = patch.find(({ op, path }) => op === 'test' && path === pointer);
  const mine = [step, step.op === 'move' ? before : undefined].find(
    (one) => one !== undefined && 'value' in one,
  )?.value;
  const theirs = valueAt(values, toPath(pointer));
  const earlier = conflicts.findIndex((conflict) => conflict.pointer === pointer);
  if (earlier !== -1) conflicts[earlier] = { pointer, mine, theirs, patch: [...conflicts[earlier]!.patch, ...steps] };
  else if (!equals(mine, theirs)) conflicts.push({ pointer, mine, theirs, patch: steps });
}
