import { html } from 'hono/html';
import type { StoredContact } from '../../../model/contact.ts';
import type { Activity } from '../../../model/reader.ts';
import type { Html, Site } from '../page.ts';
import { newsRows } from './news.ts';
import type { Readers } from './readers/ports.ts';
import { readersSummary } from './readers/summary.ts';
import type { DeskRouter } from './router.ts';
import { sinceWords, timeElement, toDayAndTime, zoneNote } from './time.ts';
import { type Upkeep, type UpkeepCommands, upkeepRows } from './upkeep.ts';

/** What the section Today tells of. */
export interface Today {
  /** Records a visit of the owner, if wanted; returns when the one before ended, null on the first. */
  visitDesk(now: Date, isOpened: boolean): Promise<Date | null>;
  /** Returns the latest messages since an instant, at most `limit`, and how many there are. */
  messagesSince(
    since: Date,
    limit: number,
  ): Promise<{ readonly messages: readonly StoredContact[]; readonly total: number }>;
  /** Returns what each visitor did since an instant, the latest first. */
  activitySince(since: Date): Promise<readonly Activity[]>;
  upkeep(): Promise<Upkeep>;
  readonly commands: UpkeepCommands;
}

interface Options {
  readonly site: Site;
  readonly today: Today;
  readonly readers: Readers;
  readonly now: () => Date;
}

/** How many messages, and how many readers, are told of one by one. */
const maxTold = 5;

/** Adds the section Today. */
export function addTodayTo(desk: DeskRouter, { site, today, readers, now: clock }: Options): void {
  desk.page('/desk', async ({ formToken, isOpened }) => {
    const now = clock();
    const before = await today.visitDesk(now, isOpened);
    const since = before ?? new Date(0);
    const { messages, total } = await today.messagesSince(since, maxTold);
    const activity = await today.activitySince(since);
    const news = newsRows({ messages, messageCount: total, activity, maxTold, since: before }, readers, site);
    const chores = upkeepRows(await today.upkeep(), today.commands, site, formToken, now);
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
${await readersSummary({ site, readers, formToken, now })}
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
