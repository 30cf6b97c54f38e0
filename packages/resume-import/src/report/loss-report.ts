import { pluralize } from 'resume-profile/text';
import type { Draft } from '../draft/draft.ts';
import type { FilledIn } from '../draft/fill.ts';
import { toTitle } from '../readers/leftovers.ts';
import { topicOf } from '../readers/topics.ts';
import { leavesBelow, type Tree } from '../source/input-cursor.ts';
import type { Input } from '../source/tree.ts';
import { type Leaf, noField, shortened, type Value } from '../source/value.ts';

/** A part of the content of a resume, and how much of it a profile has. */
type SectionReport = ReturnType<typeof toSectionReports>[number];

/** The fate of each leaf of an input, which is in exactly one of the first three lists. */
export interface LossReport {
  readonly carriedOver: readonly { where: string }[];
  readonly changed: readonly { where: string; value: string; how: string }[];
  /**
   * `isContent` is false for values that are not about the person, `isNoted` true for values in the notes of the
   * profile; both are absent otherwise.
   */
  readonly notCarriedOver: readonly { where: string; value: string; why: string; isContent?: false; isNoted?: true }[];
  readonly filledIn: readonly FilledIn[];
  /** The sections that the input has. */
  readonly sections: readonly SectionReport[];
}

export function toLossReport(input: Input, draft: Draft, filledIn: readonly FilledIn[]): LossReport {
  const { lost = [], carried = [] } = Object.groupBy(input.leaves, ({ changes }) => (changes ? 'carried' : 'lost'));
  const { same = [], edited = [] } = Object.groupBy(carried, ({ changes }) =>
    changes!.size === 0 ? 'same' : 'edited',
  );
  return {
    carriedOver: same.map(({ where }) => ({ where })),
    changed: edited.map(({ where, text, changes, isPartial, isNoted }) => ({
      ...{ where, value: shortened(text) },
      how: [...changes!, ...(isPartial && isNoted ? ['the whole in notes'] : [])].join('; '),
    })),
    notCarriedOver: lost.map(({ where, text, why, isContent, isNoted }) => ({
      ...{ where, value: shortened(text), why },
      ...(!isContent && { isContent: false as const }),
      ...(isNoted && { isNoted: true as const }),
    })),
    filledIn,
    sections: toSectionReports(toLocatedLeaves(input, draft)),
  };
}

/** Counts the values about the person of each section: in the file, then in the profile, then in its notes. */
function toSectionReports(leaves: readonly LocatedLeaf[]) {
  const content = leaves.filter(({ leaf }) => leaf.isContent || leaf.changes !== null);
  const isPlaced = ({ leaf }: LocatedLeaf) => leaf.changes !== null;
  const placedEntries = new Set(content.filter(isPlaced).map(({ entry }) => entry));
  const bySection = Map.groupBy(content, ({ section }) => section);
  return sections.flatMap((section) => {
    const own = bySection.get(section) ?? [];
    const others = own.filter((leaf) => !isPlaced(leaf));
    const { noted = [], lost = [] } = Object.groupBy(others, ({ leaf }) => (leaf.isNoted ? 'noted' : 'lost'));
    if (own.length === 0) return [];
    const counts = { values: own.length, kept: own.length - lost.length, noted: noted.length };
    // The values in the notes, and the values that the profile does not have, in words.
    const [notes, losses] = [noted, lost].map((values) => inWords(section, values, placedEntries));
    return { section, ...counts, notes: notes!, losses: losses! };
  });
}

/** Adds up all values of the sections, the kept values, and how many of these only the notes have. */
export function totalOf(reports: readonly Pick<SectionReport, 'values' | 'kept' | 'noted'>[]) {
  const sumOf = (key: 'values' | 'kept' | 'noted') => reports.reduce((sum, report) => sum + report[key], 0);
  return { values: sumOf('values'), kept: sumOf('kept'), noted: sumOf('noted') };
}

/** A share in whole percent, rounded down; 100 if there is nothing. */
export const toPercent = (count: number, of: number): number => (of === 0 ? 100 : Math.floor((100 * count) / of));

/**
 * Describes the values that are not in their places: entries without any value there, `2 awards`, and values of other
 * entries by their names, `website of 1 job`. A shared reason follows, unless it is that the profile has no such field.
 */
function inWords(section: Section, lost: readonly LocatedLeaf[], placedEntries: ReadonlySet<Tree>): string[] {
  const noun = nounOf[section];
  const toText = ({ entry, list, key, leaf }: LocatedLeaf): ((count: number) => string) => {
    if (entry === null) return () => toWords(key) || leaf.where;
    const ofEntries = (count: number) =>
      `${pluralize(count, noun)}${noun === 'item' && list !== '' ? ` of “${shortened(list)}”` : ''}`;
    return placedEntries.has(entry) ? (count) => `${toWords(key)} of ${ofEntries(count)}` : ofEntries;
  };
  return [...Map.groupBy(lost, (each) => toText(each)(1)).values()].map((same) => {
    const text = toText(same[0]!)(new Set(same.map(({ entry }) => entry)).size);
    const [why, ...others] = new Set(same.map(({ leaf }) => leaf.why));
    return others.length > 0 || why === noField ? text : `${text} (${why})`;
  });
}

/** Writes a key as words: `startDate` and `start_date` as `start date`. */
const toWords = (key: string) => toTitle(shortened(key)).toLowerCase();

/** A leaf with its section, the entry and the list around it, and its name: its key or the list's. */
interface LocatedLeaf {
  readonly leaf: Leaf;
  readonly section: Section;
  /** The innermost object of a list around it, otherwise the leaf itself if it is in a list; null outside of lists. */
  readonly entry: Tree;
  /** The key of the outermost list that it is in; empty outside of lists. */
  readonly list: string;
  readonly key: string;
}

/**
 * Finds the section of each leaf, in which the draft uses it. A leaf that the draft doesn't use has the section
 * of the other leaves of its entry, or else of its list, if they agree. In an unused list, its key names the section.
 */
function toLocatedLeaves({ tree, leaves }: Input, draft: Draft): LocatedLeaf[] {
  const used = sectionsIn(draft);
  const located = new Map<Leaf, LocatedLeaf>();
  const visit = (node: Tree, place: Omit<LocatedLeaf, 'leaf'>): void => {
    if (node === null) return;
    if ('where' in node) {
      located.set(node, { leaf: node, ...place, section: used.get(node) ?? place.section });
      return;
    }
    const sections = leavesBelow(node).flatMap((leaf) => used.get(leaf) ?? []);
    const [section, ...others] = new Set(sections.map((one) => (one === 'work: place and website' ? 'work' : one)));
    const agreed = node === tree || others.length > 0 ? 'other' : section;
    // Reactive Resume has lists of sections, and one section says nothing about another.
    const isOfKey = node instanceof Map ? node.has('items') : place.entry === null;
    const own = { ...place, section: agreed ?? (isOfKey ? sectionOfTitle(place.key) : place.section) };
    if (node instanceof Map)
      for (const [key, child] of node) visit(child, { ...own, key: key === 'items' ? place.key : key });
    else
      for (const item of node as readonly Tree[]) {
        const entry = item !== null && 'where' in item ? (place.entry ?? item) : item;
        visit(item, { ...own, list: place.list || place.key, entry });
      }
  };
  const nowhere = { section: 'other', entry: null, list: '', key: '' } as const;
  visit(tree, nowhere);
  return leaves.map((leaf) => located.get(leaf) ?? { leaf, ...nowhere });
}

function sectionsIn(draft: Draft): Map<Leaf, Section> {
  const used = new Map<Leaf, Section>();
  const add = (section: Section, content: unknown) => {
    for (const leaf of leavesIn(content)) if (!used.has(leaf)) used.set(leaf, section);
  };
  for (const { location, tenureLocation, url } of draft.positions ?? [])
    add('work: place and website', [location, tenureLocation, url]);
  for (const [key, content] of Object.entries(draft)) {
    const named = sections.find((section) => section === key);
    add(renamed[key as keyof Draft] ?? named ?? 'other', content);
  }
  return used;
}

/** The leaves of all values in a part of a draft. */
function leavesIn(content: unknown): Leaf[] {
  if (typeof content !== 'object' || content === null) return [];
  if ('parts' in content) return (content as Value).parts.map(({ leaf }) => leaf);
  return Object.values(content).flatMap(leavesIn);
}

/** The sections by which an import is accounted for, each with the noun for one of its entries. */
// biome-ignore format: a table
export const nounOf = {
  work: 'job', 'work: place and website': 'job', education: 'school', skills: 'skill',
  'name, title, summary, contact': 'item', links: 'link', location: 'location', projects: 'project',
  languages: 'language', publications: 'publication', certifications: 'certification', awards: 'award',
  interests: 'interest', references: 'reference', volunteer: 'volunteer role', photo: 'picture',
  'further sections': 'item', other: 'item',
} as const;
export type Section = keyof typeof nounOf;

/** In the order in which they are reported. */
export const sections = Object.keys(nounOf) as Section[];

const person: Section = 'name, title, summary, contact';

/** The keys of a draft that have another name than their section. */
// biome-ignore format: a table
const renamed: Partial<Record<keyof Draft, Section>> = {
  name: person, title: person, summary: person, yearsExperience: person, availability: person, email: person, phone: person,
  domains: 'skills', positions: 'work', skillGroups: 'skills', sections: 'further sections',
};

/** The section that a list of the input is about by its key or title. */
function sectionOfTitle(title: string): Section {
  const topic = topicOf(title.replace(/\.csv$/i, ''));
  if (topic === 'experience' || title === 'Positions.csv') return 'work';
  if (topic === 'volunteering') return 'volunteer';
  return sections.find((section) => section === topic) ?? 'other';
}
