import { html } from 'hono/html';
import { pluralize, toVisible } from 'resume-profile/text';
import { excerptOf, type StoredContact } from '../../../model/contact.ts';
import type { Activity } from '../../../model/reader.ts';
import { visitDesk } from '../../../operations/owner/desk.ts';
import type { OutputOf } from '../../../operations/owner/operation.ts';
import { getProfileDocument } from '../../../operations/owner/profile.ts';
import { listReaders } from '../../../operations/owner/readers.ts';
import { countVisits } from '../../../operations/owner/visits.ts';
import type { Html, Site } from '../page.ts';
import { actsOf, timesOf, toList } from '../visit-words.ts';
import { head } from './elements.ts';
import { figures } from './figures.ts';
import { inPeriod, longest, periodLinks, periodOf, periodWords, readPeriod } from './period.ts';
import { notRecorded, readersTable } from './readers.ts';
import { actsIn, visitorName } from './reading.ts';
import type { Desk, DeskRequest, DeskRouter } from './router.ts';
import { isLocal, localWords } from './share.ts';
import type { Times } from './time.ts';
import { upkeepRows } from './upkeep.ts';

/** The maximum of messages, and of readers, that have a row of their own. */
const maxListed = 5;

export function addTodayTo(desk: DeskRouter, { site, run, commands }: Desk): void {
  desk.page('/desk', async (request) => {
    const { formToken, isOpened, times } = request;
    const visit = await run(visitDesk, { is_seen: isOpened, max_listed: maxListed });
    const { before, is_first: isFirst, upkeep, availability } = visit;
    const activity = activityRows({ ...visit, since: before }, times, site);
    const { place } = await run(getProfileDocument, {});
    const chores = upkeepRows(upkeep, commands, site, formToken, times);
    const heading =
      before === null
        ? head(isFirst ? 'Your first visit' : 'So far', 'This is all that happened so far.')
        : head(
            times.sinceWords(before),
            html`You were last here ${times.timeElement(before, times.toDayAndTime(before))}`,
          );
    return {
      title: 'Today',
      section: 'Today',
      body: html`${heading}
<ul class="rows">
${place === 'sample' ? row(html`This address shows a sample.`, html`<a href="${site.path('/desk/profile/import')}">Put your profile here</a>`) : ''}
${activity.length === 0 ? nothingNew(before, site) : activity}
${chores}
</ul>
${place === 'sample' ? '' : availabilityLine(availability, site)}
${await readersSummary(request, run)}
${times.zoneNote()}`,
    };
  });
}

const availabilityLine = (status: string, site: Site): Html =>
  html`<p class="small">${status === '' ? 'Visitors are told nothing of your availability.' : html`Your availability: “<bdi>${toVisible(status)}</bdi>”`} <a href="${site.path('/desk/profile')}">Change it</a></p>`;

const nothingNew = (before: Date | null, site: Site): Html =>
  html`<li class="row"><span class="mark"></span><div class="soft">${
    before === null
      ? html`Nobody has asked for access yet. ${isLocal(site) ? localWords(site) : html`Send people the address of your page: <a href="${site.path('/')}">${site.baseUrl}</a>`}`
      : 'Nothing has happened since then.'
  }</div></li>
`;

type Reader = Activity & { readonly id: string };

interface RecentActivity extends Omit<OutputOf<typeof visitDesk>, 'before' | 'is_first' | 'upkeep' | 'availability'> {
  /** Null on the first visit. */
  readonly since: Date | null;
}

/** Returns the recent events as rows, each a sentence. */
export function activityRows(recent: RecentActivity, times: Times, site: Site): Html[] {
  const { messages, message_count, active, unlisted, waiting, since, offered, is_recorded } = recent;
  // Today counts as a day.
  const period = since === null ? longest : periodOf(times.daysSince(since) + 1);
  const linkTo = ({ id, visitor }: Reader) =>
    html`<a href="${site.path(inPeriod(`/desk/readers/${id}`, period))}">${visitorName(visitor)}</a>`;

  const rows = messages.map((message) => messageRow(message, site));
  const unlistedMessages = message_count - messages.length;
  if (unlistedMessages > 0)
    rows.push(
      row(html`and ${unlistedMessages} more wrote to you`, html`<a href="${site.path('/desk/inbox')}">Inbox</a>`),
    );
  for (const one of active) rows.push(row(html`${linkTo(one)} ${toVisible(toList(actionsBy(one, offered)))}.`));
  if (unlisted.length > 0)
    rows.push(
      row(
        html`and ${unlisted.length} more ${unlistedActions(unlisted)}`,
        html`<a href="${site.path(inPeriod('/desk/readers', period))}">Readers</a>`,
      ),
    );
  if (waiting.length > 0) rows.push(row(accessSentence(waiting, linkTo, is_recorded)));
  return rows;
}

const row = (sentence: Html, end?: Html): Html => html`<li class="row"><span class="mark"></span><p>${sentence}</p>${
  end === undefined ? '' : html`<span class="row-end">${end}</span>`
}</li>
`;

function messageRow(message: StoredContact, site: Site): Html {
  const { id, name, company, state } = message;
  return html`<li class="row"><span class="mark${state === 'unread' ? ' new' : ''}"></span><p class="clipped"><strong><bdi>${toVisible(name)}</bdi></strong>, <bdi>${toVisible(company)}</bdi>, wrote: <q dir="auto">${toVisible(excerptOf(message.message, 90))}</q></p>
<span class="row-end actions"><a href="${site.path(`/desk/inbox/${encodeURIComponent(id)}`)}">Read</a><a href="${site.path(`/desk/inbox/${encodeURIComponent(id)}#reply`)}">Reply</a></span></li>
`;
}

type ListedActivity = OutputOf<typeof visitDesk>['active'][number];

/** Returns the actions of a visitor, each as part of a sentence. Messages have rows of their own. */
function actionsBy(
  { visitor, requests, connected, hasErasedReads, visits, isFirst }: ListedActivity,
  offered: readonly string[],
): string[] {
  const silent = visits
    .map((visit) => ({ ...visit, events: visit.events.filter(({ operation }) => operation !== 'message') }))
    .filter(({ events }) => events.length > 0);
  if (visitor.kind === 'link') {
    const events = silent.flatMap((visit) => visit.events.filter(({ operation }) => operation !== 'page'));
    return [
      ...(isFirst ? ['was opened for the first time'] : requests === 0 ? [] : [`was opened${timesOf(requests)}`]),
      ...actsOf(events, offered),
      ...(connected.length === 0 ? [] : [`connected ${clientsOf(connected)}`]),
    ];
  }
  const acts = actsIn(silent, offered);
  return [
    ...(requests === 0 ? [] : [`asked for access${timesOf(requests)}`]),
    ...(connected.length === 0 ? [] : [`connected ${clientsOf(connected)}`]),
    ...(silent.length > 1 ? [`came${timesOf(silent.length)} (${toList(acts)})`] : acts),
    ...(hasErasedReads ? ['erased the record of what they read'] : []),
  ];
}

/** Sums up the actions of the readers that are not listed. */
const unlistedActions = (unlisted: readonly Activity[]): string =>
  unlisted.some(({ connected }) => connected.length > 0) ? 'connected a client or came' : 'came';

const maxNamed = 3;

const clientsOf = ([name = '', ...others]: readonly string[]): string =>
  others.length === 0 ? excerptOf(name, 60) : pluralize(1 + others.length, 'client');

/** Names the readers who only asked for access. */
function accessSentence(waiting: readonly Reader[], linkTo: (one: Reader) => Html, isRecorded: boolean): Html {
  const named = waiting.slice(0, maxNamed).map(linkTo);
  const others = waiting.length - named.length;
  const last = others > 0 ? html`${others} more` : named.pop()!;
  const names =
    named.length === 0 ? last : html`${named.map((name, index) => html`${index > 0 ? ', ' : ''}${name}`)} and ${last}`;
  const times = waiting.length === 1 ? timesOf(waiting[0]!.requests) : '';
  const rest = isRecorded ? ` and ${waiting.length === 1 ? 'has' : 'have'} read nothing yet` : '';
  return html`${names} asked for access${times}${rest}.`;
}

const maxReaders = 8;

/** The readers of a period in figures and a chart, and those seen last. */
async function readersSummary(request: DeskRequest, run: Desk['run']): Promise<Html> {
  const { site, query, times } = request;
  const period = readPeriod(query);
  const within = { days: period.days, zone: times.zone };
  const counted = await run(countVisits, within);
  const { total, ...list } = await run(listReaders, { ...within, has_visited: true, limit: maxReaders });
  const isEmpty = total === 0 && counted.idle === 0;
  if (isEmpty && (await run(listReaders, { ...within, days: longest.days, limit: 1 })).total === 0) return html``;
  return html`<div class="spread">
<h2>Readers${periodWords(period)}</h2>
${periodLinks(period, '/desk', site)}
</div>
${list.is_recorded ? '' : notRecorded}
${isEmpty ? html`<p class="soft">Nobody came${periodWords(period)}.</p>` : list.is_recorded ? figures(counted, period, times) : ''}
${total === 0 ? '' : readersTable(list, period, request)}
${isEmpty ? '' : html`<p class="small"><a href="${site.path(inPeriod('/desk/readers', period))}">All readers${periodWords(period)}</a></p>`}`;
}
