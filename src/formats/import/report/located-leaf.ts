import type { Draft } from '../readers/draft.ts';
import { leavesBelow, type Tree } from '../source/input-cursor.ts';
import type { Input } from '../source/tree.ts';
import type { Leaf, Value } from '../source/value.ts';
import { type Section, sectionOfKey, sectionOfTitle } from './sections.ts';

/** A leaf with its section, what it is an item of or belongs to, and its name: its key, or that of its list. */
export interface LocatedLeaf {
  readonly leaf: Leaf;
  readonly section: Section;
  /** The innermost object of a list that it is in, otherwise the leaf itself if it is in a list; null outside of lists. */
  readonly entry: Tree;
  /** The key of the outermost list that it is in; empty outside of lists. */
  readonly list: string;
  readonly key: string;
}

/**
 * Finds the section of each leaf: the one that the draft uses it in. A leaf that the draft doesn't use has the section of the
 * other leaves of its entry, or else of its list, if they agree; in a list that the draft doesn't use, that which its key names.
 */
export function toLocatedLeaves({ tree, leaves }: Input, draft: Draft): LocatedLeaf[] {
  const used = sectionsIn(draft);
  const located = new Map<Leaf, LocatedLeaf>();
  const visit = (node: Tree, place: Omit<LocatedLeaf, 'leaf'>): void => {
    if (node === null) return;
    if (isLeaf(node)) {
      located.set(node, { leaf: node, ...place, section: used.get(node) ?? place.section });
      return;
    }
    const [section, ...others] = new Set(leavesBelow(node).flatMap((leaf) => wholeOf(used.get(leaf)) ?? []));
    const agreed = node === tree || others.length > 0 ? 'other' : section;
    if (node instanceof Map) {
      // Reactive Resume has lists of sections, of which one says nothing about another.
      const own = node.has('items') ? sectionOfTitle(place.key) : place.section;
      for (const [key, child] of node)
        visit(child, { ...place, section: agreed ?? own, key: key === 'items' ? place.key : key });
    } else {
      const own = place.entry === null ? sectionOfTitle(place.key) : place.section;
      const ofList = { ...place, section: agreed ?? own, list: place.list || place.key };
      for (const item of node as readonly Tree[])
        visit(item, { ...ofList, entry: item !== null && isLeaf(item) ? (place.entry ?? item) : item });
    }
  };
  const nowhere = { section: 'other', entry: null, list: '', key: '' } as const;
  visit(tree, nowhere);
  return leaves.map((leaf) => located.get(leaf) ?? { leaf, ...nowhere });
}

const isLeaf = (node: Tree): node is Leaf => node !== null && 'where' in node;

/** The section that a part of one belongs to. */
const wholeOf = (section: Section | undefined): Section | undefined =>
  section === 'work: place and website' ? 'work' : section;

function sectionsIn(draft: Draft): Map<Leaf, Section> {
  const used = new Map<Leaf, Section>();
  const add = (section: Section, content: unknown) => {
    for (const leaf of leavesIn(content)) if (!used.has(leaf)) used.set(leaf, section);
  };
  for (const { location, tenureLocation, url } of draft.positions ?? [])
    add('work: place and website', [location, tenureLocation, url]);
  for (const [key, content] of Object.entries(draft)) add(sectionOfKey[key as keyof Draft] ?? 'other', content);
  return used;
}

/** The leaves of all values in a part of a draft. */
function leavesIn(content: unknown): Leaf[] {
  if (typeof content !== 'object' || content === null) return [];
  if ('parts' in content) return (content as Value).parts.map(({ leaf }) => leaf);
  return Object.values(content).flatMap(leavesIn);
}
