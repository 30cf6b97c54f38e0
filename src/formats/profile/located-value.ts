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
import { YamlFault } from './yaml-parser.ts';

export type Path = readonly PropertyKey[];

/** Something wrong in the text; `offset` is that of its first character. */
export interface Fault {
  readonly offset: number;
  readonly path: Path;
  readonly message: string;
}

/** The value of a YAML document, with the offset of each part in the text. */
export interface LocatedValue {
  readonly value: unknown;
  /** Duplicate keys, of which the last is used, and lists with more entries than are read. */
  readonly faults: readonly Fault[];
  /** The offset of the value at a path, following aliases; if it does not exist, of its closest ancestor. */
  readonly offsetOf: (path: Path) => number;
  /** The offset of a key of the object at a path. */
  readonly keyOffsetOf: (path: Path, key: string) => number;
}

const maxListEntries = 10_000;
// With aliases, a short text can describe a very large value.
const maxAliasedValues = 5_000;

/** Returns the value of a document. Throws `YamlFault` for too many aliased values, or an alias without an anchor. */
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
    // Reported once, at the first entry over the limit.
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
      throw new YamlFault(startOf(alias), 'is an alias without an anchor; put text that begins with * in quotes', [
        ...trail,
      ]);
    aliasedValues += target.size;
    values += target.size;
    if (aliasedValues > maxAliasedValues) throw new YamlFault(0, 'too many aliases');
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
