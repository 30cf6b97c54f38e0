import { isPdfLink, type VisitEvent } from '../../model/visit.ts';
import { operations } from '../../operations/index.ts';
import type { Operation } from '../../operations/operation.ts';

/** Reader-friendly words for the first segments of some paths. */
const words: Readonly<Record<string, string>> = { candidate: 'summary' };

/** The topics of all operations of a kind, each in one word: the first segment of its shorter path. */
const topicsOfKind = (kind: Operation['kind']) =>
  new Map<string, string>(
    operations.flatMap((operation) => {
      if (operation.kind !== kind) return [];
      const { alias, path }: { alias?: string; path: string } = operation.rest;
      const segment = (alias ?? path).split('/')[1]!;
      return [[operation.name, words[segment] ?? segment]];
    }),
  );

const topics = topicsOfKind('read');
const searched = topicsOfKind('search');

const acts: readonly string[] = ['page', 'pdf', 'docx', 'markdown', 'message'];

type Act = Pick<VisitEvent, 'operation' | 'item' | 'count'>;

/**
 * Returns the actions, each as part of a sentence, such as `opened the page twice` and `read experience and projects`;
 * `everything` replaces the topics of all operations whose names are in `offered`.
 */
export function actsOf(events: readonly Act[], offered: readonly string[]): string[] {
  const toAct = (name: string, words: string): string[] => {
    const count = events.reduce((sum, event) => sum + (event.operation === name ? event.count : 0), 0);
    return count === 0 ? [] : [words + timesOf(count)];
  };
  const read = topicsOf(
    events.filter((event) => !acts.includes(event.operation) && !searched.has(event.operation) && !isPdfLink(event)),
    offered,
  );
  return [
    ...toAct('page', 'opened the page'),
    ...toAct('markdown', 'read the profile as Markdown'),
    ...(read.length === 0 ? [] : [`read ${toList(read)}`]),
    ...[...searched].flatMap(([name, topic]) => toAct(name, `asked for ${topic}`)),
    ...toAct('pdf', 'downloaded the PDF'),
    ...toAct('docx', 'downloaded the document of Word'),
    ...(events.some(isPdfLink) ? ['asked for the PDF'] : []),
    ...toAct('message', 'wrote'),
  ];
}

/** Returns the read topics, most frequent first, such as `experience 14 times`. */
function topicsOf(reads: readonly Act[], offered: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const { operation, count } of reads) {
    const topic = topics.get(operation) ?? operation;
    counts.set(topic, (counts.get(topic) ?? 0) + count);
  }
  const everyTopic = offered.flatMap((name) => topics.get(name) ?? []);
  if (everyTopic.length > 0 && everyTopic.every((topic) => counts.has(topic))) return ['everything'];
  return [...counts].sort(([, one], [, other]) => other - one).map(([topic, count]) => topic + timesOf(count));
}

/** Returns a count as the end of a sentence; empty for once. */
export function timesOf(count: number): string {
  if (count === 1) return '';
  return count === 2 ? ' twice' : ` ${count} times`;
}

const list = new Intl.ListFormat('en-GB');

/** Joins things as part of a sentence: `one, two and three`. */
export const toList = (texts: readonly string[]): string => list.format(texts);
