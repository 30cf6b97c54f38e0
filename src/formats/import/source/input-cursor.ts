import { type Leaf, leave, toValue, type Value } from './value.ts';

/** What an input holds: a leaf, a list, an object, or null for nothing (an empty text too). */
export type Tree = Leaf | readonly Tree[] | ReadonlyMap<string, Tree> | null;

/** A place in the input, to read from. What is not there reads as nothing, and what is of another kind than expected too. */
export interface InputCursor {
  readonly kind: 'text' | 'list' | 'object' | 'nothing';
  /** The names of an object's members, in order. */
  readonly keys: readonly string[];
  /** A member of an object. */
  at(key: string): InputCursor;
  /** The elements of all these members, or of this place; a lone text or object counts as a list of one. */
  items(...keys: string[]): readonly InputCursor[];
  /** The text of the first of these members that has one, or of this place. Numbers and booleans are texts as they are spelled. */
  text(...keys: string[]): Value | undefined;
  /** The texts among the `items` of these members, or of this place. */
  texts(...keys: string[]): readonly Value[];
  /** Says why all below this place that is not taken elsewhere is not carried over. */
  leave(why: string): void;
}

export function toCursor(tree: Tree): InputCursor {
  const kind = kindOf(tree);
  const members = kind === 'object' ? (tree as ReadonlyMap<string, Tree>) : new Map<string, Tree>();
  const at = (key: string) => toCursor(members.get(key) ?? null);
  const elements = () => {
    if (kind === 'list') return (tree as readonly Tree[]).map(toCursor);
    return kind === 'nothing' ? [] : [toCursor(tree)];
  };
  const items = (...keys: string[]) => (keys.length === 0 ? elements() : keys.flatMap((key) => at(key).items()));
  const own = () => (kind === 'text' ? toValue(tree as Leaf) : undefined);
  return {
    kind,
    keys: [...members.keys()],
    at,
    items,
    text: (...keys) => (keys.length === 0 ? own() : keys.map((key) => at(key).text()).find((value) => value)),
    texts: (...keys) => items(...keys).flatMap((item) => item.text() ?? []),
    leave: (why) => leavesBelow(tree).forEach((leaf) => void leave(toValue(leaf), why)),
  };
}

function kindOf(tree: Tree): InputCursor['kind'] {
  if (tree === null) return 'nothing';
  if (Array.isArray(tree)) return 'list';
  return tree instanceof Map ? 'object' : 'text';
}

function leavesBelow(tree: Tree): Leaf[] {
  if (tree === null) return [];
  if (Array.isArray(tree)) return tree.flatMap(leavesBelow);
  return tree instanceof Map ? [...tree.values()].flatMap(leavesBelow) : [tree as Leaf];
}
