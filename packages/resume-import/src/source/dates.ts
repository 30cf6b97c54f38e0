import { isDateOrPresent, isPresentWord, toDate } from 'resume-profile/date-reader';
import { isOrdered } from 'resume-profile/dates';
import { changed, omit, reduced, type Value } from './value.ts';

type Dates = { readonly [Date in 'start' | 'end']: Value | undefined };

/** Reads a date as coarse as the source has it: YYYY, YYYY-MM or YYYY-MM-DD. */
export const toCoarseDate = (value: Value | undefined): Value | undefined => written(toReading(value));

/** Reads a period as the profile writes it. If it is ongoing, `end` may be a word such as `present`, still to be taken. */
export function toCoarsePeriod(start: Value | undefined, end: Value | undefined): Dates & { isOngoing: boolean } {
  const from = toReading(start);
  if (end && isPresentWord(end.text)) {
    const present = changed(end, 'left out, which means that it is still going on');
    return { start: written(from), end: present, isOngoing: true };
  }
  const to = toReading(end);
  if (!from || !to || isOrdered(from.date, to.date))
    return { start: written(from), end: written(to), isOngoing: end === undefined };
  const swapped = (reading: Reading) => ({
    ...reading,
    value: changed(reading.value, 'swapped with the other date, because the end was before the start'),
  });
  return { start: written(swapped(to)), end: written(swapped(from)), isOngoing: false };
}

type Reading = NonNullable<ReturnType<typeof toReading>>;

function toReading(value: Value | undefined) {
  const date = value && toDate(value.text);
  if (date === null) return omit(value!, 'It is not a date');
  return date && { value: value!, ...date };
}

function written(reading: Reading | undefined): Value | undefined {
  if (reading === undefined) return undefined;
  const { value, date, isWhole } = reading;
  if (date === value.text) return value;
  return isWhole ? changed(value, `written as ${date}`, date) : reduced(value, `only ${date} could be read`, date);
}

/** Splits a text such as `Mar 2021 - Present` into two dates. A single date is both; `since 2021` is a start only. */
export function toDateRange(value: Value | undefined): Dates {
  const text = value?.text.trim() ?? '';
  if (!value || text.length >= 100) return { start: value, end: value };
  const [, from = '', until] = expiring.exec(text) ?? [];
  if (until !== undefined && from !== '') return split(value, from.replace(issued, ''), until);
  if (until !== undefined) return { start: undefined, end: changed(value, 'read as the end', until) };
  if (issued.test(text)) return toDateRange(changed(value, 'read as the date of issue', text.replace(issued, '')));
  const between = [...text.matchAll(separator)].find(({ index, 0: { length } }) =>
    isRange(text.slice(0, index), text.slice(index + length)),
  );
  if (between) return split(value, text.slice(0, between.index), text.slice(between.index + between[0].length));
  const [, start, other] = openEnd.exec(text) ?? [];
  if (start === undefined && other === undefined) return { start: value, end: value };
  return { start: changed(value, 'read as the start', start ?? other), end: undefined };
}

/** Splits a range and completes both dates: with the year of `May–August 2019`, or the century of `2019–20`. */
function split(value: Value, from: string, to: string): Dates {
  const [start, end] = [from.trim().replace(before, ''), to.trim()];
  const [year = ''] = /\d{4}/.exec(/\d{4}/.test(start) ? start : end) ?? [];
  const part = (text: string) => changed(value, 'split into start and end', text);
  return {
    start: part(/\d{4}/.test(start) ? start : `${start} ${year}`),
    end: part(/^\d{2}$/.test(end) ? `${year.slice(0, 2)}${end}` : end),
  };
}

/** Words between the date of issue of a certificate and its end, or before the end alone. */
const expiry = String.raw`(?:expir(?:es?|y|ation)(?: date| on| in)?|exp\.?|(?:valid|licensed) (?:until|through|thru|to)|gültig bis|valable jusqu['’](?:en|au|à)|válid[oa] (?:hasta|até))`;
const expiryWord = new RegExp(String.raw`[\s,;(]*(?<!\p{L})${expiry}\s*:?\s*$`, 'iu');
const issueWord = /(?<!\p{L})(?:issued|awarded|granted)(?: on| in)?:?\s+$/iu;
// A dash without a start is how we print an end alone.
const expiring = new RegExp(String.raw`^(?:(.*?\d)?[\s,;(]*(?<!\p{L})${expiry}\s*:?|[-–—])\s*(\S.*\d)$`, 'iu');
const issued = /^(?:issued|awarded|granted)(?: on| in)?:?\s+/iu;

const isRange = (from: string, to: string) =>
  /\S/.test(to) && (/\d{4}/.test(from) || (/^\p{L}{3,12}\.?\s*$/u.test(from) && /\d{4}/.test(to)));

// In English, German, French, Spanish, Portuguese, Italian, Dutch and Chinese. A hyphen without spaces separates two
// dates only if it cannot be part of one.
const separator =
  /\s-\s|[–—~～]|(?<=[\d\s])(?:to|until|bis|à|au|hasta|a|al|até|fino a|tot|t\/m)(?=[\d\s])|(?<=[\d年月\s])[至到]|(?<=(?:^|[/. ])\d{4})-(?=\d{4}$|\d{1,2}[/.]\d{4}$|[a-z]|(?:1[3-9]|[2-9]\d)$)|(?<=\d{4}[/.]\d{1,2})-(?=\d{4})/gi;
const before = /^(?:from|von|vom|de|du|desde|dal|da|van)\s/i;
const openEnd = /^(?:since|from|seit|ab|depuis|desde|dal|da|sinds|vanaf)\s+(\S.*\d)$|^(.*\d{4})\s*[-–—]$/i;

export type FoundPeriod = ReturnType<typeof periodsIn>[number];

const yearPattern = String.raw`(?:19|20)\d\d`;
/** A year with a possible month and day before or after it; the words are checked afterwards. */
const datePattern = new RegExp(
  String.raw`(?:(?:\d{1,2}\.? )?\p{L}{3,12}\.?,? (?:de )?(?:\d{1,2}, )?|(?:\d{1,2} ?[./-] ?){1,2})?(?<!\d)${yearPattern}(?!\d)` +
    String.raw`(?:(?:[./-]\d{1,2}){1,2}(?!\d)| ?[年년](?: ?\d{1,2} ?[月월])?)?`,
  'gu',
);
const between = /^\s*(?:[-–—~～]|to|until|through|bis|à|au|hasta|a|al|até|fino a|tot|t\/m|至|到|から)\s*$/i;
/** A separator, and up to three words that may mean that something is ongoing. */
const presentWords = /^\s*(?:[-–—~～]|to|bis|à|hasta|a|至|到)?\s*([\p{L}’']+(?: [\p{L}’']+){0,2})/iu;
const startMonth = /(\p{L}{3,12})\.?\s*[-–—]\s*$/u;
const sinceWord = /(?<!\p{L})(?:since|seit|ab|depuis|desde|dal|sinds|vanaf)\s+$/iu;

/** Finds the dates in a text, each with its range if there is one. */
export function periodsIn(text: string) {
  const dates = [...text.matchAll(datePattern)].map(({ 0: found, index }) => {
    // Of `Class 2022` only the year is a date.
    const suffixes = [...found.matchAll(/(?<=^|[\s./-])\S/g)].map((start) => found.slice(start.index));
    const own = suffixes.find(isDateOrPresent) ?? found.slice(found.search(new RegExp(yearPattern)));
    return { index: index + found.length - own.length, end: index + found.length };
  });
  const periods: { readonly text: string; readonly index: number; readonly isRange: boolean }[] = [];
  const add = (from: number, to: number, isRange: boolean) =>
    periods.push({ text: text.slice(from, to), index: from, isRange });
  for (let at = 0; at < dates.length; at++) {
    const { index, end } = dates[at]!;
    const next = dates[at + 1];
    const lead = text.slice(0, index);
    const [month = ''] = startMonth.exec(lead) ?? [];
    const [since = ''] = sinceWord.exec(lead) ?? [];
    const [issued = ''] = issueWord.exec(lead) ?? [];
    const [expires = ''] = expiryWord.exec(lead) ?? [];
    const gap = next && text.slice(end, next.index);
    if (next && gap !== undefined && (between.test(gap) || expiryWord.test(gap))) {
      add(index - issued.length, next.end, true);
      at++;
    } else if (expires !== '') add(index - expires.replace(/^[\s,;(]+/, '').length, end, true);
    else if (issued !== '') add(index - issued.length, end, false);
    else if (month !== '' && isDateOrPresent(`${month.replace(/[.\s–—-]+$/, '')} 2000`))
      add(index - month.length, end, true);
    else if (since !== '') add(index - since.length, end, true);
    else {
      const { length } = presentAfter(text.slice(end));
      add(index, end + length, length > 0);
    }
  }
  return periods;
}

/** The separator and words that mean that something is ongoing since a date; empty if there are none. */
function presentAfter(rest: string): string {
  const [found = '', words = ''] = presentWords.exec(rest) ?? [];
  const separator = found.slice(0, found.length - words.length);
  if (!/[-–—~～至到\p{L}]/u.test(separator)) return /^\s*[-–—]\s*$/.exec(rest)?.[0] ?? '';
  for (let length = words.length; length > 0; length = words.lastIndexOf(' ', length - 1))
    if (isDateOrPresent(words.slice(0, length))) return found.slice(0, separator.length + length);
  return '';
}
