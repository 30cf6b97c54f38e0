import { isDeepStrictEqual } from 'node:util';
import type { Path } from './yaml.ts';

/** The change from one value to another. */
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

/** An edit of a document of plain values; a path consists of keys and indexes. */
export type Edit =
  /** Sets the value at a path, and adds missing maps on the way. Equal parts of the value stay. */
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
  const isList = Array.isArray(value);
  const keys = isPlainMap(value) ? Object.keys(value) : [];
  const entries: EntryChange[] = isList
    ? value.map((item, from) => ({ from, key: null, value: item, change: null }))
    : keys.map((key) => ({ from: key, key, value: (value as PlainMap)[key], change: null }));
  const index = isList ? Number(step) : keys.indexOf(String(step));
  const isLast = rest.length === 0;
  if (edit.kind === 'set' && !isList && index === -1) {
    const added = rest.reduceRight<unknown>(nested, edit.value);
    return toChange([...entries, { from: null, key: String(step), value: added, change: null }], isList);
  }
  if (edit.kind === 'insert' && isList && isLast && index >= 0 && index <= value.length)
    return toChange(entries.toSpliced(index, 0, { from: null, key: null, value: edit.value, change: null }), isList);
  const entry = index in entries ? entries[index]! : nowhere();
  if (edit.kind === 'remove' && isLast) return toChange(entries.toSpliced(index, 1), isList);
  if (edit.kind === 'move' && isList && isLast) {
    if (!(edit.to in value)) nowhere();
    return edit.to === index ? null : toChange(entries.toSpliced(index, 1).toSpliced(edit.to, 0, entry), isList);
  }
  const change = changeBy(edit, entry.value, rest);
  return change && toChange(entries.with(index, { ...entry, value: change.value, change }), isList);
}

function nowhere(): never {
  throw new Error('does not exist');
}

const nested = (value: unknown, step: string | number): unknown =>
  typeof step === 'number' ? nowhere() : { [step]: value };

const toChange = (entries: readonly EntryChange[], isList: boolean): Change => ({
  value: isList ? entries.map(({ value }) => value) : Object.fromEntries(entries.map(({ key, value }) => [key, value])),
  entries,
});

/** Returns the smallest change from one value to another; null if they are equal. */
export function changeBetween(old: unknown, value: unknown): Change | null {
  if (isDeepStrictEqual(old, value)) return null;
  if (Array.isArray(old) && Array.isArray(value))
    return toChange(
      matched(old, value).map((from, index) => {
        const change = from === null ? null : changeBetween(old[from], value[index]);
        return { from, key: null, value: value[index], change };
      }),
      true,
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
  return toChange(entries, false);
}

// Above this, comparing each with each would take seconds.
const maxCompared = 10_000;

/** Returns the old index of each item of a list, or null: by id, else equal, alike, in its place. */
export function matched(old: readonly unknown[], list: readonly unknown[]): (number | null)[] {
  const origins: (number | null)[] = list.map(() => null);
  const free = new Set(old.keys());
  const match = (index: number, from: number) => {
    origins[index] = from;
    free.delete(from);
  };
  const indexes = Map.groupBy(old.keys(), (index) => nameOf(old[index]));
  for (const [index, item] of list.entries()) {
    const from = indexes.get(nameOf(item))?.shift();
    if (from !== undefined) match(index, from);
  }
  const open = () => [...origins.keys()].filter((index) => origins[index] === null);
  if (open().length * free.size <= maxCompared) {
    const known: Known = new Map();
    const pairs = open().flatMap((index) =>
      [...free].map((from) => ({ index, from, likeness: likenessOf(old[from], list[index], known) })),
    );
    // If the number of entries is the same, an entry that shares anything with the old one in its place is the same entry.
    const isInPlace = (index: number, from: number) => index === from && old.length === list.length;
    for (const { index, from, likeness } of pairs.sort((one, other) => other.likeness - one.likeness))
      if (likeness > (isInPlace(index, from) ? 0 : 0.5) && origins[index] === null && free.has(from))
        match(index, from);
  }
  for (const index of open()) {
    const from = index === 0 ? 0 : (origins[index - 1] ?? -2) + 1;
    if (free.has(from) && !isObject(old[from]) && !isObject(list[index])) match(index, from);
  }
  return origins;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** An entry is identified by its id; an entry without one by all of it. */
const nameOf = (item: unknown): string => {
  const { id } = (isPlainMap(item) ? item : {}) as { readonly id?: unknown };
  return typeof id === 'string' ? id : JSON.stringify(item);
};

/** The parts of texts and lists that were compared before. */
type Known = Map<unknown, ReadonlySet<string>>;

/** Returns how much two values have in common: 0 for nothing, 1 if they are equal. */
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
