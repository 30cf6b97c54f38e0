/** A time from one date to another, each YYYY-MM-DD or as coarse as a year. `until` is null while it goes on. */
export interface DateSpan {
  readonly from: string;
  readonly until: string | null;
}

/** Whether a start is not after an end, compared to the precision of both: 2006-05 is not after 2006. */
export const isOrdered = (start: string, end: string): boolean =>
  start.slice(0, end.length) <= end.slice(0, start.length);

/** The first instant after a date, which is a day, a month or a year, in epoch milliseconds. */
export function endOfDate(date: string): number {
  const [year, month, day] = date.split('-').map(Number);
  if (month === undefined) return Date.UTC(year! + 1, 0);
  return day === undefined ? Date.UTC(year!, month) : Date.UTC(year!, month - 1, day + 1);
}

const firstDayOf = (date: string): string => `${date}-01-01`.slice(0, 10);
const lastDayOf = (date: string): string => new Date(endOfDate(date) - 1).toISOString().slice(0, 10);

/** A span with whole dates: a start as the first day of its month or year, an end as the last. */
export const toCompletedPeriod = ({ from, until }: DateSpan): DateSpan => ({
  from: firstDayOf(from),
  until: until && lastDayOf(until),
});

/** The time from the earliest start to the latest end of several spans, both dates as precise as in their span. */
export const unionOf = (spans: readonly DateSpan[]): DateSpan => ({
  from: spans.map(({ from }) => from).reduce((first, date) => (firstDayOf(date) < firstDayOf(first) ? date : first)),
  until: spans
    .map(({ until }) => until)
    .reduce((last, date) => (last && date && lastDayOf(date) <= lastDayOf(last) ? last : last && date)),
});

/** Orders spans as a profile shows them: ongoing ones first, then the latest end, then the latest start. */
export function byLatestEnd(...spans: [one: DateSpan, other: DateSpan]): number {
  const [one, other] = spans.map(toCompletedPeriod) as [DateSpan, DateSpan];
  return (other.until ?? '9999').localeCompare(one.until ?? '9999') || other.from.localeCompare(one.from);
}

/** The years that spans cover until the end of `today`, not rounded. Time that they share counts once. */
export function yearsCovered(spans: readonly DateSpan[], today: string): number {
  const now = endOfDate(today);
  let milliseconds = 0;
  let counted = -Infinity;
  for (const { from, until } of spans.toSorted((one, other) => Date.parse(one.from) - Date.parse(other.from))) {
    const end = Math.min(until === null ? now : endOfDate(until), now);
    milliseconds += Math.max(0, end - Math.max(Date.parse(from), counted));
    counted = Math.max(counted, end);
  }
  return milliseconds / 86_400_000 / 365.25;
}
