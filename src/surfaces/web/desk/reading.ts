import { html } from 'hono/html';
import type { StoredContact } from '../../../model/contact.ts';
import type { Grant } from '../../../model/oauth.ts';
import type { ReadCount, ReadEvent, Reader } from '../../../model/reader.ts';
import { toVisible } from '../../../model/text.ts';
import type { StoredToken } from '../../../model/token.ts';
import { operations } from '../../../operations/index.ts';
import { capitalize, toBrowserName } from '../format.ts';
import type { Html, Site } from '../page.ts';
import { timeElement } from './time.ts';

/** Words for the first segments of paths that a reader would not use. */
const words: Readonly<Record<string, string>> = { candidate: 'summary' };

/** The topic of each read in one word: the first segment of its shorter path. */
const topics = new Map<string, string>(
  operations.flatMap((operation) => {
    if (operation.kind !== 'read') return [];
    const { alias, path }: { alias?: string; path: string } = operation.rest;
    const segment = (alias ?? path).split('/')[1]!;
    return [[operation.name, words[segment] ?? segment]];
  }),
);

export interface Reading {
  /** Such as `everything`, or `experience 14 times` and `projects`; empty if nothing was read. */
  readonly topics: readonly string[];
  /** Whether the link to the PDF was asked for; nobody can tell whether it was opened. */
  readonly isPdfRequested: boolean;
}

// An entry, too, may have the id `pdf`.
const isPdf = ({ operation, item }: ReadCount): boolean => item === 'pdf' && topics.get(operation) === 'resume';

/** Returns what was read, most first; everything is what the operations with the names in `offered` return. */
export function readingOf(reads: readonly ReadCount[], offered: readonly string[]): Reading {
  const read = reads.filter((one) => !isPdf(one));
  const counts = new Map<string, number>();
  for (const { operation, count } of read) {
    const topic = topics.get(operation) ?? operation;
    counts.set(topic, (counts.get(topic) ?? 0) + count);
  }
  const everyTopic = offered.flatMap((name) => topics.get(name) ?? []);
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

/** Returns what was read, short enough for a cell. */
export function readingWords({ reads, erasedAt }: Reader, offered: readonly string[]): Html {
  const { topics, isPdfRequested } = readingOf(reads, offered);
  const parts = [...topics, ...(isPdfRequested ? ['asked for the PDF'] : [])];
  if (parts.length > 0) return html`${parts.map(toVisible).join(', ')}`;
  return html`<span class="soft">${erasedAt === null ? 'nothing yet' : 'record erased by the visitor'}</span>`;
}

/** Reads of one client that follow each other within this time are told as one. */
const sittingMilliseconds = 30 * 60 * 1_000;

interface History {
  /** The names of the operations that visitors can call. */
  readonly offered: readonly string[];
  readonly reader: Reader;
  readonly tokens: readonly StoredToken[];
  readonly grants: readonly Grant[];
  readonly messages: readonly StoredContact[];
  /** The latest first. */
  readonly reads: readonly ReadEvent[];
}

interface Entry {
  readonly at: Date;
  readonly words: Html;
}

/** Returns what happened with a reader, the latest first. */
export function timeline({ offered, reader, tokens, grants, messages, reads }: History, site: Site, now: Date): Html {
  const entries: Entry[] = [
    ...tokens
      .filter(({ grantId }) => grantId === null)
      .map(({ issuedAt }) => ({ at: issuedAt, words: html`Asked for access and got a token.` })),
    ...grants.map(({ createdAt, clientName }) => ({
      at: createdAt,
      words: html`Connected <bdi>${toVisible(clientName)}</bdi>.`,
    })),
    ...messages.map(({ id, receivedAt }) => ({
      at: receivedAt,
      words: html`Wrote to you. <a href="${site.path(`/desk/inbox/${encodeURIComponent(id)}`)}">Read the message</a>`,
    })),
    ...toSittings(reads).map((sitting) => toEntry(sitting, offered)),
    ...(reader.erasedAt === null ? [] : [{ at: reader.erasedAt, words: html`Erased the record of what was read.` }]),
  ];
  entries.sort((one, other) => other.at.getTime() - one.at.getTime());
  return html`<ol class="rows unmarked">
${entries.map(({ at, words }) => html`<li class="row"><p>${words}</p><span class="row-end soft small">${timeElement(at, now)}</span></li>\n`)}
</ol>`;
}

/** Groups reads, the latest first, that were made with one client without a long pause. */
function toSittings(reads: readonly ReadEvent[]): (readonly ReadEvent[])[] {
  const sittings: ReadEvent[][] = [];
  for (const read of reads) {
    const later = sittings.at(-1)?.at(-1);
    const isSame = later?.client === read.client && +later.readAt - +read.readAt < sittingMilliseconds;
    if (isSame) sittings.at(-1)!.push(read);
    else sittings.push([read]);
  }
  return sittings;
}

function toEntry(sitting: readonly ReadEvent[], offered: readonly string[]): Entry {
  const { client, readAt } = sitting[0]!;
  const reads = sitting.map(({ operation, item }) => ({ operation, item, count: 1 }));
  const words = capitalize(toList(actionsOf(readingOf(reads, offered))));
  return {
    at: readAt,
    words: html`${toVisible(words)}${client === null ? '' : html` with <bdi>${toVisible(toBrowserName(client))}</bdi>`}.`,
  };
}
