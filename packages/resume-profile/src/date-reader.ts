import { languageCodes, wordsOf } from './resume-language.ts';

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
  ...languageCodes.map((code) => wordsOf(code).present.toLowerCase()),
]);

/** Whether a text is a word for the present in a language of the table or of the resume. */
export const isPresentWord = (text: string): boolean =>
  presentWords.has(text.trim().toLowerCase().replaceAll('’', "'"));

/** Whether a text is only a date, or a word such as `present`. */
export const isDateOrPresent = (text: string): boolean => isPresentWord(text) || toDate(text)?.isWhole === true;

/** Replaces full-width and Arabic digits by ASCII digits. */
export const withAsciiDigits = (text: string): string =>
  text.normalize('NFKC').replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf));

/**
 * Finds the date in a text, as exact as the text: YYYY, YYYY-MM or YYYY-MM-DD; not whole if the text says more. `05/03/2018`
 * may be two, so only its year is found. Null without a year.
 */
export function toDate(text: string): { readonly date: string; readonly isWhole: boolean } | null {
  const normalized = withAsciiDigits(text).trim().replace(/\s+/g, ' ');
  const [year, month, day] = partsOf(normalized);
  if (year === undefined) {
    const [year] = /(?<!\d)(1[89]|20)\d\d(?!\d)/.exec(normalized) ?? [];
    return year === undefined ? null : { date: year, isWhole: false };
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

const numericDates = [
  /^(?<year>\d{4})(?: ?[-–/.] ?(?<month>\d{1,2}))?(?: ?[-–/.] ?(?<day>\d{1,2})(?:[T ]\d.*)?)?$/,
  /^(?<year>\d{4})\s?[年년](?:\s?(?<month>\d{1,2})\s?[月월])?(?:\s?(?<day>\d{1,2})\s?[日일])?$/,
  /^(?<month>\d{1,2}) ?[-–/.] ?(?<year>\d{4})$/,
];

function partsOf(text: string): [year?: string, month?: string | undefined, day?: string | undefined] {
  // Calendars write midnight in UTC. At a place east of Greenwich it belongs to the next day.
  if (/^\d{4}-\d\d-\d\dT(1[3-9]|2[0-3]):[034][05]:00(\.000)?Z$/.test(text) && isReal(text.slice(0, 10)))
    return partsOf(new Date(Date.parse(text) + 43_200_000).toISOString().slice(0, 10));
  for (const pattern of numericDates) {
    const { year, month, day } = pattern.exec(text)?.groups ?? {};
    if (year !== undefined) return [year, month, day];
  }
  const worded =
    /^(?:(?<first>\d{1,2})\.? (?:de )?)?(?<name>\p{L}{3,12})[-.,]{0,2}(?: (?:de )?(?<second>\d{1,2}),? | ?)(?:de )?(?<year>\d{4})$/iu.exec(
      text,
    );
  if (worded === null) return [];
  const { name = '', year, first, second } = worded.groups!;
  months ??= monthsByBeginning();
  const month = months.get(name.toLowerCase());
  return month === undefined ? [] : [year!, String(month), first ?? second!];
}

/** The months, from 1, by the beginnings of their names in each language. Built lazily: it takes tens of milliseconds. */
let months: ReadonlyMap<string, number> | undefined;

function monthsByBeginning(): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  const add = (name: string, month: number) => {
    for (let length = 3; length <= name.length; length += 1) {
      const beginning = name.slice(0, length).toLowerCase();
      if (!numbers.has(beginning)) numbers.set(beginning, month);
    }
  };
  for (const code of languageCodes) {
    const alone = new Intl.DateTimeFormat(code, { month: 'long', timeZone: 'UTC' });
    // After a day, some languages have another form.
    const ofDay = new Intl.DateTimeFormat(code, { month: 'long', day: 'numeric', timeZone: 'UTC' });
    for (const [index, short] of wordsOf(code).months.entries()) {
      const date = Date.UTC(2000, index);
      add(alone.format(date), index + 1);
      add(ofDay.formatToParts(date).find(({ type }) => type === 'month')!.value, index + 1);
      const abbreviation = short.toLowerCase().replace('.', '');
      if (!numbers.has(abbreviation)) numbers.set(abbreviation, index + 1);
    }
  }
  return numbers;
}
