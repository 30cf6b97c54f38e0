import { html } from 'hono/html';
import { pluralize } from 'resume-profile/text';
import { maxCounted } from '../../../model/reader.ts';
import type { OutputOf } from '../../../operations/owner/operation.ts';
import type { countVisits } from '../../../operations/owner/visits.ts';
import type { Html } from '../page.ts';
import type { DeskPeriod } from './period.ts';
import type { Times } from './time.ts';

type Figures = OutputOf<typeof countVisits>;
type VisitBar = Figures['bars'][number];

/** The figures of a period, each with the difference to the period before, and a chart of the visits. */
export function figures(counted: Figures, period: DeskPeriod, times: Times): Html {
  const { people, visits, withPdf, before, idle, bars } = counted;
  return html`<div class="figures spread">
<dl class="numbers">
${figure(people, people === 1 ? 'person came' : 'people came', before?.people)}
${figure(visits, visits === 1 ? 'visit' : 'visits', before?.visits)}
${figure(withPdf, 'got the PDF', before?.withPdf)}
${idle === 0 ? '' : figure(idle ?? `${maxCounted.toLocaleString('en-GB')}+`, 'asked, and read nothing', undefined)}
</dl>
${visitsChart(bars, times)}
</div>
${before === null ? '' : html`<p class="soft small">The small numbers are the difference to the ${period.days} days before.</p>`}`;
}

const figure = (count: number | string, words: string, before: number | undefined): Html =>
  html`<div><dt>${words}</dt><dd>${count.toLocaleString('en-GB')}${
    before === undefined || typeof count === 'string' ? '' : html` <span>${difference(count - before)}</span>`
  }</dd></div>\n`;

function difference(more: number): Html {
  if (more === 0)
    return html`<span aria-hidden="true">±0</span><span class="unseen">, as many as in the period before</span>`;
  const amount = Math.abs(more).toLocaleString('en-GB');
  return html`<span aria-hidden="true">${more > 0 ? '+' : '−'}${amount}</span><span class="unseen">, ${amount} ${more > 0 ? 'more' : 'fewer'} than in the period before</span>`;
}

const chartWidth = 420;
const barsTop = 22;
const barsHeight = 64;
const labelHeight = 18;
const chartHeight = barsTop + barsHeight + labelHeight;

/** Returns the visits as bars, with days below them and the value of the bar that has the focus above, and as a table. */
export function visitsChart(bars: readonly VisitBar[], times: Times): Html {
  const most = Math.max(...bars.map(({ visits }) => visits));
  const total = bars.reduce((sum, { visits }) => sum + visits, 0);
  const pitch = chartWidth / bars.length;
  const labelled = bars.length <= 7 ? 1 : Math.ceil(bars.length / 6);
  const bar = (one: VisitBar, index: number): Html => {
    const height = Math.ceil((one.visits / Math.max(most, 1)) * barsHeight);
    const x = index * pitch;
    // Counted from today, so that today has its label.
    const isLabelled = (bars.length - 1 - index) % labelled === 0;
    const day = Math.min(x + pitch / 2, chartWidth - 26);
    return html`<g class="bar-of-chart" tabindex="0" role="img" aria-label="${wordsOf(one, times)}"><rect x="${round(x)}" y="${barsTop}" width="${round(pitch)}" height="${barsHeight}" fill="transparent"/><rect x="${round(x + pitch * 0.16)}" y="${barsTop + barsHeight - height}" width="${round(pitch * 0.68)}" height="${height}" fill="currentColor"/><text class="value" x="0" y="13">${wordsOf(one, times)}</text>${
      isLabelled
        ? html`<text class="day" x="${round(day)}" y="${chartHeight - 4}">${times.toShortDay(one.lastDay)}</text>`
        : ''
    }</g>\n`;
  };
  return html`<figure class="chart">
<svg viewBox="0 0 ${chartWidth} ${chartHeight}" width="${chartWidth}" height="${chartHeight}" role="group" aria-label="${pluralize(total, 'visit')}, at most ${most} ${isDay(bars.at(-1)!) ? 'a day' : 'in a bar'}">
<rect class="axis" x="0" y="${barsTop + barsHeight}" width="${chartWidth}" height="1" fill="currentColor"/>
${bars.map(bar)}</svg>
<details class="in-place small">
<summary>The chart as a table</summary>
<div><table>
<thead><tr><th scope="col">Day</th><th scope="col" class="number">Visits</th><th scope="col" class="number">People</th></tr></thead>
<tbody>
${bars.toReversed().map((one) => html`<tr><td>${daysOf(one, times)}</td><td class="number">${one.visits}</td><td class="number">${one.people}</td></tr>\n`)}
</tbody>
</table></div>
</details>
</figure>`;
}

const round = (pixels: number): number => Math.round(pixels * 100) / 100;

const isDay = ({ from, lastDay }: VisitBar): boolean => from.getTime() === lastDay.getTime();

const daysOf = (bar: VisitBar, { toDay }: Times): string =>
  isDay(bar) ? toDay(bar.from) : `${toDay(bar.from)} to ${toDay(bar.lastDay)}`;

const wordsOf = (bar: VisitBar, times: Times): string =>
  `${daysOf(bar, times)}: ${pluralize(bar.visits, 'visit')}${bar.visits === 0 ? '' : ` by ${bar.people === 1 ? '1 person' : `${bar.people} people`}`}`;
