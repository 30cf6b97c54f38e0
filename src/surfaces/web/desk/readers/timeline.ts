import { html } from 'hono/html';
import type { Contact } from '../../../../model/contact.ts';
import type { Grant, StoredToken } from '../../../../model/grant.ts';
import type { ReadEvent, Reader } from '../../../../model/reader.ts';
import { toVisible } from '../../../../model/visible-text.ts';
import { capitalize, toBrowserName } from '../../format.ts';
import type { Html, Site } from '../../page.ts';
import { timeElement } from '../time.ts';
import type { Readers } from './ports.ts';
import { actionsOf, readingOf, toList } from './reading.ts';

/** Reads of one client that follow each other within this time are told as one. */
const sittingMilliseconds = 30 * 60 * 1_000;

interface History {
  readonly readers: Pick<Readers, 'offered'>;
  readonly reader: Reader;
  readonly tokens: readonly StoredToken[];
  readonly grants: readonly Grant[];
  readonly messages: readonly Contact[];
  /** The latest first. */
  readonly reads: readonly ReadEvent[];
}

interface Entry {
  readonly at: Date;
  readonly words: Html;
}

/** Returns what happened with a reader, the latest first. */
export function timeline({ readers, reader, tokens, grants, messages, reads }: History, site: Site, now: Date): Html {
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
    ...toSittings(reads).map((sitting) => toEntry(sitting, readers)),
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

function toEntry(sitting: readonly ReadEvent[], { offered }: History['readers']): Entry {
  const { client, readAt } = sitting[0]!;
  const reads = sitting.map(({ operation, item }) => ({ operation, item, count: 1 }));
  const words = capitalize(toList(actionsOf(readingOf(reads, offered()))));
  return {
    at: readAt,
    words: html`${toVisible(words)}${client === null ? '' : html` with <bdi>${toVisible(toBrowserName(client))}</bdi>`}.`,
  };
}
