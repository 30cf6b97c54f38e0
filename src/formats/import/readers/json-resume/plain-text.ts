import type { InputCursor } from '../../source/input-cursor.ts';
import type { Value } from '../../source/value.ts';
import { toSummaryAndHighlights } from '../bullets.ts';
import { withoutHtml } from '../html.ts';
import { toPlain } from '../markdown.ts';

/** A cursor that reads texts without the Markdown and HTML that themes show as bold text, links and lists. */
export const inPlainText = (cursor: InputCursor): InputCursor => ({
  ...cursor,
  get unread() {
    return cursor.unread;
  },
  at: (key) => inPlainText(cursor.at(key)),
  items: (...keys) => cursor.items(...keys).map(inPlainText),
  text: (...keys) => plain(cursor.text(...keys)),
  texts: (...keys) => cursor.texts(...keys).flatMap((value) => plain(value) ?? []),
});

const html = /<\/?(p|ul|ol|li|br|b|strong|em|i|a|div|span|h\d)\b[^<>]*>/i;

/** A single word, such as a web address, has no Markdown. */
function plain(value: Value | undefined): Value | undefined {
  if (value && html.test(value.text)) return toPlain(withoutHtml(value));
  return value && /\s/.test(value.text.trim()) ? toPlain(value) : value;
}

interface Described {
  summary?: Value | undefined;
  accomplishments?: readonly Value[] | undefined;
  highlights?: readonly Value[] | undefined;
}

/** Moves the bullets of an entry's summary before those that it has. */
export function withBulletsApart<Entry extends Described>(entry: Entry, list: 'accomplishments' | 'highlights'): Entry {
  const { summary, highlights } = toSummaryAndHighlights(entry.summary);
  return { ...entry, summary, [list]: [...highlights, ...(entry[list] ?? [])] };
}
