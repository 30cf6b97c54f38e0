import { isDeepStrictEqual } from 'node:util';
import type { Path } from './yaml.ts';

/** How a value becomes another. */
export interface Change {
  /** The value afterwards. */
  readonly value: unknown;
  /** The entries of the map or list afterwards, if the value was of that kind before. */
  readonly entries: readonly EntryChange[] | null;
}

export interface EntryChange {
  /** The key, or in a list the index, that the entry had; null for an added one. */
  readonly from: string | number | null;
  /** The key; null in a list. */
  readonly key: string | null;
  readonly value: unknown;
  /** Null if the value stays, or is added. */
  readonly change: Change | null;
}

/** An edit of a document of plain values; a path is one of keys and indexes. */
export type Edit =
  /** Sets the value at a path, and adds the maps on the way that are missing. What is equal in the value stays. */
  | { readonly kind: 'set'; readonly path: Path; readonly value: unknown }
  | { readonly kind: 'remove'; readonly path: Path }
  /** Inserts an item into a list; the path ends with the index that it gets. */
  | { readonly kind: 'insert'; readonly path: Path; readonly value: unknown }
  /** Moves an item within its list to the index that it gets. */
  | { readonly kind: 'move'; readonly path: Path; readonly to: number };

export type PlainMap = Readonly<Record<string, unknown>>;

export const isPlainMap = (value: unknown): value is PlainMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns how an edit changes a value; null if it does not. Throws if the path leads nowhere. */
export function changeBy(edit: Edit, value: unknown, path: Path = edit.path): Change | null {
  const [step, ...rest] = path;
  if (step === undefined) {
    if (edit.kind !== 'set') throw new Error('is the whole document');
    return changeBetween(value, edit.value);
  }
  if (Array.isArray(value)) return changeOfList(edit, value, Number(step), rest);
  if (!isPlainMap(value) && edit.kind !== 'set') throw new Error('does not exist');
  return changeOfMap(edit, isPlainMap(value) ? value : {}, String(step), rest);
}

function changeOfMap(edit: Edit, map: PlainMap, key: string, rest: Path): Change | null {
  if (!Object.hasOwn(map, key)) {
    if (edit.kind !== 'set') throw new Error('does not exist');
    const added = { from: null, key, value: rest.reduceRight<unknown>(nested, edit.value), change: null };
    return toMapChange([...Object.entries(map).map(keptMember), added]);
  }
  if (rest.length === 0 && edit.kind === 'remove')
    return toMapChange(
      Object.entries(map)
        .filter(([name]) => name !== key)
        .map(keptMember),
    );
  const change = changeBy(edit, map[key], rest);
  if (change === null) return null;
  return toMapChange(
    Object.entries(map).map(([name, value]) =>
      name === key ? { from: key, key, value: change.value, change } : keptMember([name, value]),
    ),
  );
}

function nested(value: unknown, step: PropertyKey): unknown {
  if (typeof step === 'number') throw new Error('does not exist');
  return { [step]: value };
}

const keptMember = ([key, value]: readonly [string, unknown]): EntryChange => ({ from: key, key, value, change: null });
const keptItem = (value: unknown, from: number): EntryChange => ({ from, key: null, value, change: null });

function changeOfList(edit: Edit, list: readonly unknown[], index: number, rest: Path): Change | null {
  const entries = list.map(keptItem);
  const isLast = rest.length === 0;
  if (isLast && edit.kind === 'insert') {
    if (!(index >= 0 && index <= list.length)) throw new Error('does not exist');
    return toListChange(entries.toSpliced(index, 0, { from: null, key: null, value: edit.value, change: null }));
  }
  if (!(index in list)) throw new Error('does not exist');
  if (isLast && edit.kind === 'remove') return toListChange(entries.toSpliced(index, 1));
  if (isLast && edit.kind === 'move') {
    if (!(edit.to in list)) throw new Error('does not exist');
    return edit.to === index ? null : toListChange(entries.toSpliced(index, 1).toSpliced(edit.to, 0, entries[index]!));
  }
  const change = changeBy(edit, list[index], rest);
  return change && toListChange(entries.with(index, { from: index, key: null, value: change.value, change }));
}

const toMapChange = (entries: readonly EntryChange[]): Change => ({
  value: Object.fromEntries(entries.map(({ key, value }) => [key, value])),
  entries,
});
const toListChange = (entries: readonly EntryChange[]): Change => ({
  value: entries.map(({ value }) => value),
  entries,
});

/** Returns the smallest change from one value to another; null if they are equal. */
export function changeBetween(old: unknown, value: unknown): Change | null {
  if (isDeepStrictEqual(old, value)) return null;
  if (Array.isArray(old) && Array.isArray(value))
    return toListChange(
      matched(old, value).map((from, index) => ({
        from,
        key: null,
        value: value[index],
        change: from === null ? null : changeBetween(old[from], value[index]),
      })),
    );
  return isPlainMap(old) && isPlainMap(value) ? changeBetweenMaps(old, value) : { value, entries: null };
}

/** Keeps the order of the keys that stay, and puts an added key after the one before it. */
function changeBetweenMaps(old: PlainMap, map: PlainMap): Change {
  const entries: EntryChange[] = Object.keys(old)
    .filter((key) => Object.hasOwn(map, key))
    .map((key) => ({ from: key, key, value: map[key], change: changeBetween(old[key], map[key]) }));
  let previous: string | null = null;
  for (const [key, value] of Object.entries(map)) {
    if (!Object.hasOwn(old, key)) {
      const index: number = entries.findIndex((entry) => entry.key === previous) + 1;
      entries.splice(index, 0, { from: null, key, value, change: null });
    }
    previous = key;
  }
  return toMapChange(entries);
}

// Above this, comparing each with each would take seconds.
const maxCompared = 10_000;

/** Returns of each item of a list the index that it had in the old one, or null: by id, else equal, alike, in its place. */
export function matched(old: readonly unknown[], list: readonly unknown[]): (number | null)[] {
  const found: (number | null)[] = list.map(() => null);
  const free = new Set(old.keys());
  const match = (index: number, from: number) => {
    found[index] = from;
    free.delete(from);
  };
  const indexes = Map.groupBy(old.keys(), (index) => nameOf(old[index]));
  for (const [index, item] of list.entries()) {
    const from = indexes.get(nameOf(item))?.shift();
    if (from !== undefined) match(index, from);
  }
  const open = () => [...found.keys()].filter((index) => found[index] === null);
  if (open().length * free.size <= maxCompared) {
    const known: Known = new Map();
    const pairs = open().flatMap((index) =>
      [...free].map((from) => ({ index, from, likeness: likenessOf(old[from], list[index], known) })),
    );
    // If as many entries are there as before, one that shares anything with the one in its place is the same entry.
    const isInPlace = (index: number, from: number) => index === from && old.length === list.length;
    for (const { index, from, likeness } of pairs.sort((one, other) => other.likeness - one.likeness))
      if (likeness > (isInPlace(index, from) ? 0 : 0.5) && found[index] === null && free.has(from)) match(index, from);
  }
  for (const index of open()) {
    const from = index === 0 ? 0 : (found[index - 1] ?? -2) + 1;
    if (free.has(from) && !isObject(old[from]) && !isObject(list[index])) match(index, from);
  }
  return found;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** By the id an entry is known; one without is known by all of it. */
const nameOf = (item: unknown): string => {
  const { id } = (isPlainMap(item) ? item : {}) as { readonly id?: unknown };
  return typeof id === 'string' ? id : JSON.stringify(item);
};

/** The parts of texts and lists that were compared before. */
type Known = Map<unknown, ReadonlySet<string>>;

/** Returns how much two values have in common: from 0, nothing, to 1 for equal ones. */
function likenessOf(one: unknown, other: unknown, known: Known): number {
  if (isPlainMap(one) && isPlainMap(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return keys.reduce((sum, key) => sum + likenessOf(one[key], other[key], known), 0) / Math.max(1, keys.length);
  }
  const isOf = (is: (value: unknown) => boolean) => is(one) && is(other);
  if (!isOf((value) => typeof value === 'string') && !isOf(Array.isArray)) return one === other ? 1 : 0;
  const [these, those] = [partsOf(one, known), partsOf(other, known)];
  return these.size + those.size === 0 ? 1 : (2 * these.intersection(those).size) / (these.size + those.size);
}

/** With more, comparing many long texts would block the event loop for a second. */
const maxParts = 100;

function partsOf(value: unknown, known: Known): ReadonlySet<string> {
  const parts =
    known.get(value) ??
    new Set(
      Array.isArray(value)
        ? value.slice(0, maxParts).map((item) => JSON.stringify(item))
        : String(value).split(/\s+/, maxParts),
    );
  known.set(value, parts);
  return parts;
}
