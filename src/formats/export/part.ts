import { given } from '../given.ts';
/** Plain text, bold text, or a link with its label. */
export type Span = string | { readonly strong: string } | { readonly label?: string | undefined; readonly url: string };

export interface Paragraph {
  readonly spans: readonly Span[];
  /** The separator between two spans. */
  readonly separator: string;
}

export interface List {
  readonly points: readonly string[];
}

/** A heading and the content below it, from the whole resume down to one role. */
export interface Part {
  /** What it is called; empty for content that has no name. */
  readonly heading: string;
  /** What follows on the line of the heading, with its punctuation: `, Watergauge · Uppsala`. */
  readonly beside: string;
  /** When it was. */
  readonly dates: string;
  readonly blocks: readonly Block[];
}

export type Block = Paragraph | List | Part;

export type Text = string | undefined;

/** A paragraph of spans, or none without spans. */
export const paragraph = (spans: readonly Span[], separator = ' · '): Paragraph[] =>
  spans.length === 0 ? [] : [{ spans, separator }];

/** The paragraphs of a text, one a line. */
export const paragraphs = (text = ''): Paragraph[] =>
  text.split(/\n+/).flatMap((line) => (/\S/.test(line) ? paragraph([line]) : []));

export const list = (points: readonly string[] = []): List[] => (points.length === 0 ? [] : [{ points }]);

export const linked = (...urls: readonly Text[]): Paragraph[] => paragraph(given(...urls).map((url) => ({ url })));
