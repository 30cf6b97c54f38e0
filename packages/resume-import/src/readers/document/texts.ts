import type { Block } from '../../source/blocks.ts';
import { grouped, type Span } from '../../source/layout.ts';
import { type FoundPeriod, periodsIn } from '../../source/periods.ts';
import { exclude, type Leaf, layoutReason, literal, toLeaf, toValue, type Value } from '../../source/value.ts';
import { isDuration } from './wording.ts';

/** The texts of a document as they are read; each is a leaf once. */
export type Texts = ReturnType<typeof openTexts>;

export function openTexts() {
  const leaves: Leaf[] = [];
  /** Adds a part of the text of a block. */
  const add = (text: string, { where }: Pick<Block, 'where'>): Value => {
    if (text === '') return literal('');
    const leaf = toLeaf(where, text);
    leaves.push(leaf);
    return toValue(leaf);
  };
  return { leaves, valueOf: add, of: (block: Pick<Block, 'where' | 'text'>) => add(block.text, block) };
}

/** A part of the lines at the head of an entry. */
export interface Part {
  readonly value: Value;
  readonly text: string;
  readonly url?: string | undefined;
  readonly isBold: boolean;
  /** The number of its block in the head. */
  readonly row: number;
}

/** The head of an entry: its parts, and its dates. */
export interface Head {
  readonly parts: readonly Part[];
  readonly period?: Value | undefined;
  readonly isRange: boolean;
}

const separator = /\s+[|•·∙⋄◆‣–—]\s*|\s*[|•·∙]\s+|\s+-\s+|\t/;
const edges = /^[\s,;|·•∙–—-]+|[\s,;|·•∙–—-]+$|^\($|^\)$/g;
const toTrimmed = (text: string) => {
  const trimmed = text.replace(edges, '').replace(edges, '').trim();
  const [, inner] = /^\(([^()]*)\)$/.exec(trimmed) ?? [];
  return inner ?? trimmed;
};

/** Whether a block can be at the head of an entry with its date: at the end or beginning of one of its cells. */
export function periodOf(block: Block): { cell: number; period: FoundPeriod } | null {
  if (block.isBullet || block.isRunning) return null;
  for (const [cell, { text }] of [...block.cells.entries()].toReversed()) {
    const period = periodsIn(text).findLast(({ index, text: date }) => {
      const [before, after] = [text.slice(0, index), text.slice(index + date.length)];
      const isAtEdge = /^[\s)\].,|·•]*$/.test(after) || /^[\s([]*$/.test(before) || isDuration(after);
      return isAtEdge && before.length + after.length < 110 && !/[\d./]$/.test(before);
    });
    if (period) return { cell, period };
  }
  return null;
}

/** Words between a title and a company in another style. */
const connection = /^(at|@|in|for|bei|chez|en|na|presso|bij|(issued|awarded|published) (by|in))$/i;

/** Splits the blocks at the head of an entry into their parts, and finds its dates. */
export function toHead(blocks: readonly Block[], texts: Texts): Head {
  let date: { value: Value; isRange: boolean } | undefined;
  const parts = blocks.flatMap((block, row) => {
    const dated = date ? null : periodOf(block);
    return block.cells.flatMap(({ spans }, cell) => {
      let rest = spans;
      if (dated?.cell === cell) {
        const { period } = dated;
        date = { value: texts.valueOf(period.text, block), isRange: period.isRange };
        rest = withoutText(spans, period);
      }
      return splitSpans(rest).flatMap(({ text, url, isBold }): Part[] => {
        const value = texts.valueOf(text, block);
        if (isDuration(text)) return exclude(value, 'It follows from the dates') ?? [];
        if (connection.test(text)) return exclude(value, layoutReason) ?? [];
        return [{ value, text, url, isBold, row }];
      });
    });
  });
  return { parts, period: date?.value, isRange: date?.isRange ?? false };
}

/** Replaces a part of the text of spans by a tab; in the part, all white space counts as one space. */
function withoutText(spans: readonly Span[], { text, index }: FoundPeriod): Span[] {
  const all = spans.map((span) => span.text).join('');
  const offset = all.length - all.trimStart().length;
  // The index in the text with its original white space.
  let at = offset;
  for (let count = 0; count < index; count++) {
    if (/\s/.test(all[at]!)) while (/\s/.test(all[at + 1] ?? '')) at++;
    at++;
  }
  const pattern = new RegExp(text.split(/\s+/).map(RegExp.escape).join('\\s+'), 'y');
  pattern.lastIndex = at;
  const length = pattern.exec(all)?.[0].length ?? 0;
  let start = 0;
  return spans.map((span) => {
    const [from, until] = [start, start + span.text.length];
    start = until;
    const before = span.text.slice(0, Math.max(0, at - from));
    const after = span.text.slice(Math.max(0, at + length - from));
    // The texts on both sides of it are separate.
    return { ...span, text: before + (from <= at && at < until ? '\t' : '') + after };
  });
}

const styleOf = ({ isBold, font, size }: Span) =>
  `${isBold} ${/ital|obli|slant|CM(?:SS|T)I\d|SF[ST]I/i.test(font)} ${Math.round(size)}`;

/** Splits spans where the weight or slant changes, and at separators. */
const splitSpans = (spans: readonly Span[]) =>
  joinSpans(
    spans,
    (one, span) => styleOf(one) === styleOf(span) && (one.url === span.url || !/\S/.test(span.text)),
  ).flatMap(({ text, url, isBold }) =>
    text
      .replace(/[^\S\t]+/g, ' ')
      .replace(/[([] ?\t ?[)\]]/g, '\t')
      .replace(/ (in|at) ?$/, '\t$1')
      .split(separator)
      .map(toTrimmed)
      .flatMap((part) => (/[\p{L}\p{N}]/u.test(part) ? { text: part, url, isBold } : [])),
  );

/** Joins the texts of spans that belong to the first one before them. */
export const joinSpans = (spans: readonly Span[], belongs: (first: Span, span: Span) => boolean): Span[] =>
  grouped(spans, ([first], span) => belongs(first, span)).map((same) => ({
    ...same[0],
    text: same.map(({ text }) => text).join(''),
  }));

/** The key with the highest sum of counts, the first of several; undefined if there are none. */
export function mostFrequent(counts: readonly (readonly [key: string, count: number])[]): string | undefined {
  const sums = new Map<string, number>();
  for (const [key, count] of counts) sums.set(key, (sums.get(key) ?? 0) + count);
  return [...sums].toSorted((one, other) => other[1] - one[1])[0]?.[0];
}

export const fontOf = ({ style }: Block): string => `${style.font} ${style.isBold} ${Math.round(style.size)}`;
