import type { TitledKey } from 'resume-profile/resume-section';
import { type Block, items, type Part } from './part.ts';

/** A section. A summary has a name only if its author gave it one; a section of the profile's own has no key. */
export interface Section extends Part {
  readonly key?: TitledKey | undefined;
  /** Its place in `resume.order`; sections that the order does not name share the last place. */
  readonly rank: number;
}

/** Content under a heading; chapters with the same heading become one section. */
export interface Chapter {
  readonly key?: TitledKey;
  readonly heading: string | undefined;
  readonly blocks: readonly Block[];
}

/**
 * Arranges the content of a resume as sections: first those that `order` names by their keys or titles, then the others. Own
 * content, and entries that name a section, continue the section with a key that has the same title.
 */
export function toSections(chapters: readonly Chapter[], order: readonly string[]): Section[] {
  const hosts = new Map<string | undefined, Chapter>();
  for (const chapter of chapters) {
    const { key, heading } = chapter;
    if (key === undefined || key === 'domains' || heading === undefined || hosts.has(heading)) continue;
    hosts.set(heading, chapter);
  }
  const hostOf = (chapter: Chapter) => (chapter.key === 'domains' ? chapter : (hosts.get(chapter.heading) ?? chapter));
  // The first content of a key is the key's own; its other content is under the title of another section.
  const isFirst = (chapter: Chapter) => chapters.find(({ key }) => key === chapter.key) === chapter;
  const placeOf = (chapter: Chapter): number => {
    const { key, heading } = chapter;
    if (key === 'domains') return order.length;
    const place = order.findIndex((name) => name === heading || (name === key && isFirst(chapter)));
    return place !== -1 ? place : key === 'summary' ? -1 : order.length;
  };
  return [...Map.groupBy(chapters, hostOf)]
    .map(([host, same]) => {
      const all = [host, ...same.filter((each) => each !== host)];
      const blocks = all.flatMap((chapter) => chapter.blocks);
      const places = all.filter((chapter) => chapter === host || chapter.blocks.length > 0).map(placeOf);
      return { key: host.key, rank: Math.min(...places), names: items(host.heading), dates: [], blocks };
    })
    .filter(({ blocks }) => blocks.length > 0)
    .sort((one, other) => one.rank - other.rank);
}
