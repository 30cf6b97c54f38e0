import type { ReadCount } from '../../../../model/reader.ts';
import { operations } from '../../../../operations/index.ts';
import type { Operation } from '../../../../operations/operation.ts';

/** What the first segments of paths are called here, if a reader would not say them so. */
const words: Readonly<Record<string, string>> = { candidate: 'summary' };

/** What each read is about, in one word: the first segment of its shorter path. */
const topics = new Map<string, string>(
  operations.flatMap((operation) => {
    if (operation.kind !== 'read') return [];
    const { alias, path }: { alias?: string; path: string } = operation.rest;
    const segment = (alias ?? path).split('/')[1]!;
    return [[operation.name, words[segment] ?? segment]];
  }),
);

/** What somebody has read, in words. */
export interface Reading {
  /** Such as `everything`, or `experience 14 times` and `projects`; empty if nothing was read. */
  readonly topics: readonly string[];
  /** Whether the link to the PDF was asked for; nobody can tell whether it was opened. */
  readonly isPdfRequested: boolean;
}

// An entry, too, may have the id `pdf`.
const isPdf = ({ operation, item }: ReadCount): boolean => item === 'pdf' && topics.get(operation) === 'resume';

/** Returns what was read, most first; everything is what the operations in `offered` return. */
export function readingOf(reads: readonly ReadCount[], offered: readonly Operation[]): Reading {
  const read = reads.filter((one) => !isPdf(one));
  const counts = new Map<string, number>();
  for (const { operation, count } of read) {
    const topic = topics.get(operation) ?? operation;
    counts.set(topic, (counts.get(topic) ?? 0) + count);
  }
  const everyTopic = offered.flatMap(({ name }) => topics.get(name) ?? []);
  const isEverything = everyTopic.every((topic) => counts.has(topic));
  return {
    topics: isEverything
      ? ['everything']
      : [...counts].sort(([, one], [, other]) => other - one).map(([topic, count]) => topic + timesOf(count)),
    isPdfRequested: read.length < reads.length,
  };
}

function timesOf(count: number): string {
  if (count === 1) return '';
  return count === 2 ? ' twice' : ` ${count} times`;
}

const list = new Intl.ListFormat('en-GB');

/** Returns several things as part of a sentence: `one, two and three`. */
export const toList = (texts: readonly string[]): string => list.format(texts);

/** Returns what a reader did, each as part of a sentence, such as `read everything` and `asked for the PDF`. */
export const actionsOf = ({ topics, isPdfRequested }: Reading): string[] => [
  ...(topics.length === 0 ? [] : [`read ${toList(topics)}`]),
  ...(isPdfRequested ? ['asked for the PDF'] : []),
];
