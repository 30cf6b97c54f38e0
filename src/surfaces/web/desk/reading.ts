import { html } from 'hono/html';
import { pluralize, toVisible } from 'resume-profile/text';
import type { StoredContact } from '../../../model/contact.ts';
import type { Grant } from '../../../model/oauth.ts';
import type { Reader } from '../../../model/reader.ts';
import type { StoredToken } from '../../../model/token.ts';
import type { Visitor } from '../../../model/visitor.ts';
import type { Visit } from '../../../operations/owner/visits.ts';
import { capitalize, toKnownName } from '../format.ts';
import type { Html, Site } from '../page.ts';
import { actsOf, toList } from '../visit-words.ts';
import type { Times } from './time.ts';

/** How many visits a row lists. */
const maxListed = 3;
const maxClients = 2;

/** The visitor as the owner knows them. */
export const visitorName = (visitor: Visitor): Html => html`<bdi>${visitorWords(visitor)}</bdi>`;

/** The visitor as the owner knows them, as text. */
export const visitorWords = (visitor: Visitor): string =>
  toVisible(visitor.kind === 'link' ? (visitor.name ?? 'A link that ended') : visitor.address);

/** Returns the names of the clients that visits were made with, the latest first. */
export function clientNamesOf(visits: readonly Visit[]): Html {
  const names = [...new Set(visits.flatMap(({ clients }) => clients.map(toKnownName)))];
  const others = names.length - maxClients;
  const shown = names.slice(0, maxClients).map(toVisible).join(', ');
  if (names.length === 0) return html`<span class="soft">–</span>`;
  return html`<span class="clipped" dir="auto">${shown}${others > 0 ? ` and ${others} more` : ''}</span>`;
}

/** Returns what visits did, each thing with how often, as a part of a sentence; empty if they did nothing. */
export const actsIn = (visits: readonly Visit[], offered: readonly string[]): string[] =>
  actsOf(
    visits.flatMap(({ events }) => events),
    offered,
  );

interface Listed {
  /** The latest first. */
  readonly visits: readonly Visit[];
  readonly offered: readonly string[];
  /** The path of the page that lists all visits. */
  readonly path: string;
  readonly times: Times;
}

/** Returns what a reader did, and under it each visit if there are several. */
export function visitsCell({ visits, offered, path, times }: Listed): Html {
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

interface History {
  /** The names of the operations that visitors can call. */
  readonly offered: readonly string[];
  readonly reader: Reader;
  readonly tokens: readonly StoredToken[];
  readonly grants: readonly Grant[];
  readonly messages: readonly StoredContact[];
  readonly visits: readonly Visit[];
}

interface Entry {
  readonly at: Date;
  readonly words: Html;
}

/** Returns what happened with a reader, the latest first. */
export function timeline(
  { offered, reader, tokens, grants, messages, visits }: History,
  site: Site,
  times: Times,
): Html {
  const idsOf = ({ events }: Visit) =>
    events.flatMap(({ operation, item }) => (operation === 'message' && item !== null ? [item] : []));
  const isOfLink = reader.visitor.kind === 'link';
  const sentInVisits = new Set(visits.flatMap(idsOf));
  const linkTo = (id: string, words: string) =>
    html` <a href="${site.path(`/desk/inbox/${encodeURIComponent(id)}`)}">${words}</a>`;
  const entries: Entry[] = [
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
    // Spam, and what another visitor sent under this address.
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
