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
  rewriting(rewrite: Rewrite): InputCursor;
  at(key: string): InputCursor;
  /** The elements of these members, or of this node without keys. A text or object is a list of one; lists are flat. */
  items(...keys: string[]): readonly InputCursor[];
  /** The first text of these members; the name '' and no name are this node. Numbers and booleans are texts as written. */
  text(...keys: string[]): Value | undefined;
  /** The texts among the `items` of these members, or of this node without keys. */
  texts(...keys: string[]): readonly Value[];
  /** Sets the reason that the loss report gives for each leaf below this node, unless it is carried over. */
  explain(why: string): void;
  /** Sets the reason for values that say nothing of the person, such as the layout of the page. */
  exclude(why: string): void;
}

/** Makes a cursor, which rewrites texts as they are read, by the name that was asked for; '' if it was none. */
export function toCursor(tree: Tree, rewrite: Rewrite = (value) => value, name = ''): InputCursor {
  const kind = kindOf(tree);
  const members = kind === 'object' ? (tree as ReadonlyMap<string, Tree>) : new Map<string, Tree>();
  const asked = new Set<string>();
  const member = (key: string, name: string) => {
    asked.add(key);
    return toCursor(members.get(key) ?? null, rewrite, name);
  };
  const own = () => (kind === 'nothing' ? [] : elementsOf(tree)).map((element) => toCursor(element, rewrite, name));
  return {
    kind,
    keys: [...members.keys()],
    get unread() {
      return [...members.keys()].filter((key) => !asked.has(key));
    },
    rewriting: (rewrite) => toCursor(tree, rewrite),
    at: (key) => member(key, ''),
    items: (...keys) => (keys.length === 0 ? own() : keys.flatMap((key) => member(key, '').items())),
    text(...keys) {
      // The members after the first one with a text stay unread.
      for (const key of keys) {
        if (key === '') return this.text();
        const one = member(key, key);
        if (one.kind === 'text') return one.text();
      }
      return keys.length === 0 && kind === 'text' ? rewrite(toValue(tree as Leaf), name) : undefined;
    },
    texts: (...keys) =>
      (keys.length === 0 ? own() : keys.flatMap((key) => member(key, key).items())).flatMap(
        (item) => item.text() ?? [],
      ),
    explain: (why) => leavesBelow(tree).forEach((leaf) => void omit(toValue(leaf), why)),
    exclude: (why) => leavesBelow(tree).forEach((leaf) => void exclude(toValue(leaf), why)),
  };
}

type Rewrite = (value: Value, key: string) => Value | undefined;

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
