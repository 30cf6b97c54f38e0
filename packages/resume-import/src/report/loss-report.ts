import type { Profile } from 'resume-profile/profile-document';
import { pluralize } from 'resume-profile/text';
import type { ImportedSection } from '../../../../src/model/profile/read-resume.ts';
import type { Draft } from '../draft/draft.ts';
import type { FilledIn } from '../draft/fill.ts';
import { topicOf } from '../readers/topics.ts';
import { leavesBelow, type Tree } from '../source/input-cursor.ts';
import type { Input } from '../source/tree.ts';
import { type Leaf, noField, shortened, type Value } from '../source/value.ts';
import { type Faithfulness, toFaithfulness } from './faithfulness.ts';

interface SectionReport extends ImportedSection {
  readonly section: Section;
}

/** The fate of each leaf of an input, which is in exactly one of the first three lists. */
export interface LossReport {
  readonly carriedOver: readonly { where: string }[];
  readonly changed: readonly { where: string; value: string; how: string }[];
  /**
   * `isContent` is false for values that say nothing of the person, `isNoted` true for those that the notes of the profile
   * have; both are absent otherwise.
   */
  readonly notCarriedOver: readonly { where: string; value: string; why: string; isContent?: false; isNoted?: true }[];
  readonly filledIn: readonly FilledIn[];
  /** How much of what the source states is as it is written there, for each kind of thing that it has. */
  readonly faithfulness: readonly Faithfulness[];
  /** Those that the input has. */
  readonly sections: readonly SectionReport[];
}

/** Lists the fate of each leaf of an input, with shortened values. */
export function toLossReport(
  input: Input,
  draft: Draft,
  { profile, filledIn }: { readonly profile: Profile; readonly filledIn: readonly FilledIn[] },
): LossReport {
  const outcomes = input.leaves.map(({ text, ...leaf }) => ({ ...leaf, value: shortened(text) }));
  return {
    carriedOver: outcomes.flatMap(({ where, changes }) => (changes?.size === 0 ? [{ where }] : [])),
    changed: outcomes.flatMap(({ where, value, changes, isPartial, isNoted }) =>
      changes !== null && changes.size > 0
        ? [{ where, value, how: [...changes, ...(isPartial && isNoted ? ['the whole in notes'] : [])].join('; ') }]
        : [],
    ),
    notCarriedOver: outcomes.flatMap(({ where, value, changes, why, isContent, isNoted }) =>
      changes === null
        ? [
            {
              where,
              value,
              why,
              ...(!isContent && { isContent: false as const }),
              ...(isNoted && { isNoted: true as const }),
            },
          ]
        : [],
    ),
    filledIn,
    faithfulness: toFaithfulness(input, draft, profile),
    sections: toSectionReports(toLocatedLeaves(input, draft)),
  };
}

function toSectionReports(leaves: readonly LocatedLeaf[]): SectionReport[] {
  const content = leaves.filter(({ leaf }) => leaf.isContent || leaf.changes !== null);
  const isPlaced = ({ leaf }: LocatedLeaf) => leaf.changes !== null;
  const placedEntries = new Set(content.filter(isPlaced).map(({ entry }) => entry));
  const bySection = Map.groupBy(content, ({ section }) => section);
  return sections.flatMap((section) => {
    const own = bySection.get(section) ?? [];
    if (own.length === 0) return [];
    const others = own.filter((leaf) => !isPlaced(leaf));
    const [noted, lost] = [true, false].map((is) => others.filter(({ leaf }) => leaf.isNoted === is));
    return {
      section,
      values: own.length,
      kept: own.length - lost!.length,
      noted: noted!.length,
      notes: inWords(section, noted!, placedEntries),
      losses: inWords(section, lost!, placedEntries),
    };
  });
}

/** Adds up the values of all sections, those that are kept, and those of them that only the notes have. */
export const totalOf = (
  reports: readonly Pick<SectionReport, 'values' | 'kept' | 'noted'>[],
): Record<'values' | 'kept' | 'noted', number> => ({
  values: reports.reduce((sum, { values }) => sum + values, 0),
  kept: reports.reduce((sum, { kept }) => sum + kept, 0),
  noted: reports.reduce((sum, { noted }) => sum + noted, 0),
});

/** A share in whole percent, rounded down; 100 if there is nothing. */
export const toPercent = (count: number, of: number): number => (of === 0 ? 100 : Math.floor((100 * count) / of));

/**
 * Says in words what is not in its place: entries of which nothing is, `2 awards`, and values of other entries by their
 * names, `website of 1 job`. A shared reason follows, unless it is that the profile has no such field.
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
const toWords = (key: string) =>
  shortened(key)
    .replace(/(?<=\p{Ll})(?=\p{Lu})|[_-]/gu, ' ')
    .toLowerCase();

/** A leaf with its section, the entry and the list around it, and its name: its key, or that of its list. */
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
 * Finds the section of each leaf: the one that the draft uses it in. A leaf that the draft doesn't use has the section
 * of the other leaves of its entry, or else of its list, if they agree. In an unused list, its key names the section.
 */
function toLocatedLeaves({ tree, leaves }: Input, draft: Draft): LocatedLeaf[] {
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
  for (const [key, content] of Object.entries(draft)) add(sectionOfKey(key), content);
  return used;
}

/** The leaves of all values in a part of a draft. */
function leavesIn(content: unknown): Leaf[] {
  if (typeof content !== 'object' || content === null) return [];
  if ('parts' in content) return (content as Value).parts.map(({ leaf }) => leaf);
  return Object.values(content).flatMap(leavesIn);
}

/** The sections by which an import is accounted for, each with the noun for one of its entries. */
export const nounOf = {
  work: 'job',
  'work: place and website': 'job',
  education: 'school',
  skills: 'skill',
  'name, title, summary, contact': 'item',
  links: 'link',
  location: 'location',
  projects: 'project',
  languages: 'language',
  publications: 'publication',
  certifications: 'certification',
  awards: 'award',
  interests: 'interest',
  references: 'reference',
  volunteer: 'volunteer role',
  photo: 'picture',
  'further sections': 'item',
  other: 'item',
} as const;
export type Section = keyof typeof nounOf;

/** In the order in which they are reported. */
export const sections = Object.keys(nounOf) as Section[];

const person: Section = 'name, title, summary, contact';

/** The keys of a draft that have another name than their section. */
const renamed: Partial<Record<keyof Draft, Section>> = {
  id: person,
  name: person,
  title: person,
  summary: person,
  yearsExperience: person,
  availability: person,
  email: person,
  phone: person,
  domains: 'skills',
  positions: 'work',
  skillGroups: 'skills',
  sections: 'further sections',
};

/** The section that a key of a draft belongs to. */
const sectionOfKey = (key: string): Section =>
  renamed[key as keyof Draft] ?? sections.find((section) => section === key) ?? 'other';

/** The section that a list of the input is about by its key or title. */
function sectionOfTitle(title: string): Section {
  const topic = topicOf(title.replace(/\.csv$/i, ''));
  if (topic === 'experience' || title === 'Positions.csv') return 'work';
  if (topic === 'volunteering') return 'volunteer';
  return sections.find((section) => section === topic) ?? 'other';
}
