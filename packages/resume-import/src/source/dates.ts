import { isPresentWord, toDate } from 'resume-profile/date-reader';
import { isOrdered } from 'resume-profile/dates';
import { changed, omit, reduced, type Value } from './value.ts';

/** A period as the profile writes it. If it is ongoing, `end` may be a word such as `present`, still to be taken. */
export interface Period {
  readonly start: Value | undefined;
  readonly end: Value | undefined;
  readonly isOngoing: boolean;
}

/** Reads a date as coarse as the source has it: YYYY, YYYY-MM or YYYY-MM-DD. */
export const toCoarseDate = (value: Value | undefined): Value | undefined => written(toReading(value));

/** Reads a period with dates as coarse as the source has them. */
export function toCoarsePeriod(start: Value | undefined, end: Value | undefined): Period {
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

/** A date as exact as its text; not whole if the text says more. */
interface Reading {
  readonly value: Value;
  readonly date: string;
  readonly isWhole: boolean;
}

function toReading(value: Value | undefined): Reading | undefined {
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
export function toDateRange(value: Value | undefined): Omit<Period, 'isOngoing'> {
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
function split(value: Value, from: string, to: string): Omit<Period, 'isOngoing'> {
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
export const expiryWord = new RegExp(String.raw`[\s,;(]*(?<!\p{L})${expiry}\s*:?\s*$`, 'iu');
export const issueWord = /(?<!\p{L})(?:issued|awarded|granted)(?: on| in)?:?\s+$/iu;
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
