import { html } from 'hono/html';
import { visitDesk } from '../../../operations/owner/desk.ts';
import type { Html, Site } from '../page.ts';
import { newsRows } from './news.ts';
import { readersSummary } from './readers-summary.ts';
import type { Desk, DeskRouter } from './router.ts';
import { sinceWords, timeElement, toDayAndTime, zoneNote } from './time.ts';
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
