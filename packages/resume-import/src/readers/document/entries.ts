import type { Block } from '../../source/blocks.ts';
import { changed, type Value } from '../../source/value.ts';
import { type Head, type Part, periodOf, type Texts, toHead } from './texts.ts';
import { isDegree, isJobTitle, isPlace } from './wording.ts';

/** An entry of a section: its head, and the paragraphs and bullets below. */
export interface Entry extends Head {
  readonly body: readonly { readonly value: Value; readonly isBullet: boolean }[];
  /** The style of the line that has its date, by which entries of one kind are known. */
  readonly key: string;
}

export interface Entries {
  /** The blocks before the first entry. */
  readonly lead: readonly Block[];
  readonly entries: readonly Entry[];
}

/** Parts the blocks of a section into entries, each of which has a date in its head. */
export function toEntries(blocks: readonly Block[], texts: Texts): Entries {
  const dated = blocks.flatMap((block, index) => (periodOf(block) ? [index] : []));
  const [first] = dated;
  if (first === undefined) return { lead: blocks, entries: [] };
  const offset = headOffset(blocks, first);
  const start = first - offset;
  const starts: number[] = [];
  for (const index of dated) {
    const previous = starts.at(-1);
    if (previous === undefined) starts.push(start);
    else {
      const own = startOf(blocks, index, offset, first);
      // A second date in the head of an entry, such as that of the company above that of the role, begins none.
      if (own > previous) starts.push(own);
    }
  }
  const bodyFont = fontOfBody(blocks);
  const entries = starts.map((from, at) => {
    const own = blocks.slice(from, starts[at + 1] ?? blocks.length);
    const date = own.findIndex((block) => periodOf(block) !== null);
    let end = date + 1;
    while (end < own.length && end <= date + 2 && isHeadLine(own[end]!, bodyFont)) end++;
    const head = toHead(own.slice(0, end), texts);
    return { ...head, body: own.slice(end).map((block) => toBody(block, texts)), key: keyOf(own[date]!) };
  });
  return { lead: blocks.slice(0, start), entries };
}

const toBody = (block: Block, texts: Texts) => ({
  value: texts.valueOf(block.text, block),
  isBullet: block.isBullet,
});

const keyOf = ({ cells, style }: Block) => {
  const { size, isBold } = cells[0]!.spans.find(({ text }) => /\S/.test(text)) ?? style;
  return `${Math.round(size * 2)} ${isBold}`;
};

const canBeHead = (block: Block) => !block.isBullet && !block.isLong && !block.isRunning && block.text.length < 120;

const maxAbove = 4;

/** How many lines of the first head stand above its date. */
function headOffset(blocks: readonly Block[], first: number): number {
  let offset = 0;
  while (offset < maxAbove && first - offset > 0 && canBeHead(blocks[first - offset - 1]!)) offset++;
  // A section whose first lines are more than a head begins with something else.
  return offset === maxAbove && first > maxAbove ? 0 : offset;
}

/** Where the head of a later entry begins: as far above its date as that of the first; -1 if the date begins none. */
function startOf(blocks: readonly Block[], index: number, offset: number, dated: number): number {
  const first = blocks[dated - offset]!;
  for (const above of new Set([offset, 1, 2].filter((count) => count <= offset && count > 0))) {
    const lines = blocks.slice(index - above, index);
    const isHead = lines.length === above && lines.every((line) => canBeHead(line) && !periodOf(line));
    if (isHead && (above === offset ? keyOf(lines[0]!) === keyOf(first) : keyOf(lines[0]!) === keyOf(blocks[index]!)))
      return index - above;
  }
  // A date in another line, such as that of a journal, is part of the entry; a range begins one.
  const isOwn = periodOf(blocks[index]!)!.period.isRange || keyOf(blocks[index]!) === keyOf(blocks[dated]!);
  return isOwn ? index : -1;
}

const fontOf = ({ style }: Block) => `${style.font} ${style.isBold} ${Math.round(style.size)}`;

/** The font of most of the text in bullets and paragraphs. */
function fontOfBody(blocks: readonly Block[]): string | undefined {
  const sums = new Map<string, number>();
  for (const block of blocks)
    if (block.isBullet || block.isLong) sums.set(fontOf(block), (sums.get(fontOf(block)) ?? 0) + block.text.length);
  return [...sums].toSorted((one, other) => other[1] - one[1])[0]?.[0];
}

/** Whether a line below the date belongs to the head: it is short and set apart from the text, or a title or place. */
const isHeadLine = (block: Block, bodyFont: string | undefined) =>
  canBeHead(block) &&
  !periodOf(block) &&
  block.text.length <= 90 &&
  !/[.;!?:]$/.test(block.text) &&
  ((bodyFont !== undefined && fontOf(block) !== bodyFont) || isPlace(block.text) || isShort(block.text));

const isShort = (text: string) => (isJobTitle(text) || isDegree(text)) && text.split(' ').length <= 8;

/** Splits a part at its first separator after which, or before which alone, a test holds; otherwise as it is. */
export function splitPart(
  part: Part,
  isOne: (text: string) => boolean,
  separator = /\s*(?:,| at | @ | in | bei | chez | en )\s*/g,
): Part[] {
  for (const { index, 0: found } of part.text.matchAll(separator)) {
    const [before, after] = [part.text.slice(0, index).trim(), part.text.slice(index + found.length).trim()];
    if (before === '' || after === '' || isOne(before) === isOne(after)) continue;
    return splitAt(part, index, found.length);
  }
  return [part];
}

/** Splits a part where a separator of some length begins. */
export function splitAt(part: Part, index: number, length = 1): [Part, Part] {
  const toPart = (text: string): Part => ({ ...part, text, value: changed(part.value, 'split', text) });
  return [toPart(part.text.slice(0, index).trim()), toPart(part.text.slice(index + length).trim())];
}
