import { isDeepStrictEqual } from 'node:util';
import { isPlainMap, matched } from 'resume-profile/yaml/change';

/** For each list of a merged value, the index of each item in the second value; null if the item is not in it. */
export type Origins = WeakMap<readonly unknown[], readonly (number | null)[]>;

/**
 * Merges two changes of a value; if both change the same part, the first one counts. Undefined is a missing value. An entry
 * that one change removes and the other changes is removed only if the first one removes it.
 */
export function merge(base: unknown, first: unknown, second: unknown, origins: Origins): unknown {
  if (Array.isArray(first) && Array.isArray(second))
    return mergeLists(Array.isArray(base) ? base : [], first, second, origins);
  if (isPlainMap(first) && isPlainMap(second)) {
    const before = isPlainMap(base) ? base : {};
    const keys = [...new Set([...Object.keys(second), ...Object.keys(first)])];
    const values = keys.map((key) => [key, merge(before[key], first[key], second[key], origins)] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }
  return isDeepStrictEqual(first, base) ? second : first;
}

/** An item of one or more of three lists, with its index in each. */
interface Item {
  readonly base: number | null;
  first: number | null;
  second: number | null;
}

type List = readonly unknown[];

function mergeLists(base: List, first: List, second: List, origins: Origins): List {
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

  function isKept(item: Item): boolean {
    if (item.base === null) return true;
    if (item.first === null) return false;
    return item.second !== null || !isDeepStrictEqual(first[item.first], base[item.base]);
  }

  // The list in which an entry was moved determines the order.
  const order = fromFirst.filter((from) => from !== null);
  const isMoved = order.some((from, index) => index > 0 && from < order[index - 1]!);
  const [leading, other] = isMoved ? [ofFirst, ofSecond] : [ofSecond, ofFirst];
  const merged = leading.filter(isKept);
  for (const [index, item] of other.entries()) {
    if (!isKept(item) || merged.includes(item)) continue;
    const before = other.slice(0, index).findLast((one) => merged.includes(one));
    merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, item);
  }

  const ids = new Set(second.map(idOf));
  const list = merged.map((item) => {
    const at = (values: List, index: number | null) => (index === null ? undefined : values[index]);
    const [mine, theirs] = [at(first, item.first), at(second, item.second)];
    if (item.first === null) return theirs;
    // Two new entries with the same id both stay: one gets another id.
    if (item.second === null)
      return item.base === null && idOf(mine) !== null && ids.has(idOf(mine)) ? withoutId(mine) : mine;
    return merge(at(base, item.base), mine, theirs, origins);
  });
  origins.set(
    list,
    merged.map((item) => item.second),
  );
  return list;
}

/** Returns the id of an entry, or null. */
const idOf = (item: unknown) => (isPlainMap(item) && item.id ? item.id : null);

const withoutId = (item: unknown): unknown => ({ ...(item as object), id: '' });
