import { html } from 'hono/html';
import { longestAddress } from '../../../../model/email-address.ts';
import { pluralize } from '../../../../model/pluralize.ts';
import { maxCounted } from '../../../../model/reader.ts';
import { type Html, type Site, statusMessage } from '../../page.ts';
import { erased } from '../erasure.ts';
import type { DeskRouter } from '../router.ts';
import { zoneNote } from '../time.ts';
import type { Readers } from './ports.ts';
import { addReaderTo } from './reader.ts';
import { readersTable } from './readers-table.ts';

interface Options {
  readonly site: Site;
  readonly readers: Readers;
  readonly now: () => Date;
}

/** How many readers the page lists at most. */
const maxListed = 200;
const moreThanCounted = `more than ${maxCounted.toLocaleString('en-GB')}`;

/** Adds the section Readers: the list, and a page for each reader. */
export function addReadersTo(desk: DeskRouter, options: Options): void {
  const { site, readers, now: clock } = options;
  addReaderTo(desk, options);

  desk.page('/desk/readers', async ({ query, formToken }) => {
    const now = clock();
    const text = (query.get('q') ?? '').trim().slice(0, longestAddress).toWellFormed();
    const day = query.get('since') ?? '';
    const since = dayStart(day);
    const filter = { ...(text !== '' && { text }), ...(since !== null && { since }) };
    const { readers: listed, total } = await readers.listReaders(filter, maxListed);
    const isFiltered = text !== '' || since !== null;
    return {
      title: 'Readers',
      section: 'Readers',
      body: html`<div class="head">
<h1>Readers</h1>
<p class="soft small">${total === 0 ? '' : `${total === null ? `${moreThanCounted} readers` : pluralize(total, 'reader')}${isFiltered ? ' found' : ''}`}</p>
</div>
${query.get('done') === 'erased' ? statusMessage('good', erased) : ''}
${recordNote(readers)}
${total === 0 && !isFiltered ? '' : filterForm(site, text, since === null ? '' : day)}
${
  total === 0
    ? html`<p class="empty">${isFiltered ? html`Nobody found. <a href="${site.path('/desk/readers')}">Show all readers</a>` : 'Nobody has asked for access yet. Each address that does is listed here.'}</p>`
    : await readersTable({ site, readers, listed, formToken, now })
}
${total === null || total > maxListed ? html`<p class="small">These are the ${maxListed} seen last of ${total ?? moreThanCounted}. Search for an address to find the others.</p>` : ''}
${total === 0 ? '' : html`<p class="soft small">Visitors typed these addresses in. None is verified, unless it is marked so.</p>`}
${zoneNote(now)}`,
    };
  });
}

/** Says so if reads are not recorded. */
const recordNote = ({ isRecorded }: Readers): Html =>
  isRecorded
    ? html``
    : html`<p class="notice">What visitors read is not recorded: READER_RECORD is off. You see their tokens and messages.</p>`;

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
