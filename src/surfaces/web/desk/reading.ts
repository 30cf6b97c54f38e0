import { html } from 'hono/html';
import { pluralize, toVisible } from 'resume-profile/text';
import type { Visitor } from '../../../model/visitor.ts';
import type { OutputOf } from '../../../operations/owner/operation.ts';
import type { getReader } from '../../../operations/owner/readers.ts';
import type { Visit } from '../../../operations/owner/visits.ts';
import { capitalize, toKnownName } from '../format.ts';
import type { Html, Site } from '../page.ts';
import { actsOf, toList } from '../visit-words.ts';
import type { Times } from './time.ts';

const maxListed = 3;
const maxClients = 2;

/** The visitor as the owner knows them. */
export const visitorName = (visitor: Visitor): Html => html`<bdi>${visitorWords(visitor)}</bdi>`;

export const visitorWords = (visitor: Visitor): string =>
  toVisible(visitor.kind === 'link' ? (visitor.name ?? 'A link that ended') : visitor.address);

/** Returns the names of the clients that visits were made with, the latest first. */
export function clientNamesOf(visits: readonly Visit[]): Html {
  const names = [...new Set(visits.flatMap(({ clients }) => clients.map(toKnownName)))];
  if (names.length === 0) return html`<span class="soft">–</span>`;
  return html`<span class="clipped" dir="auto">${toShortList(names, maxClients)}</span>`;
}

/** Lists the first names, and says how many more there are. */
export const toShortList = (names: readonly string[], maxNamed: number): string =>
  toVisible(names.slice(0, maxNamed).join(', ')) +
  (names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '');

/** Returns the actions of visits with their counts, as parts of a sentence; empty if there are none. */
export const actsIn = (visits: readonly Visit[], offered: readonly string[]): string[] =>
  actsOf(
    visits.flatMap(({ events }) => events),
    offered,
  );

/** Returns the actions of a reader and, if there are several visits, each visit; `path` leads to the page of all visits. */
export function visitsCell(visits: readonly Visit[], offered: readonly string[], path: string, times: Times): Html {
  const words = toVisible(actsIn(visits, offered).join(', '));
  if (visits.length <= 1) return html`${words}`;
  return html`<details class="visits"><summary><span>${pluralize(visits.length, 'visit')}</span>: ${words}</summary>
<ol>
${visits.slice(0, maxListed).map((visit) => html`<li>${times.timeElement(visit.startedAt)} ${visitWords(visit, offered)}</li>\n`)}
${visits.length > maxListed ? html`<li><a href="${path}">All ${visits.length} visits</a></li>` : ''}
</ol></details>`;
}

const visitWords = ({ events, clients }: Visit, offered: readonly string[], toCase = (words: string) => words): Html =>
  html`${toVisible(toCase(toList(actsOf(events, offered))))}${clients.length === 0 ? '' : html` with <bdi>${toVisible(toList(clients.map(toKnownName)))}</bdi>`}`;

/** Returns the events of a reader, the latest first. */
export function timeline(
  { offered, reader, tokens, grants, messages, visits }: OutputOf<typeof getReader>,
  site: Site,
  times: Times,
): Html {
  const idsOf = ({ events }: Visit) =>
    events.flatMap(({ operation, item }) => (operation === 'message' && item !== null ? [item] : []));
  const isOfLink = reader.visitor.kind === 'link';
  const sentInVisits = new Set(visits.flatMap(idsOf));
  const linkTo = (id: string, words: string) =>
    html` <a href="${site.path(`/desk/inbox/${encodeURIComponent(id)}`)}">${words}</a>`;
  const entries: { readonly at: Date; readonly words: Html }[] = [
    ...tokens
      .filter(({ grantId }) => grantId === null)
      .map(({ issuedAt }) => ({
        at: issuedAt,
        words: html`${isOfLink ? 'Opened the link.' : 'Asked for access and got a token.'}`,
      })),
    ...grants.map(({ createdAt, clientName }) => ({
      at: createdAt,
      words: html`Connected <bdi>${toVisible(clientName)}</bdi>.`,
    })),
    // Spam, and messages that another visitor sent under this address.
    ...messages
      .filter(({ id }) => !sentInVisits.has(id))
      .map(({ id, receivedAt }) => ({ at: receivedAt, words: html`Wrote to you.${linkTo(id, 'Read the message')}` })),
    ...visits.map((visit) => ({
      at: visit.startedAt,
      words: html`${visitWords(visit, offered, capitalize)}.${idsOf(visit).map((id, index, { length }) => linkTo(id, length === 1 ? 'Read the message' : `Read message ${index + 1}`))}`,
    })),
    ...(reader.erasedAt === null ? [] : [{ at: reader.erasedAt, words: html`Erased the record of what was read.` }]),
  ];
  entries.sort((one, other) => other.at.getTime() - one.at.getTime());
  return html`<ol class="rows">
${entries.map(({ at, words }) => html`<li class="row"><p>${words}</p><span class="row-end soft small">${times.timeElement(at)}</span></li>\n`)}
</ol>`;
}
