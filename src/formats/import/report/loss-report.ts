import type { FilledIn } from '../build/fill.ts';
import type { Draft } from '../readers/draft.ts';
import type { Input } from '../source/tree.ts';
import { shortened } from '../source/value.ts';
import { type LocatedLeaf, toLocatedLeaves } from './located-leaf.ts';
import { toLosses } from './losses.ts';
import { type Section, sections } from './sections.ts';

/** How many values a section has that say something of the person, how many of them are kept, and the others in words. */
export interface SectionReport {
  readonly section: Section;
  readonly values: number;
  readonly kept: number;
  readonly losses: readonly string[];
}

/** What became of an input: each leaf is in exactly one of the first three lists. */
export interface LossReport {
  readonly carriedOver: readonly { where: string }[];
  readonly changed: readonly { where: string; value: string; how: string }[];
  /** `isContent` is false for what says nothing of the person; it is absent otherwise. */
  readonly notCarriedOver: readonly { where: string; value: string; why: string; isContent?: false }[];
  readonly filledIn: readonly FilledIn[];
  /** Those that the input has. */
  readonly sections: readonly SectionReport[];
}

/** Lists what became of the leaves of an input, with shortened values. */
export function toLossReport(input: Input, draft: Draft, filledIn: readonly FilledIn[]): LossReport {
  const outcomes = input.leaves.map(({ text, ...leaf }) => ({ ...leaf, value: shortened(text) }));
  return {
    carriedOver: outcomes.flatMap(({ where, changes }) => (changes?.size === 0 ? [{ where }] : [])),
    changed: outcomes.flatMap(({ where, value, changes }) =>
      changes !== null && changes.size > 0 ? [{ where, value, how: [...changes].join('; ') }] : [],
    ),
    notCarriedOver: outcomes.flatMap(({ where, value, changes, why, isContent }) =>
      changes === null ? [{ where, value, why, ...(!isContent && { isContent }) }] : [],
    ),
    filledIn,
    sections: toSectionReports(toLocatedLeaves(input, draft)),
  };
}

function toSectionReports(leaves: readonly LocatedLeaf[]): SectionReport[] {
  const content = leaves.filter(({ leaf }) => leaf.isContent || leaf.changes !== null);
  const isKept = ({ leaf }: LocatedLeaf) => leaf.changes !== null;
  const keptEntries = new Set(content.filter(isKept).map(({ entry }) => entry));
  const bySection = Map.groupBy(content, ({ section }) => section);
  return sections.flatMap((section) => {
    const own = bySection.get(section) ?? [];
    const lost = own.filter((leaf) => !isKept(leaf));
    const kept = own.length - lost.length;
    return own.length === 0
      ? []
      : [{ section, values: own.length, kept, losses: toLosses(section, lost, keptEntries) }];
  });
}

/** Adds up the values of all sections, and those that are kept. */
export const totalOf = (reports: readonly SectionReport[]): { values: number; kept: number } => ({
  values: reports.reduce((sum, { values }) => sum + values, 0),
  kept: reports.reduce((sum, { kept }) => sum + kept, 0),
});

/** The share that is kept in whole percent, rounded down; 100 if there is nothing to keep. */
export const toPercent = ({ values, kept }: { values: number; kept: number }): number =>
  values === 0 ? 100 : Math.floor((100 * kept) / values);
