import type { Paragraph, TextDocument } from './document.ts';
import { bullet, type Cell, grouped, isSameStyle, type Line, type Span, toLines } from './layout.ts';
import type { Leaf } from './value.ts';

/** A paragraph, a bullet, or a line of several cells. */
export interface Block {
  readonly where: string;
  /** Without bullets. */
  readonly cells: readonly { readonly spans: readonly Span[]; readonly text: string; readonly x: number }[];
  readonly text: string;
  /** The style of most of its text. */
  readonly style: Omit<Span, 'text'>;
  readonly isBullet: boolean;
  /** Whether it takes several lines, or nearly all of one. */
  readonly isLong: boolean;
  /** The level of a heading, if the document says so; 0 is its title. */
  readonly level?: number | undefined;
  readonly isRunning: boolean;
  /** Whether it stands at the foot of the pages of a Word document. */
  readonly isFooter?: boolean | undefined;
  /** The texts of the document that were read so far, for all its blocks. */
  readonly leaves: Leaf[];
}

export function toBlocks(document: TextDocument): Block[] {
  const leaves: Leaf[] = [];
  const blocks =
    document.kind === 'DOCX'
      ? document.paragraphs.flatMap(toParagraphBlocks)
      : joinLines(toLines(document.pages), isLinkedIn(document) ? sizeOf : placeOf, dividesIn(document.program));
  return blocks.map((block) => ({ ...block, leaves }));
}

type Unread = Omit<Block, 'leaves'>;

/** Whether LinkedIn has made a PDF of a profile (“Save to PDF”), in which the type size tells the level of each line. */
export const isLinkedIn = (document: TextDocument): boolean =>
  document.kind === 'PDF' &&
  /Apache FOP/.test(document.program) &&
  document.pages.some(({ runs }) => runs.some(({ text, url = '' }) => /linkedin\.com\/in\//.test(text + url)));

const textOf = (spans: readonly Span[]) =>
  spans
    .map(({ text }) => text)
    .join('')
    .replace(/\s+/g, ' ')
    .trim();

function styleOf(spans: readonly Span[]): Block['style'] {
  const lengthOf = (style: Block['style']) =>
    spans.filter((span) => isSameStyle(span, style)).reduce((sum, { text }) => sum + text.trim().length, 0);
  const [{ text: _, url: __, ...style }] = spans.toSorted((one, other) => lengthOf(other) - lengthOf(one)) as [Span];
  return style;
}

const mark = /^\s*[•●▪◦‣∙○■□·⁃➢✓►▶]\s*|^\s*[–—*-]\s+/;

type Item = ReturnType<typeof toItem>;

/** Sets the bullet before a line apart, if there is one. */
function toItem(line: Line): Line & { isBullet: boolean } {
  const [first, ...others] = line.cells as [Cell, ...Cell[]];
  const [span, ...spans] = first.spans as [Span, ...Span[]];
  const isAlone = bullet.test(span.text) && (spans.length > 0 || others.length > 0);
  if (!isAlone && !(mark.test(span.text) && /\S/.test(span.text.replace(mark, ''))))
    return { ...line, isBullet: false };
  const rest = isAlone ? spans : [{ ...span, text: span.text.replace(mark, '') }, ...spans];
  // The text of a bullet begins at about the same place as its second line.
  const cells = rest.length > 0 ? [{ ...first, spans: rest }, ...others] : others;
  return { ...line, cells, isBullet: true };
}

/** Joins the lines of each paragraph, and words that are divided between them. */
function joinLines(lines: readonly Line[], keyOf: (item: Item) => string, divides: Divides): Unread[] {
  const rightEdges = new Map<number, number>();
  const items = withHeads(lines.map(toItem));
  for (const { cells } of items)
    for (const { x, right } of cells)
      rightEdges.set(Math.round(x), Math.max(rightEdges.get(Math.round(x)) ?? 0, right));
  const byWidth = grouped(items, (paragraph, item) => continues(paragraph, item, rightEdges));
  // The least distance of lines of each kind. A larger one separates paragraphs or the items of a list.
  const leadings = new Map<string, number>();
  for (const paragraph of byWidth)
    for (const [index, item] of paragraph.entries()) {
      const distance = item.y - (paragraph[index - 1]?.y ?? item.y);
      if (distance > 0) leadings.set(keyOf(item), Math.min(leadings.get(keyOf(item)) ?? Infinity, distance));
    }
  const paragraphs = byWidth.flatMap((paragraph) =>
    grouped(paragraph, (lines, item) => {
      const distance = item.y - lines.at(-1)!.y;
      return distance < 0 || distance <= 1.08 * leadings.get(keyOf(item))!;
    }),
  );
  return paragraphs.map((paragraph) => toBlock(paragraph, rightEdges, divides));
}

const sizeOf = ({ cells }: Item) => String(Math.round(styleOf(cells[0]!.spans).size * 2));
const placeOf = (item: Item) => `${sizeOf(item)} ${Math.round(item.cells[0]!.x)}`;

/**
 * Moves the cells at the right margin beside bullets, such as the dates below a place, to the line above the bullets
 * that has such a cell.
 */
function withHeads(items: readonly Item[]): Item[] {
  const made: Item[] = [];
  let head = -1;
  for (const item of items) {
    const [first, ...beside] = item.cells as [Cell, ...Cell[]];
    const edge = made[head]?.cells.at(-1)?.right ?? 0;
    const before = made.at(-1);
    const isText = item.isBullet || (before?.isBullet && first.x > before.cells[0]!.x + 1);
    if (head !== -1 && isText && beside.length === 1 && Math.abs(beside[0]!.right - edge) < 2) {
      made[head] = { ...made[head]!, cells: [...made[head]!.cells, ...beside] };
      made.push({ ...item, cells: [first] });
      continue;
    }
    made.push(item);
    if (!item.isBullet && beside.length > 0) head = made.length - 1;
  }
  return made;
}

/** An address or a phone number stands on a line of its own, however short the line. */
const address = /^\S+@\S+$|^\+?[\d(][\d\s()./-]{6,}$|^(https?:\/\/|www\.)\S+$/;

/** Whether a line is the next one of a paragraph: its first word did not fit on the line before. */
function continues(paragraph: readonly Item[], item: Item, rightEdges: ReadonlyMap<number, number>): boolean {
  const before = paragraph.at(-1)!;
  const [first, ...others] = item.cells as [Cell, ...Cell[]];
  const [start, ...beside] = before.cells as [Cell, ...Cell[]];
  if (item.isBullet || item.isRunning || before.isRunning || others.length > 0 || beside.length > 0) return false;
  if ([start, first].some(({ spans }) => address.test(textOf(spans)))) return false;
  const [style, ownStyle] = [styleOf(start.spans), styleOf(first.spans)];
  if (Math.abs(style.size - ownStyle.size) > 0.5 || style.isBold !== ownStyle.isBold) return false;
  const isNextPage = item.page !== before.page || item.y < before.y;
  if (!isNextPage && item.y - before.y > 1.9 * style.size) return false;
  // The second line of a bullet begins to the right of the bullet.
  const indent = first.x - paragraph[0]!.cells[0]!.x;
  if (indent < -1 || indent > (paragraph[0]!.isBullet ? 3 : 0.5) * style.size) return false;
  const edge = Math.max(rightEdges.get(Math.round(start.x)) ?? 0, rightEdges.get(Math.round(first.x)) ?? 0);
  const word = /^\S+/.exec(textOf(first.spans))![0];
  const width = ((first.right - first.x) * (word.length + 1)) / Math.max(1, textOf(first.spans).length);
  return start.right + width > edge - 0.5;
}

function toBlock(paragraph: readonly Item[], rightEdges: ReadonlyMap<number, number>, divides: Divides): Unread {
  const [first] = paragraph as [Item, ...Item[]];
  const own = first.cells.map(({ spans, x }) => ({ spans, text: textOf(spans), x }));
  const cells = paragraph.length > 1 ? [toJoined(paragraph, divides), ...own.slice(1)] : own;
  const spans = paragraph.flatMap((line) => line.cells.flatMap((cell) => cell.spans));
  const [cell] = first.cells as [Cell];
  return {
    where: first.where,
    cells,
    text: cells.map(({ text }) => text).join(' '),
    style: styleOf(spans),
    isBullet: first.isBullet,
    isLong:
      paragraph.length > 1 || (cell.right > 0.92 * rightEdges.get(Math.round(cell.x))! && textOf(spans).length > 70),
    isRunning: first.isRunning,
  };
}

/** The text before a hyphen that is part of a word: a word of this list, an abbreviation, a number, or another hyphen. */
const ownHyphens = [
  /(?:^|[^\p{L}])(?:all|anti|back|best|client|co|cost|cross|cutting|data|end|fast|four|front|full|hands|high|large|long|low|mid|multi|near|next|non|one|open|peer|post|real|role|self|server|short|single|six|small|third|three|time|two|user|well|zero)-$/iu,
  /(?:\p{Lu}{2}|\d|-\p{L}+)-$/u,
];

/** Whether the hyphen at the end of a line divides a word, and is not part of it. */
type Divides = (cell: Cell, text: string) => boolean;

/** Typst draws such a hyphen apart from the word. TeX, InDesign and groff divide words, too; most other programs do not. */
function dividesIn(program: string): Divides {
  if (/Typst/.test(program)) return ({ hasHyphenApart }) => hasHyphenApart;
  if (/TeX|dvips|InDesign|groff/i.test(program)) return (_, text) => !ownHyphens.some((one) => one.test(text));
  return () => false;
}

/** The lines as one text, without the hyphens that divide words. */
function toJoined(paragraph: readonly Item[], divides: Divides): Block['cells'][number] {
  const spans: Span[] = [];
  for (const [index, { cells }] of paragraph.entries()) {
    const [first, ...others] = cells.flatMap((cell) => cell.spans) as [Span, ...Span[]];
    const last = spans.at(-1);
    const text = last?.text.trimEnd() ?? '';
    const hasHyphen = /[\p{L}\p{N}]-$/u.test(text) && /^\p{Ll}/u.test(first.text);
    if (hasHyphen && divides(paragraph[index - 1]!.cells.at(-1)!, text))
      spans.splice(-1, 1, { ...last!, text: text.slice(0, -1) });
    const isTight = index === 0 || hasHyphen || /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]$/u.test(text);
    spans.push(isTight ? first : { ...first, text: ` ${first.text}` }, ...others);
  }
  return { spans, text: textOf(spans), x: paragraph[0]!.cells[0]!.x };
}

/** The lines of a paragraph of a Word document, with tabs between their cells. */
function toParagraphBlocks({ runs, level, isBullet, isFooter }: Paragraph, index: number): Unread[] {
  const lines = splitRuns(runs, '\n').map((line) =>
    splitRuns(line, '\t').flatMap((spans) => (textOf(spans) ? [{ spans, text: textOf(spans), x: 0 }] : [])),
  );
  return lines
    .filter((cells) => cells.length > 0)
    .map((cells) => {
      const text = cells.map((cell) => cell.text).join(' ');
      return {
        ...{ where: `paragraph ${index + 1}`, cells, text, style: styleOf(cells.flatMap(({ spans }) => spans)) },
        ...{ isBullet: isBullet && level === undefined, isLong: text.length > 90, level, isRunning: false, isFooter },
      };
    });
}

function splitRuns(runs: readonly Span[], separator: string): Span[][] {
  const parts: Span[][] = [[]];
  for (const run of runs)
    run.text.split(separator).forEach((text, index) => {
      if (index > 0) parts.push([]);
      if (text !== '') parts.at(-1)!.push({ ...run, text });
    });
  return parts;
}
