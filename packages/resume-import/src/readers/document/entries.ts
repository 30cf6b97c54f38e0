import type { Block } from '../../source/blocks.ts';
import { changed, type Value } from '../../source/value.ts';
import { fontOf, type Head, mostFrequent, type Part, periodOf, type Texts, toHead } from './texts.ts';
import { isDegree, isJobTitle, isPlace } from './wording.ts';

/** An entry of a section: its head, and the paragraphs and bullets below. */
export interface Entry extends Head {
  readonly body: readonly { readonly value: Value; readonly isBullet: boolean }[];
  /** The style of its line with the date, which entries of one kind share. */
  readonly key: string;
}

/** Divides the blocks of a section into entries with a date in each head; `lead` has the blocks before the first. */
export function toEntries(
  blocks: readonly Block[],
  texts: Texts,
): { lead: readonly Block[]; entries: readonly Entry[] } {
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
  const bodyFont = fontOfBody(blocks);
  const entries = starts.map((from, at) => {
    const own = blocks.slice(from, starts[at + 1] ?? blocks.length);
    const date = own.findIndex((block) => periodOf(block) !== null);
    let end = date + 1;
    while (end < own.length && end <= date + 2 && isHeadLine(own[end]!, bodyFont)) end++;
    const head = toHead(own.slice(0, end), texts);
    return { ...head, body: bodyOf(own.slice(end), texts), key: keyOf(own[date]!) };
  });
  return { lead: blocks.slice(0, start), entries };
}

/** The paragraphs and bullets below a head. */
export const bodyOf = (blocks: readonly Block[], texts: Texts): Entry['body'] =>
  blocks.map((block) => ({ value: texts.of(block), isBullet: block.isBullet }));

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

/** The font of most of the text in bullets and paragraphs. */
const fontOfBody = (blocks: readonly Block[]): string | undefined =>
  mostFrequent(
    blocks.filter(({ isBullet, isLong }) => isBullet || isLong).map((block) => [fontOf(block), block.text.length]),
  );

/** Whether a line below the date belongs to the head: it is short and set apart from the text, or a title or place. */
const isHeadLine = (block: Block, bodyFont: string | undefined) =>
  canBeHead(block) &&
  !periodOf(block) &&
  block.text.length <= 90 &&
  !/[.;!?:]$/.test(block.text) &&
  ((bodyFont !== undefined && fontOf(block) !== bodyFont) || isPlace(block.text) || isShort(block.text));

const isShort = (text: string) => (isJobTitle(text) || isDegree(text)) && text.split(' ').length <= 8;

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
