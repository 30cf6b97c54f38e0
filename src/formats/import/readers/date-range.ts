import { changed, type Value } from '../source/value.ts';

/** Two dates as the source writes them. */
export interface DateRange {
  readonly start: Value | undefined;
  readonly end: Value | undefined;
}

/** Splits a text such as `Mar 2021 - Present` into two dates. A single date is start and end; `since 2021` is a start only. */
export function toDateRange(value: Value | undefined): DateRange {
  const text = value?.text.trim() ?? '';
  if (!value || text.length >= 100) return { start: value, end: value };
  const between = [...text.matchAll(separator)].find(({ index, 0: { length } }) =>
    isRange(text.slice(0, index), text.slice(index + length)),
  );
  if (between) return split(value, text.slice(0, between.index), text.slice(between.index + between[0].length));
  const [, start, other] = openEnd.exec(text) ?? [];
  if (start === undefined && other === undefined) return { start: value, end: value };
  return { start: changed(value, 'read as the start', start ?? other), end: undefined };
}

/** Splits a range. What is written once for both dates is added: the year of `May–August 2019`, the century of `2019–20`. */
function split(value: Value, from: string, to: string): DateRange {
  const [start, end] = [from.trim().replace(before, ''), to.trim()];
  const [year = ''] = /\d{4}/.exec(/\d{4}/.test(start) ? start : end) ?? [];
  const part = (text: string) => changed(value, 'split into start and end', text);
  return {
    start: part(/\d{4}/.test(start) ? start : `${start} ${year}`),
    end: part(/^\d{2}$/.test(end) ? `${year.slice(0, 2)}${end}` : end),
  };
}

const isRange = (from: string, to: string) =>
  /\S/.test(to) && (/\d{4}/.test(from) || (/^\p{L}{3,12}\.?\s*$/u.test(from) && /\d{4}/.test(to)));

// In English, German, French, Spanish, Portuguese, Italian, Dutch and Chinese. A hyphen without spaces separates two dates only
// if it cannot be part of one.
const separator =
  /\s-\s|[–—~～]|(?<=[\d\s])(?:to|until|bis|à|au|hasta|a|al|até|fino a|tot|t\/m)(?=[\d\s])|(?<=[\d年月\s])[至到]|(?<=(?:^|[/. ])\d{4})-(?=\d{4}$|\d{1,2}[/.]\d{4}$|[a-z]|(?:1[3-9]|[2-9]\d)$)|(?<=\d{4}[/.]\d{1,2})-(?=\d{4})/gi;
const before = /^(?:from|von|vom|de|du|desde|dal|da|van)\s/i;
const openEnd = /^(?:since|from|seit|ab|depuis|desde|dal|da|sinds|vanaf)\s+(\S.*\d)$|^(.*\d{4})\s*[-–—]$/i;
