import { html } from 'hono/html';
import type { Html, Site } from '../page.ts';

/** The periods of Today and Readers by the query parameter `period`; without it the first. */
const periods = [
  { name: '7', days: 7, title: '7 days' },
  { name: '30', days: 30, title: '30 days' },
  { name: '90', days: 90, title: '90 days' },
  { name: 'all', days: undefined, title: 'All' },
] as const;

export type DeskPeriod = (typeof periods)[number];

const [shortest] = periods;
export const longest = periods.at(-1)!;

export const readPeriod = (query: URLSearchParams): DeskPeriod =>
  periods.find(({ name }) => name === query.get('period')) ?? shortest;

/** Returns the shortest period with at least this many days. */
export const periodOf = (days: number): DeskPeriod =>
  periods.find((period) => period.days !== undefined && period.days >= days) ?? longest;

/** Returns the path of a page in a period, with further query parameters. */
export function inPeriod(
  path: string,
  { name }: DeskPeriod,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ ...(name !== shortest.name && { period: name }), ...parameters });
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Returns how a period ends a sentence, such as `in the last 7 days`; empty for all that is kept. */
export const periodWords = ({ days, title }: DeskPeriod): string => (days === undefined ? '' : ` in the last ${title}`);

export const periodLinks = (
  current: DeskPeriod,
  path: string,
  site: Site,
  parameters: Readonly<Record<string, string>> = {},
): Html =>
  html`<nav class="tabs" aria-label="Period">${periods.map(
    (period) =>
      html`<a href="${site.path(inPeriod(path, period, parameters))}"${period === current ? html` aria-current="true"` : ''}>${period.title}</a>`,
  )}</nav>`;
