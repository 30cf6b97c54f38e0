import { distinct, toHeading, toLine, toParagraphs, toWebAddress } from '../source/normalize.ts';
import { omit, take, type Value } from '../source/value.ts';
import { toCoarseDate, toCoarsePeriod } from './dates.ts';

type Text = Value | undefined;

/** The fields of an entry under their names in the profile, none of them taken yet. A value without text becomes null. */
type Fields = Readonly<Record<string, Text | readonly Value[]>>;

/** The fields that entries of several kinds share, as a draft has them. */
interface DraftFields {
  readonly location?: Text;
  readonly date?: Text;
  readonly start?: Text;
  readonly end?: Text;
  readonly url?: Text;
  readonly summary?: Text;
  readonly highlights?: readonly Value[] | undefined;
}

/** Reads the shared fields of an entry, with dates as coarse as the source has them. */
export function toFields({ location, date, start, end, url, summary, highlights }: DraftFields): Fields {
  const period = toCoarsePeriod(start, end);
  return {
    location: toHeading(location),
    date: toCoarseDate(date),
    start_date: period.start,
    end_date: period.end && period.isOngoing ? { ...period.end, text: '' } : period.end,
    url: toWebAddress(url),
    summary: toParagraphs(summary),
    highlights: toLines(highlights),
  };
}

export const toLines = (values: readonly Value[] | undefined): Value[] =>
  distinct((values ?? []).flatMap((value) => toLine(value) ?? []));

/** An entry of the fields that have a value; none, and a reason for each field, unless one of its main fields has one. */
export function toEntries(mainFields: readonly string[], fields: Fields): Record<string, unknown>[] {
  const given = Object.entries(fields).flatMap(([name, field]) => {
    const values = [field ?? []].flat();
    return values.length === 0 ? [] : [{ name, values, isList: Array.isArray(field) }];
  });
  if (given.some(({ name }) => mainFields.includes(name)))
    return [
      Object.fromEntries(
        given.map(({ name, values, isList }) => [name, isList ? values.map(take) : taken(values[0]!)]),
      ),
    ];
  for (const { values } of given)
    for (const value of values) omit(value, `It belongs to an entry without ${mainFields.join(' or ')}`);
  return [];
}

const taken = (value: Value) => take(value) || null;
