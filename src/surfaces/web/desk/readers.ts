import { html } from 'hono/html';
import { longestAddress } from 'resume-profile/email-address';
import { pluralize, toVisible } from 'resume-profile/text';
import type { Grant } from '../../../model/oauth.ts';
import { maxCounted } from '../../../model/reader.ts';
import type { OutputOf } from '../../../operations/owner/operation.ts';
import { exportReaders, type ListedReader, listReaders } from '../../../operations/owner/readers.ts';
import { countVisits } from '../../../operations/owner/visits.ts';
import { toKnownName } from '../format.ts';
import { type Html, inDetails, statusMessage } from '../page.ts';
import { timesOf } from '../visit-words.ts';
import { downloadOf } from './download.ts';
import { head } from './elements.ts';
import { erased } from './erasure.ts';
import { type DeskPeriod, inPeriod, longest, periodLinks, periodWords, readPeriod } from './period.ts';
import { addReaderTo, revokeForm } from './reader.ts';
import { clientNamesOf, toShortList, visitorName, visitsCell } from './reading.ts';
import type { Desk, DeskRequest, DeskRouter } from './router.ts';

const maxListed = 200;
const moreThanCounted = `more than ${maxCounted.toLocaleString('en-GB')}`;

const exportedColumns = [
  ...(['address', 'is_verified', 'first_seen_at', 'last_seen_at', 'visits', 'page_openings'] as const),
  ...(['pdfs', 'messages', 'clients', 'note'] as const),
] as const;

export function addReadersTo(desk: DeskRouter, options: Desk): void {
  const { run } = options;

  for (const format of ['json', 'csv'] as const)
    desk.page(`/desk/readers/export.${format}`, async ({ query, times: { zone } }) => {
      const readers = await run(exportReaders, { days: readPeriod(query).days, zone, ...textOf(query) });
      const namesOf = (clients: readonly string[]) => [...new Set(clients.map(toKnownName))].join('; ');
      const rows = readers.map(({ clients, ...reader }) => ({ ...reader, clients: namesOf(clients) }));
      return downloadOf({ format, name: 'readers', columns: exportedColumns }, rows);
    });

  addReaderTo(desk, options);

  desk.page('/desk/readers', async (request) => {
    const { query, times } = request;
    const { zone } = times;
    const period = readPeriod(query);
    const { days } = period;
    const filter = { days, zone, limit: maxListed, ...textOf(query) };
    const { text = '' } = filter;
    const counted = text === '' ? await run(countVisits, { days, zone }) : null;
    const visited = await run(listReaders, { ...filter, has_visited: true });
    const idle = await run(listReaders, { ...filter, has_visited: false });
    const isEmpty = visited.total === 0 && idle.total === 0;
    const isNew = isEmpty && (await run(listReaders, { zone, limit: 1 })).total === 0;
    const list = { ...request, period, visited, idle, counted, text };
    return {
      title: 'Readers',
      section: 'Readers',
      body: html`${head('Readers', isNew ? '' : headWords(list))}
${query.get('done') === 'erased' ? statusMessage('good', erased) : ''}
${visited.is_recorded ? '' : notRecorded}
${isNew ? html`<p class="empty">Nobody has asked for access yet. Each address that does is listed here.</p>` : toolsOf(list)}
${isNew ? '' : isEmpty ? nobodyFound(list) : tablesOf(list)}
${times.zoneNote()}`,
    };
  });
}

export const notRecorded: Html = html`<div class="notice">What visitors read is not recorded. You see their tokens and messages.
${inDetails(html`<p>The setting <code>READER_RECORD</code> is off.</p>`)}</div>`;

interface ReaderList extends DeskRequest {
  readonly period: DeskPeriod;
  readonly visited: OutputOf<typeof listReaders>;
  readonly idle: OutputOf<typeof listReaders>;
  /** Null if the list is of a search. */
  readonly counted: OutputOf<typeof countVisits> | null;
  /** The part of an address that was searched for; empty if none was. */
  readonly text: string;
}

const parametersOf = ({ text }: ReaderList) => (text === '' ? undefined : { q: text });

function headWords({ visited, counted, period }: ReaderList): string {
  if (!visited.is_recorded) return '';
  const words =
    counted === null
      ? `${peopleWords(visited.total)} found`
      : `${peopleWords(counted.people)} came, ${pluralize(counted.visits, 'visit')}`;
  return words + periodWords(period);
}

/** The links to the periods, and the search. */
function toolsOf(list: ReaderList): Html {
  const { site, period, counted, text } = list;
  return html`<div class="tools spread no-print">
${periodLinks(period, '/desk/readers', site, parametersOf(list))}
<form class="search compact" role="search" action="${site.path('/desk/readers')}">
<input type="hidden" name="period" value="${period.name}">
<label class="unseen" for="q">Address or link</label>
<input id="q" type="search" name="q" value="${text}" placeholder="Address or link" maxlength="${longestAddress}">
<button class="secondary">Search</button>
</form>
</div>
${counted?.is_whole === false ? html`<p class="soft small">Not all of this period is kept.</p>${inDetails(html`<p>The settings <code>KEEP_READS</code> and <code>KEEP_CONTACTS</code> say for how long.</p>`)}` : ''}`;
}

function tablesOf(list: ReaderList): Html {
  const { site, period, visited, idle } = list;
  const exportLink = (format: 'csv' | 'json') => {
    const path = inPeriod(`/desk/readers/export.${format}`, period, parametersOf(list));
    return html`<a href="${site.path(path)}" download>${format.toUpperCase()}</a>`;
  };
  return html`${visited.total === 0 ? '' : readersTable(visited, period, list)}
${moreNote(visited.total)}
${idle.total === 0 ? '' : html`<h2>${idle.is_recorded ? 'Asked, and read nothing' : 'Asked for access'}</h2>\n${readersTable(idle, period, list)}`}
${moreNote(idle.total)}
<p class="small actions">Export these: ${exportLink('csv')} ${exportLink('json')}</p>
<p class="soft small">Visitors typed these addresses in. None is verified, unless it is marked so.</p>`;
}

const peopleWords = (people: number | null): string =>
  people === 1 ? '1 person' : `${people?.toLocaleString('en-GB') ?? moreThanCounted} people`;

function textOf(query: URLSearchParams): { text?: string } {
  const text = (query.get('q') ?? '').trim().slice(0, longestAddress).toWellFormed();
  return text === '' ? {} : { text };
}

const moreNote = (total: number | null): Html | string =>
  total !== null && total <= maxListed
    ? ''
    : html`<p class="small">These are the ${maxListed} seen last of ${total?.toLocaleString('en-GB') ?? moreThanCounted}. Search for an address to find the others.</p>`;

function nobodyFound(list: ReaderList): Html {
  const { site, period, text } = list;
  const link = (parameters: { q: string } | undefined, words: string) =>
    html`<a href="${site.path(inPeriod('/desk/readers', longest, parameters))}">${words}</a>`;
  if (period === longest) return html`<p class="empty">Nobody found. ${link(undefined, 'Show all readers')}</p>`;
  return html`<p class="empty">Nobody ${text === '' ? 'came' : 'found'}${periodWords(period)}. ${link(parametersOf(list), text === '' ? 'Show all readers' : 'Search all readers')}</p>`;
}

const maxNamed = 3;

/** The rows of readers, each with what they did and the form that ends their tokens. */
export function readersTable(
  { readers, offered }: Pick<OutputOf<typeof listReaders>, 'readers' | 'offered'>,
  period: DeskPeriod,
  { site, formToken, times }: DeskRequest,
): Html {
  const hasVisits = readers.some(({ visits }) => visits.length > 0);
  const row = (reader: ListedReader): Html => {
    const { id, visitor, lastSeenAt, note, visits, validTokens: count, validGrants: connected } = reader;
    const path = site.path(`/desk/readers/${id}`);
    const pageInPeriod = site.path(inPeriod(`/desk/readers/${id}`, period));
    return html`<tr>
<th scope="row"><a href="${pageInPeriod}">${visitorName(visitor)}</a>${connected.some(({ isVerified }) => isVerified) ? html` <span class="soft small">verified</span>` : ''}${hasVisits && connected.length > 0 ? html` <span class="clipped soft small" dir="auto">${connectedWords(connected)}</span>` : ''}${note === '' ? '' : html`<span class="clipped soft small" dir="auto">${toVisible(note)}</span>`}</th>
${
  hasVisits
    ? html`<td data-label="With">${clientNamesOf(visits)}</td>
<td data-label="What">${visitsCell(visits, offered, pageInPeriod, times)}</td>`
    : html`<td data-label="What">${idleWords(reader)}</td>`
}
<td class="number">${times.timeElement(visits[0]?.endedAt ?? lastSeenAt)}</td>
<td class="number">${
      count + connected.length === 0
        ? html`<span class="soft">access has ended</span>`
        : revokeForm({ path, label: 'Revoke', visitor, count, clients: connected.length, formToken })
    }</td>
</tr>`;
  };

  return html`<table class="readers stacked${hasVisits ? '' : ' idle'}">
<thead><tr><th scope="col">Reader</th>${hasVisits ? html`<th scope="col">With</th>` : ''}<th scope="col">What they did</th><th scope="col" class="number">Last</th><th scope="col"><span class="unseen">Revoke</span></th></tr></thead>
<tbody>
${readers.map(row)}
</tbody>
</table>`;
}

function idleWords({ visitor, requests, erasedAt, validGrants }: ListedReader): Html {
  const asked = visitor.kind === 'link' ? 'was opened' : 'asked for access';
  const acts = [
    ...(requests === 0 ? [] : [`${asked}${timesOf(requests)}`]),
    ...(validGrants.length === 0 ? [] : [connectedWords(validGrants)]),
    ...(erasedAt === null ? [] : ['record erased by the visitor']),
  ];
  return acts.length === 0 ? html`<span class="soft">nothing is kept but this</span>` : html`${acts.join(', ')}`;
}

const connectedWords = (grants: readonly Grant[]): string =>
  `connected ${toShortList([...new Set(grants.map(({ clientName }) => clientName))], maxNamed)}`;
