import type { InputCursor } from '../../source/input-cursor.ts';
import { toSentences } from '../../source/normalize.ts';
import { changed, omit, type Value } from '../../source/value.ts';
import { toSummaryAndHighlights } from '../bullets.ts';
import { toDateRange } from '../date-range.ts';
import { restOf } from '../leftovers.ts';
import { toPlain } from '../markdown.ts';

/** The name or title of an entry of any type; for an entry that is a line of text, that line. */
export const headOf = (entry: InputCursor): Value | undefined =>
  entry.text('name', 'label', 'title', 'bullet', 'number', 'reversed_number') ?? entry.text();

/** The start and end of an entry. RenderCV uses `date` for both; an end date without a start is read the same way. */
export function toPeriod(entry: InputCursor) {
  const [start, end, date] = [entry.text('start_date'), entry.text('end_date'), entry.text('date')];
  if (!start) return toDateRange(date ?? end);
  if (date) omit(date, 'The start date is used instead');
  return { start, end };
}

/**
 * The summary and the highlights of an entry. Further highlights are the bullets in the summary, and fields that no type of
 * entry has, so that the other fields must be read before.
 */
export function toTexts<Result>(
  entry: InputCursor,
  use: (summary: Value | undefined, highlights: Value[]) => Result,
  ...fields: string[]
): Result {
  const texts = (fields.length > 0 ? fields : ['details', 'summary']).map((field) => toPlain(entry.text(field)));
  const summaries = texts.map(toSummaryAndHighlights);
  return use(
    toSentences(
      summaries.flatMap(({ summary }) => summary ?? []),
      'joined with the rest of its entry',
    ),
    [
      ...summaries.flatMap(({ highlights }) => highlights),
      ...entry.texts('highlights').flatMap((highlight) => toPlain(toFlat(highlight)) ?? []),
      ...restOf(entry),
    ],
  );
}

/** Puts a highlight on one line. RenderCV reads text after ` - ` as a nested list. */
function toFlat(highlight: Value): Value {
  const parts = highlight.text.split(/(?<!\d)\s-\s|\s-\s(?!\s*\d)/).map((part) => part.trim());
  const [lead = '', ...nested] = parts.filter((part) => part !== '');
  if (nested.length === 0) return highlight;
  const text = `${lead}${/\p{P}$/u.test(lead) ? '' : ':'} ${nested.join('; ')}`;
  return changed(highlight, 'nested list put on one line', text);
}
