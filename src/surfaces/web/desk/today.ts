import { html } from 'hono/html';
import { firstLineOf, type StoredContact } from '../../../model/contact.ts';
import type { Activity } from '../../../model/reader.ts';
import { pluralize, toVisible } from '../../../model/text.ts';
import { visitDesk } from '../../../operations/owner/desk.ts';
import type { OutputOf } from '../../../operations/owner/operation.ts';
import { countReads, type DayOfReads, listReaders } from '../../../operations/owner/readers.ts';
import type { Html, Site } from '../page.ts';
import { replyLink } from './message.ts';
import { readersTable } from './readers.ts';
import { actionsOf, readingOf, toList } from './reading.ts';
import type { Desk, DeskRouter } from './router.ts';
import { sinceWords, timeElement, toDay, toDayAndTime, toExact, toIsoDay, zoneNote } from './time.ts';
import { upkeepRows } from './upkeep.ts';

/** How many messages, and how many readers, are told of one by one. */
const maxTold = 5;

/** Adds the section Today. */
export function addTodayTo(desk: DeskRouter, { site, run, commands }: Desk): void {
  desk.page('/desk', async ({ formToken, isOpened, now }) => {
    const { before, upkeep, ...visit } = await run(visitDesk, { is_seen: isOpened, max_messages: maxTold });
    const news = newsRows({ ...visit, maxTold, since: before }, site);
    const chores = upkeepRows(upkeep, commands, site, formToken, now);
    return {
      title: 'Today',
      section: 'Today',
      body: html`<div class="head">
<h1>${before === null ? 'Your first visit' : sinceWords(before, now)}</h1>
<p class="soft small">${before === null ? 'This is all that happened so far.' : html`You were last here ${timeElement(before, now, toDayAndTime(before))}`}</p>
</div>
<ul class="rows">
${news.length === 0 ? nothingNew(before, site) : news}
${chores}
</ul>
${await readersSummary({ site, run, formToken, now })}
${zoneNote(now)}`,
    };
  });
}

const nothingNew = (before: Date | null, site: Site): Html =>
  html`<li class="row"><span class="mark"></span><p class="soft">${
    before === null
      ? html`Nobody has asked for access yet. Send people the address of your page: <a href="${site.path('/')}">${site.baseUrl}</a>`
      : 'Nothing has happened since then.'
  }</p></li>
`;

type ReaderActivity = Activity & { readonly id: string };

interface News extends Omit<OutputOf<typeof visitDesk>, 'before' | 'upkeep'> {
  /** How many messages, and how many readers, are told of one by one. */
  readonly maxTold: number;
  /** Null on the first visit. */
  readonly since: Date | null;
}

/** Returns what happened as rows, each a sentence. */
export function newsRows({ messages, message_count, activity, maxTold, since, ...record }: News, site: Site): Html[] {
  const allActionsOf = (one: Activity) => actionsBy(one, record.offered);
  const isWaiting = (one: Activity) => one.hasAskedForAccess && allActionsOf(one).length === 1;
  const active = activity.filter((one) => !isWaiting(one));
  const waiting = activity.filter(isWaiting);
  const readersPath = site.path(`/desk/readers${since === null ? '' : `?since=${toIsoDay(since)}`}`);
  const linkTo = (one: ReaderActivity) =>
    html`<a href="${site.path(`/desk/readers/${one.id}`)}"><bdi>${toVisible(one.address)}</bdi></a>`;

  const rows = messages.map((message) => messageRow(message, site));
  const untoldMessages = message_count - messages.length;
  if (untoldMessages > 0)
    rows.push(
      row(html`and ${untoldMessages} more wrote to you`, html`<a href="${site.path('/desk/inbox')}">Inbox</a>`),
    );
  for (const one of active.slice(0, maxTold))
    rows.push(row(html`${linkTo(one)} ${toVisible(toList(allActionsOf(one)))}.`));
  const untold = active.length - maxTold;
  if (untold > 0)
    rows.push(
      row(html`and ${untold} more ${untoldWords(active.slice(maxTold))}`, html`<a href="${readersPath}">Readers</a>`),
    );
  if (waiting.length > 0) rows.push(row(accessSentence(waiting, linkTo, record.is_recorded)));
  return rows;
}

const row = (sentence: Html, end?: Html): Html => html`<li class="row"><span class="mark"></span><p>${sentence}</p>${
  end === undefined ? '' : html`<span class="row-end">${end}</span>`
}</li>
`;

function messageRow(message: StoredContact, site: Site): Html {
  const { id, name, company, receivedAt, state } = message;
  return html`<li class="row"><span class="mark${state === 'unread' ? ' new' : ''}"></span><p class="sentence"><strong><bdi>${toVisible(name)}</bdi></strong>, <bdi>${toVisible(company)}</bdi>, wrote: <q dir="auto">${toVisible(firstLineOf(message.message, 90))}</q></p>
<span class="row-end actions"><a href="${site.path(`/desk/inbox/${encodeURIComponent(id)}`)}">Read</a><a href="${replyLink(message, toExact(receivedAt))}">Reply</a></span></li>
`;
}

/** Returns the actions of a visitor, each as part of a sentence. */
const actionsBy = (
  { hasAskedForAccess, connected, hasErasedReads, reads }: Activity,
  offered: readonly string[],
): string[] => [
  ...(hasAskedForAccess ? ['asked for access'] : []),
  ...(connected.length === 0 ? [] : [`connected ${clientsOf(connected)}`]),
  ...actionsOf(readingOf(reads, offered)),
  ...(hasErasedReads ? ['erased the record of what they read'] : []),
];

/** Says what the readers did who are not listed one by one. */
const untoldWords = (untold: readonly Activity[]): string =>
  untold.some(({ connected }) => connected.length > 0) ? 'connected a client or read something' : 'read something';

const maxNamed = 3;

const clientsOf = ([name = '', ...others]: readonly string[]): string =>
  others.length === 0 ? firstLineOf(name, 60) : pluralize(1 + others.length, 'client');

/** Says who asked for access and did nothing else. */
function accessSentence(
  waiting: readonly ReaderActivity[],
  linkTo: (one: ReaderActivity) => Html,
  isRecorded: boolean,
): Html {
  const named = waiting.slice(0, maxNamed).map(linkTo);
  const others = waiting.length - named.length;
  const last = others > 0 ? html`${others} more` : named.pop()!;
  const names =
    named.length === 0 ? last : html`${named.map((name, index) => html`${index > 0 ? ', ' : ''}${name}`)} and ${last}`;
  const rest = isRecorded ? ` and ${waiting.length === 1 ? 'has' : 'have'} read nothing yet` : '';
  return html`${names} asked for access${rest}.`;
}

interface Summary {
  readonly site: Site;
  readonly run: Desk['run'];
  readonly formToken: Html;
  readonly now: Date;
}

/** How many readers are listed. */
const maxReaders = 8;

/** The readers of the last days in figures and a chart, and those seen last. */
async function readersSummary({ run, ...page }: Summary): Promise<Html> {
  const { total, ...list } = await run(listReaders, { limit: maxReaders });
  if (total === 0) return html``;
  return html`<h2>Readers</h2>
${list.is_recorded ? figures(await run(countReads, {})) : html`<p class="soft">What visitors read is not recorded: READER_RECORD is off.</p>`}
${readersTable({ ...list, ...page })}
<p class="small"><a href="${page.site.path('/desk/readers')}">${total === null || total === 1 ? 'All readers' : `All ${total} readers`}</a></p>`;
}

function figures({ days, week }: OutputOf<typeof countReads>): Html {
  return html`<div class="reader-figures">
<dl class="numbers">
${figure(week.readers, week.readers === 1 ? 'reader in 7 days' : 'readers in 7 days')}
${figure(week.reads, week.reads === 1 ? 'part of the profile read' : 'parts of the profile read')}
${figure(week.pdfReaders, 'asked for the PDF')}
</dl>
${readsChart(days)}
</div>`;
}

const figure = (count: number, words: string): Html =>
  html`<div><dt>${words}</dt><dd>${count.toLocaleString('en-GB')}</dd></div>\n`;

const barWidth = 14;
const barGap = 7;
const chartHeight = 44;

/** Returns the reads of each day as bars, with a table of the same numbers. */
export function readsChart(days: readonly DayOfReads[]): Html {
  const width = days.length * (barWidth + barGap);
  const most = Math.max(...days.map(({ reads }) => reads));
  const total = days.reduce((sum, { reads }) => sum + reads, 0);
  return html`<figure class="chart">
<svg viewBox="0 0 ${width} ${chartHeight + 1}" width="${width}" height="${chartHeight + 1}" role="img" aria-label="${pluralize(total, 'read')} in ${pluralize(days.length, 'day')}, at most ${most} a day">
${days.map(({ day, reads, readers }, index) => bar(index, Math.ceil((reads / Math.max(most, 1)) * chartHeight), wordsOf(day, reads, readers)))}
<rect class="axis" x="0" y="${chartHeight}" width="${width}" height="1" fill="currentColor"/>
</svg>
<details class="in-place small">
<summary>The chart as a table</summary>
<div><table>
<thead><tr><th scope="col">Day</th><th scope="col" class="number">Reads</th><th scope="col" class="number">Readers</th></tr></thead>
<tbody>
${days.map(({ day, reads, readers }) => html`<tr><td>${toDay(day)}</td><td class="number">${reads}</td><td class="number">${readers}</td></tr>\n`)}
</tbody>
</table></div>
</details>
</figure>`;
}

// As tall as the chart, so that a day without reads can be pointed at, too.
const bar = (index: number, barHeight: number, words: string): Html => {
  const x = index * (barWidth + barGap);
  return html`<g><title>${words}</title><rect x="${x}" y="0" width="${barWidth}" height="${chartHeight}" fill="transparent"/><rect x="${x}" y="${chartHeight - barHeight}" width="${barWidth}" height="${barHeight}" fill="currentColor"/></g>\n`;
};

const wordsOf = (day: Date, reads: number, readers: number): string =>
  `${toDay(day)}: ${pluralize(reads, 'read')}${reads === 0 ? '' : ` by ${pluralize(readers, 'reader')}`}`;
