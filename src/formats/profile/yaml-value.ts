import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { Unreadable } from './yaml-text.ts';

export type Path = readonly PropertyKey[];

/** What is wrong, and where: `offset` is that of its first character in the text. */
export interface Fault {
  readonly offset: number;
  readonly path: Path;
  readonly message: string;
}

/** A YAML document as a value whose parts can be found in the text. */
export interface LocatedValue {
  readonly value: unknown;
  /** Keys that are given twice, of which the last counts, and lists with more entries than are read. */
  readonly faults: readonly Fault[];
  /** Where the value at a path begins, aliases followed, or the last that exists on the way. */
  readonly offsetOf: (path: Path) => number;
  /** Where a key of the object at a path begins. */
  readonly keyOffsetOf: (path: Path, key: string) => number;
}

const maxListEntries = 10_000;
// Through aliases a short text may stand for a very large value.
const maxAliasedValues = 5_000;

/** The value of a document. Throws `Unreadable` if that takes following too many aliases, or one without an anchor. */
export function toLocatedValue(document: Document.Parsed): LocatedValue {
  const faults: Fault[] = [];
  const anchored = new Map<string, { node: Node; value: unknown; size: number }>();
  const targets = new Map<Alias, Node>();
  const pairsOf = new Map<YAMLMap, Map<string, Pair>>();
  const trail: PropertyKey[] = [];
  let values = 0;
  let aliasedValues = 0;
  let listEntries = 0;

  const toValue = (node: unknown): unknown => {
    if (isAlias(node)) return toAliased(node);
    const before = values;
    values += 1;
    const value = isMap(node) ? toObject(node) : isSeq(node) ? toList(node.items) : isScalar(node) ? node.value : null;
    const { anchor } = (node ?? {}) as Node & { anchor?: string };
    if (anchor !== undefined) anchored.set(anchor, { node: node as Node, value, size: values - before });
    return value;
  };
  const toObject = (map: YAMLMap): object => {
    const pairs = new Map<string, Pair>();
    const members = map.items.map((pair) => {
      const { key, value } = pair;
      const name = String((key as Scalar).value);
      trail.push(name);
      if (pairs.has(name)) faults.push({ offset: startOf(key), path: [...trail], message: 'is given twice' });
      pairs.set(name, pair);
      const member = [name, toValue(value)] as const;
      trail.pop();
      return member;
    });
    pairsOf.set(map, pairs);
    return Object.fromEntries(members);
  };
  const toList = (items: readonly unknown[]): unknown[] => {
    const read = items.slice(0, Math.max(0, maxListEntries - listEntries));
    // Told once, at the first entry that is too many.
    if (read.length < items.length && listEntries <= maxListEntries)
      faults.push({
        offset: startOf(items[read.length]),
        path: [...trail, read.length],
        message: `lists may have ${maxListEntries} entries in all`,
      });
    listEntries += items.length;
    return read.map((item, index) => {
      trail.push(index);
      const value = toValue(item);
      trail.pop();
      return value;
    });
  };
  const toAliased = (alias: Alias): unknown => {
    const target = anchored.get(alias.source);
    if (target === undefined)
      throw new Unreadable(startOf(alias), 'is an alias without an anchor; put text that begins with * in quotes', [
        ...trail,
      ]);
    aliasedValues += target.size;
    values += target.size;
    if (aliasedValues > maxAliasedValues) throw new Unreadable(0, 'too many aliases');
    targets.set(alias, target.node);
    return target.value;
  };

  const nodeAt = (path: Path): unknown => {
    let node: unknown = document.contents;
    for (const step of path) {
      const next = isMap(node) ? pairsOf.get(node)?.get(String(step))?.value : isSeq(node) && node.items[Number(step)];
      if (!next) break;
      node = isAlias(next) ? targets.get(next) : next;
    }
    return node;
  };
  return {
    value: toValue(document.contents),
    faults,
    offsetOf: (path) => startOf(nodeAt(path)),
    keyOffsetOf(path, key) {
      const object = nodeAt(path);
      return startOf(isMap(object) ? pairsOf.get(object)?.get(key)?.key : object);
    },
  };
}

const startOf = (node: unknown): number => (node as Node | null | undefined)?.range?.[0] ?? 0;
