import { type Leaf, omit, toValue, type Value } from './value.ts';

/** A node of an input: a leaf, a list, an object, or null for a missing value or an empty text. */
export type Tree = Leaf | readonly Tree[] | ReadonlyMap<string, Tree> | null;

/** A cursor on a node of the input. Members that are missing or of an unexpected kind read as nothing. */
export interface InputCursor {
  readonly kind: 'text' | 'list' | 'object' | 'nothing';
  /** The names of an object's members, in order. */
  readonly keys: readonly string[];
  /** A member of an object. */
  at(key: string): InputCursor;
  /** The elements of these members, or of this node without keys. A text or object counts as a list of one. */
  items(...keys: string[]): readonly InputCursor[];
  /** The text of the first of these members that has one, or of this node without keys. Numbers and booleans are texts as written. */
  text(...keys: string[]): Value | undefined;
  /** The texts among the `items` of these members, or of this node without keys. */
  texts(...keys: string[]): readonly Value[];
  /** Sets the reason that the loss report gives for each leaf below this node, unless it is carried over. */
  explain(why: string): void;
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
    explain: (why) => leavesBelow(tree).forEach((leaf) => void omit(toValue(leaf), why)),
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
