import type { Page, Run } from './document.ts';

export type Span = Omit<Run, 'x' | 'y' | 'width'>;

/** A text between wide spaces. */
export type Cell = ReturnType<typeof toCells>[number];

type Row = ReturnType<typeof toRows>[number];

/** The cells of a line of one column, from left to right. */
export interface Line extends Row {
  /** Whether it stands at the foot or head of each page, such as the number of the page. */
  readonly isRunning: boolean;
}

/** Arranges the runs of all pages as lines in reading order: column by column where a page has two. */
export function toLines(pages: readonly Page[]): Line[] {
  const rows = pages.map(toRows);
  const gutter = gutterOf(rows);
  const running = runningTexts(rows);
  const bands: Record<'full' | 'left' | 'right', Row[]>[] = [{ full: [], left: [], right: [] }];
  // The columns of one page may end before the next.
  const isParted = rows.map(
    (page) => gutter !== null && 3 * page.filter((row) => isCrossed(row, gutter)).length < page.length,
  );
  for (const row of rows.flat()) {
    const band = bands.at(-1)!;
    if (gutter !== null && isParted[row.page] && !isCrossed(row, gutter)) {
      const [left, right] = [cellsLeftOf(row, gutter), cellsRightOf(row, gutter)];
      if (left.length > 0) band.left.push({ ...row, cells: left });
      if (right.length > 0) band.right.push({ ...row, cells: right });
    } else if (band.left.length + band.right.length > 0) bands.push({ full: [row], left: [], right: [] });
    else band.full.push(row);
  }
  const lengthOf = (side: 'left' | 'right') =>
    textOf({ cells: bands.flatMap((band) => band[side]).flatMap(({ cells }) => cells) }).length;
  // A sidebar is read after the text.
  const isBarLeft = lengthOf('left') < lengthOf('right');
  return bands
    .flatMap(({ full, left, right }) => [...full, ...(isBarLeft ? [...right, ...left] : [...left, ...right])])
    .map((row) => ({ ...row, isRunning: running.has(patternOf(row)) }));
}

const textOf = ({ cells }: Pick<Row, 'cells'>) =>
  cells.map(({ spans }) => spans.map(({ text }) => text).join('')).join(' ');

/** The text of a row with its numbers left out. */
const patternOf = (row: Pick<Row, 'cells'>) => textOf(row).replace(/\d+/g, '#');

/** A text that is only the number of a page. */
export const pageNumber = /^\W*(?:\p{L}{2,10}\.? )?\d{1,3}(?: ?(?:\/|of|von|de|di|van|sur) ?\d{1,3})?\W*$/iu;

/** The patterns of rows with a number that stand at the edge of several pages, and of bare page numbers. */
function runningTexts(pages: readonly (readonly Row[])[]): Set<string> {
  const edges = pages.map((rows) => [...rows.slice(0, 1), ...rows.slice(-1)].map(patternOf));
  const repeated = edges.flat().filter((each) => edges.filter((rows) => rows.includes(each)).length > 1);
  const numbers = pages.flatMap((rows) => rows.slice(-1)).filter((row) => pageNumber.test(textOf(row)));
  return new Set([...repeated.filter((each) => each.includes('#')), ...numbers.map(patternOf)]);
}

/** Groups consecutive items: `belongs` says whether an item joins the group before it. */
export function grouped<Item>(
  items: readonly Item[],
  belongs: (group: readonly [Item, ...Item[]], item: Item) => boolean,
): [Item, ...Item[]][] {
  const groups: [Item, ...Item[]][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last && belongs(last, item)) last.push(item);
    else groups.push([item]);
  }
  return groups;
}

/** Groups the runs of a page by their baselines, and each row by the wide spaces in it. */
function toRows({ runs }: Page, page: number) {
  const sorted = runs.flatMap(toPrintable).toSorted((one, other) => one.y - other.y);
  const rows = grouped(sorted, ([first], run) => run.y - first.y <= 0.35 * Math.min(run.size, first.size));
  return rows.map((row, index) => ({
    where: `page ${page + 1}, line ${index + 1}`,
    page,
    y: row[0].y,
    cells: toCells(row),
  }));
}

// Icons are characters of private use.
function toPrintable(run: Run): Run[] {
  const plain = run.text.replace(/[\p{Co}\p{Cc}\u00ad\ufffd]/gu, '');
  // Some headings are letter-spaced.
  const text = /^(?:\p{Lu}{1,2} +){3,}\p{Lu}{1,2}$/u.test(plain.trim()) ? plain.replace(/ +/g, '') : plain;
  return /\S/.test(text) ? [{ ...run, text }] : [];
}

const isRightToLeft = (text: string) => /^[^\p{L}]*[\p{sc=Arabic}\p{sc=Hebrew}]/u.test(text);

function toCells(row: readonly Run[]) {
  const sorted = row.toSorted((one, other) => one.x - other.x);
  const cells = grouped(sorted, (cell, run) => {
    const last = cell.at(-1)!;
    const isMark = cell.length === 1 && bullet.test(last.text);
    return run.x - last.x - last.width < (isMark ? 3 : 0.7) * Math.max(run.size, last.size);
  });
  const made = cells.map((runs) => ({
    x: runs[0].x,
    right: Math.max(...runs.map(({ x, width }) => x + width)),
    y: runs[0].y,
    spans: toSpans(runs),
    /** Whether the hyphen at its end was drawn apart from the word. */
    hasHyphenApart: runs.length > 1 && runs.at(-1)!.text === '-',
  }));
  return isRightToLeft(sorted.at(-1)!.text) ? made.reverse() : made;
}

/** A single sign, which is a letter in some fonts of signs. */
export const bullet = /^\s*[^\p{L}\p{N}\s("'“„«‘¿¡[#+$€£&/]\s*$/u;

/** Joins runs in the same style, with a space between those that are set apart. */
function toSpans(runs: readonly Run[]): Span[] {
  const ordered = isRightToLeft(runs.at(-1)!.text) ? runs.toReversed() : runs;
  const spans: Span[] = [];
  ordered.forEach(({ x, y: _, width, ...run }, index) => {
    const before = ordered[index - 1];
    const gap = before ? Math.max(x - before.x - before.width, before.x - x - width) : 0;
    const last = spans.at(-1);
    const text = (gap > 0.12 * run.size && !/\s$/.test(last!.text) ? ' ' : '') + run.text;
    if (last && isSameStyle(last, run) && last.url === run.url)
      spans.splice(-1, 1, { ...last, text: last.text + text });
    else spans.push({ ...run, text });
  });
  return spans;
}

export const isSameStyle = (one: Omit<Span, 'text'>, other: Omit<Span, 'text'>): boolean =>
  one.font === other.font && one.isBold === other.isBold && Math.abs(one.size - other.size) < 0.3;

const cellsLeftOf = ({ cells }: Row, gutter: number) => cells.filter(({ x }) => x < gutter - 1);
const cellsRightOf = ({ cells }: Row, gutter: number) => cells.filter(({ x }) => x >= gutter - 1);
const isCrossed = (row: Row, gutter: number) => cellsLeftOf(row, gutter).some(({ right }) => right > gutter - 2);

/** Where the right column begins; null if the pages have one column. */
function gutterOf(pages: readonly (readonly Row[])[]): number | null {
  const starts = pages.flat().flatMap(({ cells }) => cells.map(({ x }) => Math.round(x)));
  const counts = Map.groupBy(starts, (x) => x);
  const candidates = [...counts].filter(([, same]) => same.length >= 4).map(([x]) => x);
  const scored = candidates.map((gutter) => ({
    gutter,
    score: Math.max(...pages.map((rows) => scoreOf(rows, gutter))),
  }));
  const [best] = scored.toSorted((one, other) => other.score - one.score || one.gutter - other.gutter);
  return best && best.score > 0 ? best.gutter : null;
}

const minRows = 5;

/** The number of cells beside a gutter; 0 if they are lines of a table or too few. */
function scoreOf(rows: readonly Row[], gutter: number): number {
  const parted = rows.filter((row) => !isCrossed(row, gutter));
  const left = parted.flatMap((row) => cellsLeftOf(row, gutter).slice(0, 1));
  const right = parted.flatMap((row) => cellsRightOf(row, gutter).slice(0, 1));
  const [fewer, more] = left.length < right.length ? [left, right] : [right, left];
  if (fewer.length < minRows || parted.length < rows.length / 3) return 0;
  // In a table, such as dates beside jobs, each line of the shorter column is beside one of the other.
  const unpaired = fewer.filter(({ y }) => !more.some((other) => Math.abs(other.y - y) < 1));
  return unpaired.length > 0.4 * fewer.length ? fewer.length + more.length : 0;
}
