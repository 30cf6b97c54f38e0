import { html } from 'hono/html';
import { longestAddress } from '../../../model/email-address.ts';
import type { Grant } from '../../../model/oauth.ts';
import { maxCounted } from '../../../model/reader.ts';
import { pluralize, toVisible } from '../../../model/text.ts';
import type { OutputOf } from '../../../operations/owner/operation.ts';
import { type ListedReader, listReaders } from '../../../operations/owner/readers.ts';
import { toBrowserName } from '../format.ts';
import { type Html, type Site, statusMessage } from '../page.ts';
import { erased } from './erasure.ts';
import { addReaderTo } from './reader.ts';
import { revokeForm } from './reader-access.ts';
import { readingWords } from './reading.ts';
import type { Desk, DeskRouter } from './router.ts';
import { timeElement, zoneNote } from './time.ts';

/** How many readers the page lists at most. */
const maxListed = 200;
const moreThanCounted = `more than ${maxCounted.toLocaleString('en-GB')}`;

/** Adds the section Readers: the list, and a page for each reader. */
export function addReadersTo(desk: DeskRouter, options: Desk): void {
  const { site, run } = options;
  addReaderTo(desk, options);

  desk.page('/desk/readers', async ({ query, formToken, now }) => {
    const text = (query.get('q') ?? '').trim().slice(0, longestAddress).toWellFormed();
    const day = query.get('since') ?? '';
    const since = dayStart(day);
    const filter = { ...(text !== '' && { text }), ...(since !== null && { since }) };
    const list = await run(listReaders, { ...filter, limit: maxListed });
    const { total } = list;
    const isFiltered = text !== '' || since !== null;
    return {
      title: 'Readers',
      section: 'Readers',
      body: html`<div class="head">
<h1>Readers</h1>
<p class="soft small">${total === 0 ? '' : `${total === null ? `${moreThanCounted} readers` : pluralize(total, 'reader')}${isFiltered ? ' found' : ''}`}</p>
</div>
${query.get('done') === 'erased' ? statusMessage('good', erased) : ''}
${list.is_recorded ? '' : html`<p class="notice">What visitors read is not recorded: READER_RECORD is off. You see their tokens and messages.</p>`}
${total === 0 && !isFiltered ? '' : filterForm(site, text, since === null ? '' : day)}
${
  total === 0
    ? html`<p class="empty">${isFiltered ? html`Nobody found. <a href="${site.path('/desk/readers')}">Show all readers</a>` : 'Nobody has asked for access yet. Each address that does is listed here.'}</p>`
    : readersTable({ ...list, site, formToken, now })
}
${total === null || total > maxListed ? html`<p class="small">These are the ${maxListed} seen last of ${total ?? moreThanCounted}. Search for an address to find the others.</p>` : ''}
${total === 0 ? '' : html`<p class="soft small">Visitors typed these addresses in. None is verified, unless it is marked so.</p>`}
${zoneNote(now)}`,
    };
  });
}

const filterForm = (
  site: Site,
  text: string,
  day: string,
): Html => html`<form class="find" role="search" action="${site.path('/desk/readers')}">
<p><label for="q">Address</label><input id="q" type="search" name="q" value="${text}" maxlength="${longestAddress}"></p>
<p><label for="since">Seen since</label><input id="since" type="date" name="since" value="${day}"></p>
<button class="secondary">Show</button>
</form>`;

/** Returns the beginning of a day such as `2026-11-22` at the server; null if the text is not one. */
function dayStart(text: string): Date | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const start = new Date(Number(year), Number(month) - 1, Number(day));
  return Number.isNaN(start.getTime()) ? null : start;
}

const maxNamed = 3;

interface Table extends Omit<OutputOf<typeof listReaders>, 'total'> {
  readonly site: Site;
  readonly formToken: Html;
  readonly now: Date;
}

/** The rows of readers, each with what they read and the form that ends their tokens. */
export function readersTable({ readers, is_recorded, offered, site, formToken, now }: Table): Html {
  const row = (reader: ListedReader): Html => {
    const { id, address, client, lastSeenAt, note, validTokens: count, validGrants: connected } = reader;
    const path = site.path(`/desk/readers/${id}`);
    return html`<tr>
<th scope="row"><a href="${path}"><bdi>${toVisible(address)}</bdi></a>${connected.some(({ isVerified }) => isVerified) ? html` <span class="soft small">verified</span>` : ''}${clientsOf(connected)}${
      note === '' ? '' : html`<span class="clipped soft small" dir="auto">${toVisible(note)}</span>`
    }</th>
${
  is_recorded
    ? html`<td data-label="With">${client === null ? html`<span class="soft">–</span>` : html`<span class="clipped">${toVisible(toBrowserName(client))}</span>`}</td>
<td data-label="Read">${readingWords(reader, offered)}</td>`
    : ''
}
<td class="number">${timeElement(lastSeenAt, now)}</td>
<td class="number">${
      count + connected.length === 0
        ? html`<span class="soft">no valid token</span>`
        : revokeForm({
            action: `${path}/revoke`,
            label: 'Revoke',
            address,
            count,
            clients: connected.length,
            formToken,
          })
    }</td>
</tr>`;
  };

  return html`<table class="readers">
<thead><tr><th scope="col">Reader</th>${
    is_recorded ? html`<th scope="col">With</th><th scope="col">Read</th>` : ''
  }<th scope="col" class="number">Last</th><th scope="col"><span class="unseen">Revoke</span></th></tr></thead>
<tbody>
${readers.map(row)}
</tbody>
</table>`;
}

/** Names the clients that a reader has connected. */
function clientsOf(grants: readonly Grant[]): Html {
  const names = [...new Set(grants.map(({ clientName }) => clientName))];
  if (names.length === 0) return html``;
  const others = names.length - maxNamed;
  return html` <span class="clipped soft small" dir="auto">connected ${toVisible(names.slice(0, maxNamed).join(', '))}${others > 0 ? ` and ${others} more` : ''}</span>`;
}
