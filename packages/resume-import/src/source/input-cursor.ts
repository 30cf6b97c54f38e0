import { exclude, type Leaf, omit, toValue, type Value } from './value.ts';

/** A node of an input: a leaf, a list, an object, or null for a missing value or an empty text. */
export type Tree = Leaf | readonly Tree[] | ReadonlyMap<string, Tree> | null;

/** A cursor on a node of the input. Members that are missing or of an unexpected kind read as nothing. */
export interface InputCursor {
  readonly kind: 'text' | 'list' | 'object' | 'nothing';
  /** The names of an object's members, in order. */
  readonly keys: readonly string[];
  /** The names of the members that were neither read nor explained so far. */
  readonly unread: readonly string[];
  /** A member of an object. */
  at(key: string): InputCursor;
  /** The elements of these members, or of this node without keys. A text or object is a list of one; lists are flat. */
  items(...keys: string[]): readonly InputCursor[];
  /** The first text of these members, or of this node without keys. Numbers and booleans are texts as written. */
  text(...keys: string[]): Value | undefined;
  /** The texts among the `items` of these members, or of this node without keys. */
  texts(...keys: string[]): readonly Value[];
  /** Sets the reason that the loss report gives for each leaf below this node, unless it is carried over. */
  explain(why: string): void;
  /** Sets the reason for values that say nothing of the person, such as the layout of the page. */
  exclude(why: string): void;
}

export function toCursor(tree: Tree): InputCursor {
  const kind = kindOf(tree);
  const members = kind === 'object' ? (tree as ReadonlyMap<string, Tree>) : new Map<string, Tree>();
  const asked = new Set<string>();
  const at = (key: string) => {
    asked.add(key);
    return toCursor(members.get(key) ?? null);
  };
  const items = (...keys: string[]): readonly InputCursor[] =>
    keys.length > 0 ? keys.flatMap((key) => at(key).items()) : (tree === null ? [] : elementsOf(tree)).map(toCursor);
  return {
    kind,
    keys: [...members.keys()],
    get unread() {
      return [...members.keys()].filter((key) => !asked.has(key));
    },
    at,
    items,
    text(...keys) {
      if (keys.length === 0) return kind === 'text' ? toValue(tree as Leaf) : undefined;
      // The members after the first one with a text stay unread.
      for (const key of keys) {
        const value = at(key).text();
        if (value) return value;
      }
      return undefined;
    },
    texts: (...keys) => items(...keys).flatMap((item) => item.text() ?? []),
    explain: (why) => leavesBelow(tree).forEach((leaf) => void omit(toValue(leaf), why)),
    exclude: (why) => leavesBelow(tree).forEach((leaf) => void exclude(toValue(leaf), why)),
  };
}

type Rewrite = (value: Value, keys: readonly string[]) => Value | undefined;

/** A cursor that rewrites texts as they are read, by the names of the members that were asked for. */
export const rewriting = (cursor: InputCursor, rewrite: Rewrite): InputCursor => ({
  ...cursor,
  get unread() {
    return cursor.unread;
  },
  at: (key) => rewriting(cursor.at(key), rewrite),
  items: (...keys) => cursor.items(...keys).map((item) => rewriting(item, rewrite)),
  text(...keys) {
    const value = cursor.text(...keys);
    return value && rewrite(value, keys);
  },
  texts: (...keys) => cursor.texts(...keys).flatMap((value) => rewrite(value, keys) ?? []),
});

/** Reads a text into each field: the first text of some members, whose names stand between bars. */
export const fieldsIn = <Field extends string>(cursor: InputCursor, members: Readonly<Record<Field, string>>) =>
  Object.fromEntries(
    Object.entries<string>(members).map(([field, names]) => [field, cursor.text(...names.split('|'))]),
  ) as Record<Field, Value | undefined>;

function kindOf(tree: Tree): InputCursor['kind'] {
  if (tree === null) return 'nothing';
  if (Array.isArray(tree)) return 'list';
  return tree instanceof Map ? 'object' : 'text';
}

/** A list in a list counts as its elements. */
const elementsOf = (tree: Tree): readonly Tree[] => (Array.isArray(tree) ? tree.flatMap(elementsOf) : [tree]);

export function leavesBelow(tree: Tree): Leaf[] {
  if (tree === null) return [];
  if (Array.isArray(tree)) return tree.flatMap(leavesBelow);
  return tree instanceof Map ? [...tree.values()].flatMap(leavesBelow) : [tree as Leaf];
}
