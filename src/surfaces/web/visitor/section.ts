import { html } from 'hono/html';
import { toMonthAndYear } from '../../../model/dates.ts';
import { toVisible } from '../../../model/visible-text.ts';
import type { Html } from '../page.ts';

/** A section of the resume; nothing if it has no entries. */
export const section = (title: string, entries: readonly Html[], id = title.toLowerCase()): Html =>
  entries.length === 0
    ? html``
    : html`<section aria-labelledby="${id}">
<h2 id="${id}"><bdi>${toVisible(title)}</bdi></h2>
${entries}
</section>`;

/** A section of short items in one paragraph. */
export const listing = (title: string, items: readonly string[]): Html =>
  section(
    title,
    items.length === 0
      ? []
      : [html`<ul class="line">${items.map((item) => html`<li><bdi>${toVisible(item)}</bdi></li>`)}</ul>`],
  );

/** Parts with a separator between them. */
export const joined = (parts: readonly Html[], separator: Html | string): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`;

/** A paragraph of a class; nothing if the text is empty. */
export const paragraph = (name: string, text: string): Html =>
  text === '' ? html`` : html`<p class="${name}" dir="auto">${toVisible(text)}</p>`;

/** A list with bullets; nothing if it has no items. */
export const bulletsOf = (items: readonly string[]): Html =>
  items.length === 0 ? html`` : html`<ul>${items.map((item) => html`<li dir="auto">${toVisible(item)}</li>`)}</ul>`;

/** Dates, YYYY-MM-DD or as coarse as a year; an end that is null goes on, and what is undefined is not shown. */
export function datesOf(start: string | undefined, end?: string | null): Html {
  const shown = [
    ...(start === undefined ? [] : [timeOf(start)]),
    ...(end === undefined ? [] : [end === null ? html`now` : timeOf(end)]),
  ];
  if (shown.length === 0) return html``;
  return html`<p class="dates" dir="ltr">${joined(shown, ' – ')}</p>`;
}

const timeOf = (date: string): Html => html`<time datetime="${date}">${toMonthAndYear(date)}</time>`;

/** A link that shows its host, after a label if there is one; that host gets no Referer. */
export const linkOf = (url: string, label?: string): Html =>
  html`<a href="${url}" rel="noopener noreferrer">${label === undefined ? '' : `${label}: `}${toVisible(new URL(url).host.replace(/^www\./, ''))}</a> `;
