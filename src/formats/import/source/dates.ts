import { isOrdered, monthNames } from '../../../model/dates.ts';
import { languageCodes, wordsOf } from '../../../model/profile/resume-language.ts';
import { changed, omit, reduced, type Value } from './value.ts';

const languages = languageCodes.map(wordsOf);
/** Words for no end yet: English, German, French, Spanish, Portuguese, Italian, Dutch, Turkish, Chinese, Japanese. */
// biome-ignore format: a table
const presentWords = new Set([
  'present', 'current', 'currently', 'now', 'today', 'ongoing', 'to date', 'till now',
  'jetzt', 'aktuell', 'laufend',
  "aujourd'hui", 'en cours', 'actuellement',
  'hoy', 'actual', 'actualmente', 'presente',
  'hoje', 'atual', 'atualmente',
  'oggi', 'in corso', 'attuale',
  'heden', 'nu',
  'bugün', 'günümüz', 'devam ediyor',
  '现在', '現在', '目前', '今',
  ...languages.map(({ present }) => present.toLowerCase()),
]);
const isPresent = ({ text }: Value) => isPresentWord(text);
/** Whether a text says, in a language of the table or of the resume, that there is no end yet. */
export const isPresentWord = (text: string) => presentWords.has(text.trim().toLowerCase().replaceAll('’', "'"));

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
  if (end && isPresent(end))
    return {
      start: written(from),
      end: changed(end, 'left out, which means that it is still going on'),
      isOngoing: true,
    };
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

/** Whether a text is a date and says nothing more, or a word such as `present`. */
export const isDateOrPresent = (text: string): boolean => isPresentWord(text) || toDate(text)?.isWhole === true;

/** Finds the date in a text, as exact as the text; not whole if the text says more. Null without a year. */
function toDate(text: string): { date: string; isWhole: boolean } | null {
  const normalized = text.trim().replace(/\s+/g, ' ');
  const [year, month, day] = partsOf(normalized);
  if (year === undefined) {
    const [found] = /(?<!\d)(1[89]|20)\d\d(?!\d)/.exec(normalized) ?? [];
    return found === undefined ? null : { date: found, isWhole: false };
  }
  if (year < '1000') return null;
  const date = [year, ...[month, day].flatMap((part) => part?.padStart(2, '0') ?? [])].join('-');
  const real = [date, date.slice(0, 7), year].find((each) => isReal(`${each}-01-01`.slice(0, 10)))!;
  return { date: real, isWhole: real === date };
}

const isReal = (day: string) => {
  const instant = new Date(day);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day);
};

function partsOf(text: string): [year?: string, month?: string, day?: string] {
  // The midnight of a place east of Greenwich, which calendars write in UTC, is that of the next day.
  if (/^\d{4}-\d\d-\d\dT(1[3-9]|2[0-3]):[034][05]:00(\.000)?Z$/.test(text) && isReal(text.slice(0, 10)))
    return partsOf(new Date(Date.parse(text) + 43_200_000).toISOString().slice(0, 10));
  const iso = /^(\d{4})(?:[-/.](\d{1,2}))?(?:[-/.](\d{1,2}))?(?:(?:T| )\d.*)?$/.exec(text);
  if (iso) return [iso[1]!, iso[2]!, iso[3]!];
  const eastAsian = /^(\d{4})\s?[年년](?:\s?(\d{1,2})\s?[月월])?(?:\s?(\d{1,2})\s?[日일])?$/.exec(text);
  if (eastAsian) return [eastAsian[1]!, eastAsian[2]!, eastAsian[3]!];
  const numeric = /^(\d{1,2})[-/.](\d{4})$/.exec(text);
  if (numeric) return [numeric[2]!, numeric[1]!];
  const worded =
    /^(?:(?<first>\d{1,2})\.? )?(?<name>\p{L}{3,12})\.?,?(?: (?:de )?(?<second>\d{1,2}),?)? (?:de )?(?<year>\d{4})$/iu.exec(
      text,
    );
  const { name = '', year, first, second } = worded?.groups ?? {};
  const month = monthOf(name.toLowerCase());
  return worded && month > 0 ? [year!, String(month), first ?? second!] : [];
}

/** The number of a month by the beginning of its English name or of a printed one; otherwise 0. */
function monthOf(name: string): number {
  const english = monthNames.findIndex((each) => each.toLowerCase().startsWith(name));
  const numbers = languages.map(({ months }) =>
    months.findIndex((each) => name.startsWith(each.toLowerCase().replace('.', ''))),
  );
  return ([english, ...numbers].find((index) => index !== -1) ?? -1) + 1;
}

/** Two dates as the source writes them. */
interface DateRange {
  readonly start: Value | undefined;
  readonly end: Value | undefined;
}

/** Splits a text such as `Mar 2021 - Present` into two dates. A single date is both; `since 2021` is a start only. */
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

/** Splits a range and completes both dates: with the year of `May–August 2019`, or the century of `2019–20`. */
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

// In English, German, French, Spanish, Portuguese, Italian, Dutch and Chinese. A hyphen without spaces separates two
// dates only if it cannot be part of one.
const separator =
  /\s-\s|[–—~～]|(?<=[\d\s])(?:to|until|bis|à|au|hasta|a|al|até|fino a|tot|t\/m)(?=[\d\s])|(?<=[\d年月\s])[至到]|(?<=(?:^|[/. ])\d{4})-(?=\d{4}$|\d{1,2}[/.]\d{4}$|[a-z]|(?:1[3-9]|[2-9]\d)$)|(?<=\d{4}[/.]\d{1,2})-(?=\d{4})/gi;
const before = /^(?:from|von|vom|de|du|desde|dal|da|van)\s/i;
const openEnd = /^(?:since|from|seit|ab|depuis|desde|dal|da|sinds|vanaf)\s+(\S.*\d)$|^(.*\d{4})\s*[-–—]$/i;
