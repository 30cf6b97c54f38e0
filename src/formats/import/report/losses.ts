import { pluralize } from '../../../model/pluralize.ts';
import type { Tree } from '../source/input-cursor.ts';
import { noField, shortened } from '../source/value.ts';
import type { LocatedLeaf } from './located-leaf.ts';
import { nounOf, type Section } from './sections.ts';

/**
 * Says in words what of a section is lost: the entries of which nothing is kept, `2 awards`, and values of other entries by their
 * names, `website of 1 job`. A reason follows if they share one that says more than that the profile has no field for them.
 */
export function toLosses(section: Section, lost: readonly LocatedLeaf[], keptEntries: ReadonlySet<Tree>): string[] {
  const noun = nounOf[section];
  const toText = ({ entry, list, key, leaf }: LocatedLeaf): ((count: number) => string) => {
    if (entry === null) return () => toWords(key) || leaf.where;
    const ofEntries = (count: number) =>
      `${pluralize(count, noun)}${noun === 'item' ? ` of “${shortened(list)}”` : ''}`;
    return keptEntries.has(entry) ? (count) => `${toWords(key)} of ${ofEntries(count)}` : ofEntries;
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
