import { html } from 'hono/html';
import type { Html, Site } from '../../page.ts';
import { readsChart } from './chart.ts';
import type { Readers } from './ports.ts';
import { readersTable } from './readers-table.ts';

interface Summary {
  readonly site: Site;
  readonly readers: Readers;
  readonly formToken: Html;
  readonly now: Date;
}

const chartDays = 14;
const figureDays = 7;
const maxListed = 8;

/** The readers of the last days in figures and a chart, and those seen last. */
export async function readersSummary({ site, readers, formToken, now }: Summary): Promise<Html> {
  const { readers: listed, total } = await readers.listReaders({}, maxListed);
  if (total === 0) return html``;
  return html`<h2>Readers</h2>
${readers.isRecorded ? await figures(readers, now) : html`<p class="soft">What visitors read is not recorded: READER_RECORD is off.</p>`}
${await readersTable({ site, readers, listed, formToken, now })}
<p class="small"><a href="${site.path('/desk/readers')}">${total === null || total === 1 ? 'All readers' : `All ${total} readers`}</a></p>`;
}

async function figures(readers: Readers, now: Date): Promise<Html> {
  const days = await Promise.all(
    Array.from({ length: chartDays }, async (_, index) => {
      const day = midnight(now, index + 1 - chartDays);
      return { day, ...(await readers.readTotals(day, midnight(now, index + 2 - chartDays))) };
    }),
  );
  const week = await readers.readTotals(midnight(now, 1 - figureDays), midnight(now, 1));
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

/** Returns the beginning of a day at the server, so many days from now. */
const midnight = (now: Date, days: number): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
