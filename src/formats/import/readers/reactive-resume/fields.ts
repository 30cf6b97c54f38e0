import type { InputCursor } from '../../source/input-cursor.ts';
import { toSentences } from '../../source/normalize.ts';
import type { Value } from '../../source/value.ts';
import { toDateRange } from '../date-range.ts';
import { restOf } from '../leftovers.ts';
import { toProseOf, toSummaryAndHighlightsOf } from './rich-text.ts';

/** When, where to read more and what else is said, all of it in one text, of an item without a period and bullets. */
export const toNote = (item: InputCursor) => ({
  date: item.text('date', 'period') ?? toPeriod(item).start,
  url: addressIn(item),
  summary: toSentences(
    [
      ...['subtitle', 'description', 'summary'].flatMap((field) => toProseOf(item.text(field)) ?? []),
      restOf(item),
    ].flat(),
    'joined with the rest of its item',
  ),
});

/** The summary of an item and its highlights, among them the fields that no version has. */
export function toTexts(item: InputCursor, fields = ['subtitle', 'description', 'summary']) {
  const texts = fields.map((field) => toSummaryAndHighlightsOf(item.text(field)));
  return {
    summary: toSentences(
      texts.flatMap(({ summary }) => summary ?? []),
      'joined into one summary',
    ),
    highlights: [
      ...texts.flatMap(({ highlights }) => highlights),
      // No version has them, but resumes that programs wrote for it do.
      ...item.texts('highlights'),
      ...restOf(item),
    ],
  };
}

/** The first of some fields that says a level in words. A number is that of the dots or stars that are shown, or 0 for none. */
export const levelOf = (item: InputCursor, ...fields: string[]): Value | undefined =>
  fields.map((field) => item.text(field)).find((level) => level && !/^\d+$/.test(level.text));

/** The start and end of an item: two dates in version 3, otherwise a text. */
export function toPeriod(item: InputCursor) {
  const date = item.at('date');
  if (date.kind === 'object') return { start: date.text('start'), end: date.text('end') };
  return toDateRange(item.text('date', 'period'));
}

/** The address of an item: a text in version 3, otherwise with a text of its own. */
export function addressIn(item: InputCursor): Value | undefined {
  for (const key of ['url', 'website'])
    for (const setting of ['label', 'inlineLink']) item.at(key).at(setting).exclude('It is how the link is printed');
  return item.text('url', 'website') ?? item.at('url').text('href') ?? item.at('website').text('url');
}
