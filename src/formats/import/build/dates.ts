import { isOrdered, monthNames } from '../../../model/dates.ts';
import { changed, omit, type Value } from '../source/value.ts';

const ongoing = /^(present|current(ly)?|now|today|ongoing|to date|till now)$/i;

/** A period as the profile writes it. If it is ongoing, `end` may be a word such as `present`, which still has to be taken. */
export interface Period {
  readonly start: Value | undefined;
  readonly end: Value | undefined;
  readonly isOngoing: boolean;
}

/** Reads a date as coarse as the source has it: YYYY, YYYY-MM or YYYY-MM-DD. */
export const toCoarseDate = (value: Value | undefined): Value | undefined => dateOf(value, (date) => date);

/** Reads a period with dates as coarse as the source has them. */
export const toCoarsePeriod = (start: Value | undefined, end: Value | undefined): Period =>
  periodIn((date) => date, start, end);

/** Reads a period with dates completed to YYYY-MM-DD, the first of the month or year. */
export const toCompletedPeriod = (start: Value | undefined, end: Value | undefined): Period =>
  periodIn((date) => `${date}-01-01`.slice(0, 10), start, end);

type DateFormat = (date: string) => string;

function periodIn(format: DateFormat, start: Value | undefined, end: Value | undefined): Period {
  const from = dateOf(start, format);
  if (end && ongoing.test(end.text.trim()))
    return {
      start: from,
      end: changed(end, 'left out, which means that it is still going on'),
      isOngoing: true,
    };
  const to = dateOf(end, format);
  if (!from || !to || isOrdered(from.text, to.text)) return { start: from, end: to, isOngoing: end === undefined };
  // For 2016-05 to 2016, only the completion puts the end before the start.
  if (isOrdered(toDate(start!.text)!.date, toDate(end!.text)!.date))
    return {
      start: from,
      end: changed(end!, `completed to ${from.text}, which is its start`, from.text),
      isOngoing: false,
    };
  const how = 'swapped with the other date, because the end was before the start';
  return { start: changed(to, how), end: changed(from, how), isOngoing: false };
}

function dateOf(value: Value | undefined, format: DateFormat): Value | undefined {
  if (value === undefined) return undefined;
  const reading = toDate(value.text);
  if (reading === null) return omit(value, 'It is not a date');
  const text = format(reading.date);
  if (text === value.text) return value;
  if (!reading.isWhole) return changed(value, `only ${reading.date} could be read; written as ${text}`, text);
  return changed(value, `${text === reading.date ? 'written as' : 'completed to'} ${text}`, text);
}

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
  const iso = /^(\d{4})(?:[-/.](\d{1,2}))?(?:[-/.](\d{1,2}))?(?:(?:T| )\d.*)?$/.exec(text);
  if (iso) return [iso[1]!, iso[2]!, iso[3]!];
  const numeric = /^(\d{1,2})[-/.](\d{4})$/.exec(text);
  if (numeric) return [numeric[2]!, numeric[1]!];
  const worded = /^(?:(?<first>\d{1,2})\.? )?(?<name>[a-z]{3,9})\.?,?(?: (?<second>\d{1,2}),?)? (?<year>\d{4})$/i.exec(
    text,
  );
  const { name = '', year, first, second } = worded?.groups ?? {};
  const month = monthNames.findIndex((each) => each.toLowerCase().startsWith(name.toLowerCase())) + 1;
  return worded && month > 0 ? [year!, String(month), first ?? second!] : [];
}
