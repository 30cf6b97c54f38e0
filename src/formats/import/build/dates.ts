import { isOrdered, monthNames } from '../../../model/dates.ts';
import { changed, leave, type Value } from '../source/value.ts';

const ongoing = /^(present|current(ly)?|now|today|ongoing|to date|till now)$/i;

/** When something was, as the profile writes it. `end` is there to be taken even where it only says that it goes on. */
export interface Period {
  readonly start: Value | undefined;
  readonly end: Value | undefined;
  readonly isOngoing: boolean;
}

/** A date as the profile's printed parts take it: YYYY, YYYY-MM or YYYY-MM-DD. */
export const toCoarseDate = (value: Value | undefined): Value | undefined => dateOf(value, (date) => date);

/** The dates of what is printed only, as coarse as the source has them. */
export const toCoarsePeriod = (start: Value | undefined, end: Value | undefined): Period =>
  periodIn((date) => date, start, end);

/** Dates completed to YYYY-MM-DD, the first of the month or year. */
export const toCompletedPeriod = (start: Value | undefined, end: Value | undefined): Period =>
  periodIn((date) => `${date}-01-01`.slice(0, 10), start, end);

type Spelling = (date: string) => string;

function periodIn(spelling: Spelling, start: Value | undefined, end: Value | undefined): Period {
  const from = dateOf(start, spelling);
  if (end && ongoing.test(end.text.trim()))
    return {
      start: from,
      end: changed(end, 'left open, which is how the profile says “still going on”'),
      isOngoing: true,
    };
  const to = dateOf(end, spelling);
  if (!from || !to || isOrdered(from.text, to.text)) return { start: from, end: to, isOngoing: end === undefined };
  // 2016-05 to 2016, say: only the completion put the end before the start.
  if (isOrdered(toDate(start!.text)!.date, toDate(end!.text)!.date))
    return {
      start: from,
      end: changed(end!, `completed to ${from.text}, which is its start`, from.text),
      isOngoing: false,
    };
  const how = 'exchanged with the other date, as the end was before the start';
  return { start: changed(to, how), end: changed(from, how), isOngoing: false };
}

function dateOf(value: Value | undefined, spelling: Spelling): Value | undefined {
  if (value === undefined) return undefined;
  const reading = toDate(value.text);
  if (reading === null) return leave(value, 'It is not a date');
  const text = spelling(reading.date);
  if (text === value.text) return value;
  if (!reading.isWhole) return changed(value, `only ${reading.date} could be read; written as ${text}`, text);
  return changed(value, `${text === reading.date ? 'written as' : 'completed to'} ${text}`, text);
}

/** The date in a text, as exact as it is there; not whole where the text says more than that. Null without a year. */
function toDate(text: string): { date: string; isWhole: boolean } | null {
  const spelled = text.trim().replace(/\s+/g, ' ');
  const [year, month, day] = partsOf(spelled);
  if (year === undefined) {
    const [found] = /(?<!\d)(1[89]|20)\d\d(?!\d)/.exec(spelled) ?? [];
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
