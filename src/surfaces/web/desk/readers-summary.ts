import { html } from 'hono/html';
import { pluralize } from '../../../model/text.ts';
import type { OutputOf } from '../../../operations/owner/operation.ts';
import { countReads, type DayOfReads, listReaders } from '../../../operations/owner/readers.ts';
import type { Html, Site } from '../page.ts';
import { readersTable } from './readers.ts';
import type { Desk } from './router.ts';
import { toDay } from './time.ts';

interface Summary {
  readonly site: Site;
  readonly run: Desk['run'];
  readonly formToken: Html;
  readonly now: Date;
}

const maxListed = 8;

/** The readers of the last days in figures and a chart, and those seen last. */
export async function readersSummary({ run, ...page }: Summary): Promise<Html> {
  const { total, ...list } = await run(listReaders, { limit: maxListed });
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
const gap = 7;
const height = 44;

/** Returns the reads of each day as bars, with a table of the same numbers. */
export function readsChart(days: readonly DayOfReads[]): Html {
  const width = days.length * (barWidth + gap);
  const most = Math.max(...days.map(({ reads }) => reads));
  const total = days.reduce((sum, { reads }) => sum + reads, 0);
  return html`<figure class="chart">
<svg viewBox="0 0 ${width} ${height + 1}" width="${width}" height="${height + 1}" role="img" aria-label="${pluralize(total, 'read')} in ${pluralize(days.length, 'day')}, at most ${most} a day">
${days.map(({ day, reads, readers }, index) => bar(index, Math.ceil((reads / Math.max(most, 1)) * height), wordsOf(day, reads, readers)))}
<rect class="axis" x="0" y="${height}" width="${width}" height="1" fill="currentColor"/>
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
  const x = index * (barWidth + gap);
  return html`<g><title>${words}</title><rect x="${x}" y="0" width="${barWidth}" height="${height}" fill="transparent"/><rect x="${x}" y="${height - barHeight}" width="${barWidth}" height="${barHeight}" fill="currentColor"/></g>\n`;
};

const wordsOf = (day: Date, reads: number, readers: number): string =>
  `${toDay(day)}: ${pluralize(reads, 'read')}${reads === 0 ? '' : ` by ${pluralize(readers, 'reader')}`}`;
