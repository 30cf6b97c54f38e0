import { isDateOrPresent } from 'resume-profile/date-reader';
import { expiryWord, issueWord } from './dates.ts';

/** A date or a range of dates within a text. */
export interface FoundPeriod {
  readonly text: string;
  readonly index: number;
  readonly isRange: boolean;
}

const year = String.raw`(?:19|20)\d\d`;
/** A year with a possible month and day before or after it; the words are checked afterwards. */
const date = new RegExp(
  String.raw`(?:(?:\d{1,2}\.? )?\p{L}{3,12}\.?,? (?:de )?(?:\d{1,2}, )?|(?:\d{1,2} ?[./-] ?){1,2})?(?<!\d)${year}(?!\d)` +
    String.raw`(?:(?:[./-]\d{1,2}){1,2}(?!\d)| ?[年년](?: ?\d{1,2} ?[月월])?)?`,
  'gu',
);
const between = /^\s*(?:[-–—~～]|to|until|through|bis|à|au|hasta|a|al|até|fino a|tot|t\/m|至|到|から)\s*$/i;
/** A separator, and up to three words that may mean that something is ongoing. */
const openEnd = /^\s*(?:[-–—~～]|to|bis|à|hasta|a|至|到)?\s*([\p{L}’']+(?: [\p{L}’']+){0,2})/iu;
const startMonth = /(\p{L}{3,12})\.?\s*[-–—]\s*$/u;

const sinceWord = /(?<!\p{L})(?:since|seit|ab|depuis|desde|dal|sinds|vanaf)\s+$/iu;

/** Finds the dates in a text, each with its range if there is one. */
export function periodsIn(text: string): FoundPeriod[] {
  const dates = [...text.matchAll(date)].map(({ 0: found, index }) => {
    // Of `Class 2022` only the year is a date.
    const own = suffixesOf(found).find(isDateOrPresent) ?? found.slice(found.search(new RegExp(year)));
    return { index: index + found.length - own.length, end: index + found.length };
  });
  const periods: FoundPeriod[] = [];
  const add = (from: number, to: number, isRange: boolean) =>
    periods.push({ text: text.slice(from, to), index: from, isRange });
  for (let at = 0; at < dates.length; at++) {
    const { index, end } = dates[at]!;
    const next = dates[at + 1];
    const before = text.slice(0, index);
    const [month = ''] = startMonth.exec(before) ?? [];
    const [since = ''] = sinceWord.exec(before) ?? [];
    const [issued = ''] = issueWord.exec(before) ?? [];
    const [expires = ''] = expiryWord.exec(before) ?? [];
    const gap = next && text.slice(end, next.index);
    if (next && gap !== undefined && (between.test(gap) || expiryWord.test(gap))) {
      add(index - issued.length, next.end, true);
      at++;
    } else if (expires !== '') {
      const word = expires.replace(/^[\s,;(]+/, '');
      add(index - word.length, end, true);
    } else if (issued !== '') add(index - issued.length, end, false);
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

const suffixesOf = (text: string): string[] =>
  [...text.matchAll(/(?<=^|[\s./-])\S/g)].map(({ index }) => text.slice(index));

/** The separator and words that mean that something is ongoing since a date; empty if there are none. */
function presentAfter(rest: string): string {
  const [found = '', words = ''] = openEnd.exec(rest) ?? [];
  const separator = found.slice(0, found.length - words.length);
  if (!/[-–—~～至到\p{L}]/u.test(separator)) return /^\s*[-–—]\s*$/.exec(rest)?.[0] ?? '';
  for (let length = words.length; length > 0; length = words.lastIndexOf(' ', length - 1))
    if (isDateOrPresent(words.slice(0, length))) return found.slice(0, separator.length + length);
  return '';
}
