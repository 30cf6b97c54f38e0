import type { DraftEntry } from '../readers/draft.ts';
import { toCoarseDate, toCoarsePeriod } from '../source/dates.ts';
import { distinct, toHeading, toLine, toParagraphs, toWebAddress } from '../source/normalize.ts';
import { omit, take, type Value } from '../source/value.ts';

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

/** Makes the entries of a section. One without a text, bullet or name begins with the next best field; lone highlights become bullets. */
export function toSectionEntries(draft: DraftEntry): Record<string, unknown>[] {
  const { text, bullet, name, details, organization, highlights = [], ...rest } = withHead(draft);
  if (!text && !bullet && !name) return highlights.flatMap((each) => toSectionEntries({ bullet: each }));
  return toEntries(['text', 'bullet', 'name'], {
    text: toParagraphs(text),
    bullet: toLine(bullet),
    name: toHeading(name),
    details: toLine(details),
    organization: toHeading(organization),
    ...toFields({ ...rest, highlights }),
  });
}

function withHead(draft: DraftEntry): DraftEntry {
  const { text, bullet, name, organization, details, summary } = draft;
  if (text || bullet || name) return draft;
  if (organization) return { ...draft, name: organization, organization: undefined };
  if (details) return { ...draft, text: details, details: undefined };
  return { ...draft, text: summary, summary: undefined };
}
