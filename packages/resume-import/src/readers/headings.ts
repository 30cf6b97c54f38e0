import { type SectionKey, sectionKeys } from 'resume-profile/resume-section';
import type { Heading } from '../draft/draft.ts';
import { literal, type Value } from '../source/value.ts';
import { type Topic, topicOf } from './topics.ts';

/** Entries of a source under their title there, with the key that they have in a profile; undefined for its own. */
interface Placed {
  /** Undefined if the source prints a word of its language. */
  readonly title: Value | undefined;
  readonly key: SectionKey | undefined;
}

/**
 * Finds which key of a profile each title of a source heads: at most one, that of its topic if it has entries of that,
 * otherwise that of its first entry. A key is headed by one title; entries under others name the section they are in.
 */
export function toHeadings(placed: readonly Placed[]) {
  const bySection = Map.groupBy(placed, ({ title, key }) => title?.text ?? key);
  const sections = [...bySection.values()].map((entries) => {
    const [{ title }] = entries as [Placed, ...Placed[]];
    const keys = entries.flatMap(({ key }) => key ?? []);
    const named = title && keyOfTopic(topicOf(title.text));
    const isNamed = title === undefined || (named !== undefined && keys.includes(named));
    return { title, key: named && isNamed ? named : keys[0], isNamed };
  });
  const heads = sectionKeys.flatMap((key) => {
    const own = sections.filter((each) => each.key === key);
    return own.find(({ isNamed }) => isNamed) ?? own[0] ?? [];
  });
  return {
    headings: sections.map((section): Heading => {
      return { title: section.title, key: heads.includes(section) ? section.key : undefined };
    }),
    /** The section that an entry of a key names; undefined under the title that heads the key. */
    sectionOf(title: Value | undefined, key: SectionKey): Value | undefined {
      const isHead = heads.some((head) => head.key === key && head.title?.text === title?.text);
      return isHead || key === 'references' ? undefined : title && literal(title.text);
    },
  };
}

/** The key of a profile for a topic; undefined if it has none. */
export const keyOfTopic = (topic: Topic | undefined): SectionKey | undefined =>
  topic === 'volunteering' ? 'volunteer' : topic === 'other' ? undefined : topic;
