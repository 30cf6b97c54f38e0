import { isDeepStrictEqual } from 'node:util';
import { isPlainMap, matched } from 'resume-profile/yaml/change';
import { toPointer, valueAt } from './patch.ts';
import type { Conflict, Path } from './working-copy.ts';

interface Merged {
  readonly value: unknown;
  /** What both changed differently. The value has the first one's; of an entry that the first removed, the second's. */
  readonly conflicts: readonly Conflict[];
}

/** Merges two changes of a value. Undefined is a missing value. */
export function merge(base: unknown, first: unknown, second: unknown): Merged {
  const conflicts: Conflict[] = [];
  const value = merged(base, first, second, [], conflicts);
  return { value, conflicts };
}

function merged(base: unknown, mine: unknown, theirs: unknown, path: Path, conflicts: Conflict[]): unknown {
  if (Array.isArray(mine) && Array.isArray(theirs))
    return mergedLists(Array.isArray(base) ? base : [], mine, theirs, path, conflicts);
  if (isPlainMap(mine) && isPlainMap(theirs)) {
    const before = isPlainMap(base) ? base : {};
    const keys = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
    const values = keys.map(
      (key) => [key, merged(before[key], mine[key], theirs[key], [...path, key], conflicts)] as const,
    );
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }
  if (isDeepStrictEqual(mine, base)) return theirs;
  if (!isDeepStrictEqual(theirs, base) && !isDeepStrictEqual(mine, theirs))
    conflicts.push({ pointer: toPointer(path), mine, theirs });
  return mine;
}

/** Returns where the value at a path is after an edit that may have moved items of lists; null if such an item is gone. */
export function pathAfter(path: Path, before: unknown, after: unknown): Path | null {
  const [step, ...rest] = path;
  if (step === undefined) return [];
  const areLists = Array.isArray(before) && Array.isArray(after);
  const next = areLists ? matched(before, after).indexOf(step as number) : step;
  const innerAfter = valueAt(after, [next]);
  const inner = next === -1 ? null : pathAfter(rest, valueAt(before, [step]), innerAfter);
  return inner && [next, ...inner];
}

/** An item of one or more of three lists, with its index in each. */
interface Item {
  readonly base: number | null;
  first: number | null;
  second: number | null;
}

type List = readonly unknown[];

function mergedLists(base: List, first: List, second: List, path: Path, conflicts: Conflict[]): List {
  const items: Item[] = base.map((_, index) => ({ base: index, first: null, second: null }));
  const toItem = (from: number | null) => (from === null ? { base: null, first: null, second: null } : items[from]!);
  const [fromFirst, fromSecond] = [matched(base, first), matched(base, second)];
  const [ofFirst, ofSecond] = [fromFirst.map(toItem), fromSecond.map(toItem)];
  for (const [index, item] of ofSecond.entries()) item.second = index;
  for (const [index, item] of ofFirst.entries()) {
    const same = item.base !== null ? item : ofSecond.find((one) => isAddedTwice(one, first[index]));
    ofFirst[index] = same ?? item;
    ofFirst[index]!.first = index;
  }

  function isAddedTwice(item: Item, value: unknown): boolean {
    if (item.base !== null || item.first !== null) return false;
    const other = second[item.second!];
    // An entry gets its id when it is written.
    const [one, two] = isPlainMap(value) && idOf(value) === null ? [value, other].map(withoutId) : [value, other];
    return isDeepStrictEqual(one, two);
  }

  /** An entry that one removed stays if the other one changed it. */
  function isKept({ base: from, first: mine, second: theirs }: Item): boolean {
    if (from === null || (mine !== null && theirs !== null)) return true;
    const left = mine !== null ? first[mine] : theirs !== null ? second[theirs] : base[from];
    return !isDeepStrictEqual(left, base[from]);
  }

  // The list in which an entry was moved determines the order.
  const order = fromFirst.filter((from) => from !== null);
  const isMoved = order.some((from, index) => index > 0 && from < order[index - 1]!);
  const [leading, other] = isMoved ? [ofFirst, ofSecond] : [ofSecond, ofFirst];
  const kept = leading.filter(isKept);
  for (const [index, item] of other.entries()) {
    if (!isKept(item) || kept.includes(item)) continue;
    const before = other.slice(0, index).findLast((one) => kept.includes(one));
    kept.splice(before === undefined ? 0 : kept.indexOf(before) + 1, 0, item);
  }

  const ids = new Set(second.map(idOf));
  return kept.map((item, index) => {
    const at = (values: List, from: number | null) => (from === null ? undefined : values[from]);
    const [mine, theirs] = [at(first, item.first), at(second, item.second)];
    const place = [...path, index];
    if (item.first === null || item.second === null) {
      if (item.base !== null) conflicts.push({ pointer: toPointer(place), mine, theirs });
      if (item.first === null) return theirs;
      // Two new entries with the same id both stay: one gets another id.
      return item.base === null && idOf(mine) !== null && ids.has(idOf(mine)) ? withoutId(mine) : mine;
    }
    return merged(at(base, item.base), mine, theirs, place, conflicts);
  });
}

/** Returns the id of an entry, or null. */
const idOf = (item: unknown) => (isPlainMap(item) && item.id ? item.id : null);

const withoutId = (item: unknown): unknown => ({ ...(item as object), id: '' });
