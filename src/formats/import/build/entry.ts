import type { DraftEntry } from '../readers/draft.ts';
import { toCoarseDate, toCoarsePeriod } from '../source/dates.ts';
import { distinct, toHeading, toLine, toParagraphs, toWebAddress } from '../source/normalize.ts';
import { omit, take, type Value } from '../source/value.ts';

/** The fields of an entry as a draft has them. */
interface DraftFields {
  readonly start?: Value | undefined;
  readonly end?: Value | undefined;
  readonly [field: string]: Value | readonly Value[] | undefined;
}

/** The fields of an entry that have a value, under their names in the profile. A value without text becomes null. */
type Fields = Readonly<Record<string, Value | readonly Value[]>>;

/** The function that normalizes the text of a field, unless it is a heading. */
const normalizers: Readonly<Record<string, typeof toLine>> = {
  bullet: toLine,
  date: toCoarseDate,
  details: toLine,
  fluency: toLine,
  level: toLine,
  reference: toParagraphs,
  score: toLine,
  summary: toParagraphs,
  text: toParagraphs,
  url: toWebAddress,
};

/** Normalizes the fields of an entry, with dates as coarse as the source has them. Nothing is taken yet. */
export function toFields({ start, end, ...draft }: DraftFields): Fields {
  const period = toCoarsePeriod(start, end);
  const fields = Object.entries(draft).map(([name, field]) => [
    name,
    field && 'parts' in field ? (normalizers[name] ?? toHeading)(field) : toLines(field),
  ]);
  return Object.fromEntries(
    [
      ...fields,
      ['start_date', period.start],
      ['end_date', period.end && period.isOngoing ? { ...period.end, text: '' } : period.end],
    ].filter(([, field]) => field && !(Array.isArray(field) && field.length === 0)),
  );
}

export const toLines = (values: readonly Value[] | undefined): Value[] =>
  distinct((values ?? []).flatMap((value) => toLine(value) ?? []));

export const takeFields = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, 'parts' in field ? take(field) || null : field.map(take)]),
  );

/** Makes an entry of a draft; none, with a reason for each field, unless one of its main fields has a value. */
export function toEntries(mainFields: readonly string[], draft: DraftFields): Record<string, unknown>[] {
  const fields = toFields(draft);
  if (mainFields.some((name) => name in fields)) return [takeFields(fields)];
  for (const value of Object.values(fields).flat())
    omit(value, `It belongs to an entry without ${mainFields.join(' or ')}`);
  return [];
}

/** Makes the entries of a section; without a text, bullet or name, the next best field comes first, then highlights. */
export function toSectionEntries(draft: DraftEntry): Record<string, unknown>[] {
  const entry = withHead(draft);
  if (entry.text || entry.bullet || entry.name) return toEntries(['text', 'bullet', 'name'], entry);
  return (entry.highlights ?? []).flatMap((bullet) => toSectionEntries({ bullet }));
}

function withHead(draft: DraftEntry): DraftEntry {
  const { text, bullet, name, organization, details, summary } = draft;
  if (text || bullet || name) return draft;
  if (organization) return { ...draft, name: organization, organization: undefined };
  if (details) return { ...draft, text: details, details: undefined };
  return { ...draft, text: summary, summary: undefined };
}
