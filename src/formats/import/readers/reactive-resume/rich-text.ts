import type { Value } from '../../source/value.ts';
import { toProse, toSummaryAndHighlights } from '../bullets.ts';
import { withoutHtml } from '../html.ts';
import { toPlain } from '../markdown.ts';

/** Makes plain text of rich text, which is HTML since version 4 and Markdown before; people paste Markdown into HTML too. */
export const toText = (value: Value | undefined): Value | undefined => toPlain(withoutHtml(value));

/** Divides rich text into its paragraphs and its bullets. */
export const toSummaryAndHighlightsOf = (value: Value | undefined) => toSummaryAndHighlights(toText(value));

/** Writes rich text as sentences, for a field that has no bullets. */
export const toProseOf = (value: Value | undefined): Value | undefined => toProse(toText(value));
