import { batch, computed, type ReadonlySignal } from '@preact/signals';
import {
  applyPatch,
  equals,
  PatchFault,
  recorded,
  toPath,
  toPointer,
  valueAt,
} from '../../../../../model/profile/patch.ts';
import type { PatchOperation, Path, Value, WorkingCopy } from '../../../../../model/profile/working-copy.ts';
import {
  newId,
  openConnection,
  readable,
  type Saving,
  type Send,
  type SharedStorage,
  type Tabs,
} from './connection.ts';

/** The working copy in the browser: its values, the changes to it with undo and redo, and whether they are saved. */
export interface EditorState {
  /** The values now. Only what lies on the way to a change is another object than before. */
  readonly document: ReadonlySignal<Value>;
  /** Findings, conflicts and the number of unpublished differences, as last answered. */
  readonly copy: ReadonlySignal<WorkingCopy>;
  readonly saving: ReadonlySignal<Saving>;
  readonly savedAt: ReadonlySignal<Date | null>;
  readonly canUndo: ReadonlySignal<boolean>;
  readonly canRedo: ReadonlySignal<boolean>;
  /** False while the text of the file cannot be read: then nothing can be changed but what was undone. */
  readonly isReadable: ReadonlySignal<boolean>;
  /** Returns the value at a path; undefined if there is none. */
  at(path: Path): Value;
  /**
   * Sets a value, with the maps and lists on its way. Undefined and empty values remove it, and maps and lists that get
   * empty, but not entries of lists. Changes with the same `joins` are one step until `endStep()`.
   */
  set(path: Path, value: Value, options?: { readonly joins?: string }): void;
  /** Inserts into a list at an index; makes the list if it is missing. */
  insert(path: Path, value: Value): void;
  remove(path: Path): void;
  /** Moves an entry within a list, or to another; `to` is its path without the entry at `from`. */
  move(from: Path, to: Path): void;
  /** Makes several changes one step of undo; it joins if one of them does. */
  step(act: () => void): void;
  /** Applies a patch as one step. Returns false if it does not fit (any more). */
  apply(patch: readonly PatchOperation[]): boolean;
  /** Ends the step of a text when it loses the focus, and sends it. */
  endStep(): void;
  /** Undoes a step. Returns the path of its first change, to go there. */
  undo(): Path | null;
  redo(): Path | null;
  /** Sends now. Resolves to whether everything is saved. */
  flush(): Promise<boolean>;
  /** Asks for changes by others. */
  refresh(): Promise<boolean>;
  /** Takes the own value at a conflict, or the other one. */
  choose(pointer: string, value: 'mine' | 'theirs'): Promise<void>;
}

/** The one state of the page. */
export let editor: EditorState;

/** Opens the state of the page. */
export function openEditor(copy: WorkingCopy, storage: SharedStorage, send: Send, tabs: Tabs): void {
  editor = createEditor(copy, storage, send, tabs);
}

/** Creates a state, and sends what closed tabs have left. */
export function createEditor(opened: WorkingCopy, storage: SharedStorage, send: Send, tabs: Tabs): EditorState {
  const connection = openConnection(opened, storage, send, tabs);
  const { changes, document } = connection;
  const isReadable = computed(() => {
    const asText = changes.value.findLast(({ isUndone, patch }) => !isUndone && patch === undefined);
    return asText === undefined ? connection.copy.value.unreadable.length === 0 : asText.document !== null;
  });
  /** The step of the text that has the focus. */
  let joined: { readonly key: string; readonly step: string } | null = null;
  /** What `step()` has changed so far. */
  let open: { readonly patch: PatchOperation[]; joins: string | undefined } | null = null;

  function change(patch: readonly PatchOperation[], joins?: string): void {
    if (patch.length === 0 || !isReadable.value) return;
    connection.show(applyPatch(document.value, patch));
    if (open === null) record(patch, joins);
    else {
      open.patch.push(...patch);
      open.joins ??= joins;
    }
  }

  function record(patch: readonly PatchOperation[], joins?: string): void {
    if (joins === undefined) joined = null;
    else if (joined?.key !== joins) joined = { key: joins, step: newId() };
    connection.add({ id: newId(), step: joined?.step ?? newId(), patch });
  }

  function mark(kind: 'undo' | 'redo'): Path | null {
    joined = null;
    const list = changes.value;
    const last = list.findLastIndex(({ isUndone }) => !isUndone);
    const target = list[kind === 'undo' ? last : last + 1];
    if (target === undefined) return null;
    const event = kind === 'undo' ? { undo: target.step } : { redo: target.step };
    const first = list.find(({ step }) => step === target.step)!;
    try {
      connection.show(readable(connection.copy.value.base, recorded(list, event)));
    } catch (fault) {
      if (!(fault instanceof PatchFault)) throw fault;
      return null;
    }
    connection.add(event);
    const operation = first.patch?.find(({ op }) => op !== 'test');
    if (operation === undefined) return [];
    return toPath(operation.op === 'move' && kind === 'undo' ? operation.from : operation.path);
  }

  const state: EditorState = {
    ...connection,
    isReadable,
    canUndo: computed(() => changes.value.some(({ isUndone }) => !isUndone)),
    canRedo: computed(() => changes.value.at(-1)?.isUndone === true),
    at: (path) => valueAt(document.value, path),
    set: (path, value, { joins } = {}) => change(setting(document.value, path, clean(value)), joins),
    insert(path, value) {
      const list = path.slice(0, -1);
      if (!Array.isArray(state.at(list))) return change(setting(document.value, list, [clean(value)]));
      const pointer = toPointer(path);
      change([test(pointer, state.at(path)), { op: 'add', path: pointer, value: clean(value) }]);
    },
    remove: (path) => change(removing(document.value, path)),
    move(from, to) {
      if (equals(from, to)) return;
      const [source, target] = [from.slice(0, -1), to.slice(0, -1)];
      const moving: PatchOperation[] = [
        test(toPointer(from), state.at(from)),
        { op: 'move', from: toPointer(from), path: toPointer(to) },
      ];
      const patch = Array.isArray(state.at(target)) ? moving : [...adding(document.value, target, []), ...moving];
      const after = applyPatch(document.value, patch);
      const isLeft = (valueAt(after, source) as readonly Value[]).length > 0;
      change(isLeft ? patch : [...patch, ...removing(after, source)]);
    },
    step(act) {
      if (open !== null) return act();
      const made = { patch: [], joins: undefined };
      open = made;
      try {
        batch(act);
      } finally {
        open = null;
        if (made.patch.length > 0) record(made.patch, made.joins);
      }
    },
    apply(patch) {
      joined = null;
      try {
        change(patch);
        return true;
      } catch (fault) {
        if (!(fault instanceof PatchFault)) throw fault;
        return false;
      }
    },
    endStep() {
      joined = null;
      void connection.flush();
    },
    undo: () => mark('undo'),
    redo: () => mark('redo'),
    async choose(pointer, value) {
      state.apply(await connection.choose(pointer, value));
    },
  };
  connection.adopt();
  return state;
}

/** Text as a file can hold it: without the character that databases refuse, and without halves of characters. */
const clean = (value: Value): Value => (typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value);

/** A test of the value that a change replaces; of null if there is none. */
const test = (path: string, value: Value = null): PatchOperation => ({ op: 'test', path, value });

const sizeOf = (value: Value): number => (typeof value === 'object' && value !== null ? Object.keys(value).length : -1);

const isEmpty = (value: Value): boolean => value === undefined || value === '' || sizeOf(value) === 0;

/** Returns the patch that sets a value. An entry of a list may be empty, as a line in which nothing is typed yet. */
function setting(document: Value, path: Path, value: Value): PatchOperation[] {
  if (isEmpty(value) && typeof path.at(-1) === 'string') return removing(document, path);
  return adding(document, path, value);
}

function adding(document: Value, path: Path, value: Value): PatchOperation[] {
  let depth = 1;
  while (depth < path.length && sizeOf(valueAt(document, path.slice(0, depth))) !== -1) depth++;
  const at = path.slice(0, depth);
  const missing = path.slice(depth);
  const built = missing.reduceRight<Value>(
    (inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }),
    value,
  );
  const before = valueAt(document, at);
  if (equals(before, built)) return [];
  const pointer = toPointer(at);
  return [test(pointer, before), { op: before === undefined ? 'add' : 'replace', path: pointer, value: built }];
}

/** Returns the patch that removes a value, with the maps and lists that it leaves empty. */
function removing(document: Value, path: Path): PatchOperation[] {
  let at = path;
  while (at.length > 1 && typeof at.at(-2) === 'string' && sizeOf(valueAt(document, at.slice(0, -1))) === 1)
    at = at.slice(0, -1);
  const before = valueAt(document, at);
  if (before === undefined) return [];
  const pointer = toPointer(at);
  return [test(pointer, before), { op: 'remove', path: pointer }];
}
