import type { Block } from '../../source/blocks.ts';
import { type FoundPeriod, periodsIn } from '../../source/dates.ts';
import { grouped, type Span } from '../../source/layout.ts';
import { changed, exclude, layoutReason, literal, toLeaf, toValue, type Value } from '../../source/value.ts';
import { isDegree, isDuration, isJobTitle, isPlace } from './wording.ts';

/** Reads the text of a block, or a part of it, as a leaf. */
export function readText(block: Block, text = block.text): Value {
  if (text === '') return literal('');
  const leaf = toLeaf(block.where, text);
  block.leaves.push(leaf);
  return toValue(leaf);
}

/** A part of the lines at the head of an entry; `row` is the number of its block there. */
export interface Part extends Pick<Span, 'text' | 'url' | 'isBold'> {
  readonly value: Value;
  readonly row: number;
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
export function toHead(blocks: readonly Block[]) {
  let date: { value: Value; isRange: boolean } | undefined;
  const parts = blocks.flatMap((block, row) => {
    const dated = date ? null : periodOf(block);
    return block.cells.flatMap(({ spans }, cell) => {
      let rest = spans;
      if (dated?.cell === cell) {
        const { period } = dated;
        date = { value: readText(block, period.text), isRange: period.isRange };
        rest = withoutText(spans, period);
      }
      return splitSpans(rest).flatMap(({ text, url, isBold }): Part[] => {
        const value = readText(block, text);
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

/** An entry of a section: its head, and the paragraphs and bullets below. */
export interface Entry extends ReturnType<typeof toHead> {
  readonly body: readonly { readonly value: Value; readonly isBullet: boolean }[];
  /** The style of its line with the date, which entries of one kind share. */
  readonly key: string;
}

/** Divides the blocks of a section into entries with a date in each head; `lead` has the blocks before the first. */
export function toEntries(blocks: readonly Block[]): { lead: readonly Block[]; entries: readonly Entry[] } {
  const dated = blocks.flatMap((block, index) => (periodOf(block) ? [index] : []));
  const [first] = dated;
  if (first === undefined) return { lead: blocks, entries: [] };
  const offset = headOffset(blocks, first);
  const start = first - offset;
  const starts = [start];
  for (const index of dated.slice(1)) {
    const own = startOf(blocks, index, offset, first);
    // A second date in the head of an entry, such as the company's date above the role's, begins no entry.
    if (own > starts.at(-1)!) starts.push(own);
  }
  const body = blocks.filter(({ isBullet, isLong }) => isBullet || isLong);
  const bodyFont = mostFrequent(body.map((block) => [fontOf(block), block.text.length]));
  const entries = starts.map((from, at) => {
    const own = blocks.slice(from, starts[at + 1] ?? blocks.length);
    const date = own.findIndex((block) => periodOf(block) !== null);
    let end = date + 1;
    while (end < own.length && end <= date + 2 && isHeadLine(own[end]!, bodyFont)) end++;
    const head = toHead(own.slice(0, end));
    return { ...head, body: bodyOf(own.slice(end)), key: keyOf(own[date]!) };
  });
  return { lead: blocks.slice(0, start), entries };
}

export const bodyOf = (blocks: readonly Block[]): Entry['body'] =>
  blocks.map((block) => ({ value: readText(block), isBullet: block.isBullet }));

const keyOf = ({ cells, style }: Block) => {
  const { size, isBold } = cells[0]!.spans.find(({ text }) => /\S/.test(text)) ?? style;
  return `${Math.round(size * 2)} ${isBold}`;
};

const canBeHead = (block: Block) => !block.isBullet && !block.isLong && !block.isRunning && block.text.length < 120;
const maxAbove = 4;

/** The number of lines above the date in the first head. */
function headOffset(blocks: readonly Block[], first: number): number {
  let offset = 0;
  while (offset < maxAbove && first - offset > 0 && canBeHead(blocks[first - offset - 1]!)) offset++;
  // A section whose first lines are more than a head begins with something else.
  return offset === maxAbove && first > maxAbove ? 0 : offset;
}

/** Where the head of a later entry begins: as far above its date as in the first head; -1 if the date begins no entry. */
function startOf(blocks: readonly Block[], index: number, offset: number, dated: number): number {
  const first = blocks[dated - offset]!;
  for (const above of new Set([offset, 1, 2].filter((count) => count <= offset && count > 0))) {
    const lines = blocks.slice(index - above, index);
    const isHead = lines.length === above && lines.every((line) => canBeHead(line) && !periodOf(line));
    if (isHead && (above === offset ? keyOf(lines[0]!) === keyOf(first) : keyOf(lines[0]!) === keyOf(blocks[index]!)))
      return index - above;
  }
  // A date in another line, such as a journal's, is part of the entry; a range begins one.
  const isOwn = periodOf(blocks[index]!)!.period.isRange || keyOf(blocks[index]!) === keyOf(blocks[dated]!);
  return isOwn ? index : -1;
}

/** Whether a line below the date belongs to the head: it is short and set apart from the text, or a title or place. */
const isHeadLine = (block: Block, bodyFont: string | undefined) =>
  canBeHead(block) &&
  !periodOf(block) &&
  block.text.length <= 90 &&
  !/[.;!?:]$/.test(block.text) &&
  ((bodyFont !== undefined && fontOf(block) !== bodyFont) ||
    isPlace(block.text) ||
    ((isJobTitle(block.text) || isDegree(block.text)) && block.text.split(' ').length <= 8));

/** Splits a part at its first separator if a test holds for one side of it and not for the other; otherwise not. */
export function splitPart(
  part: Part,
  isOne: (text: string) => boolean,
  separator = /\s*(?:,| at | @ | in | bei | chez | en )\s*/g,
): Part[] {
  for (const { index, 0: match } of part.text.matchAll(separator)) {
    const [before, after] = [part.text.slice(0, index).trim(), part.text.slice(index + match.length).trim()];
    if (before === '' || after === '' || isOne(before) === isOne(after)) continue;
    return splitAt(part, index, match.length);
  }
  return [part];
}

/** Splits a part where a separator of some length begins. */
export function splitAt(part: Part, index: number, length = 1): [Part, Part] {
  const toPart = (text: string): Part => ({ ...part, text, value: changed(part.value, 'split', text) });
  return [toPart(part.text.slice(0, index).trim()), toPart(part.text.slice(index + length).trim())];
}
