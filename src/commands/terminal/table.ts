import stringWidth from 'string-width';
import { inColour } from './colour.ts';

type Rows = readonly (readonly string[])[];

const gap = '  ';

/** Prints rows, the heading first; on a terminal they are cut to its width. Cells hold no control character but tab. Import it when it is needed: `string-width` loads slowly. */
export function printTable(rows: Rows): void {
  const { isTTY, columns } = process.stdout;
  const table = isTTY ? toFittedTable(rows, columns || Number.POSITIVE_INFINITY) : toTable(rows);
  const [heading = '', ...lines] = table.split('\n');
  console.log([inColour('heading', heading), ...lines].join('\n'));
}

/** Returns rows as lines, each column as wide as its longest cell in UTF-16 units: the form that scripts read. */
export const toTable = (rows: Rows): string => align(rows, widthsOf(rows, lengthOf), lengthOf);

/** Returns rows as lines of at most `columns` terminal columns; cells that are too long end in an ellipsis. */
export function toFittedTable(rows: Rows, columns: number): string {
  const shown = rows.map((row) => row.map((cell) => cell.replaceAll('\t', ' ')));
  const widths = fit(widthsOf(shown, stringWidth), columns);
  const cut = shown.map((row) => row.map((cell, column) => truncate(cell, widths[column]!)));
  return align(cut, widths, stringWidth);
}

const lengthOf = (cell: string): number => cell.length;

function widthsOf(rows: Rows, measure: (cell: string) => number): number[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, measure(cell));
  return widths;
}

const align = (rows: Rows, widths: readonly number[], measure: (cell: string) => number): string =>
  rows
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat(widths[column]! - measure(cell)))
        .join(gap)
        .trimEnd(),
    )
    .join('\n');

/** No other column is cut below this width as long as the first one can be cut instead. */
const readableWidth = 8;

/** Narrows the widest columns until a line fits; the first one, which holds an id that people copy, is narrowed last. */
function fit(widths: readonly number[], columns: number): number[] {
  const fitted = [...widths];
  const isTooWide = () => fitted.reduce((sum, width) => sum + gap.length + width, -gap.length) > columns;
  while (isTooWide()) {
    const widest = Math.max(0, ...fitted.slice(1));
    const column = widest > readableWidth || widest >= fitted[0]! ? fitted.lastIndexOf(widest) : 0;
    if (fitted[column]! <= 1) break;
    fitted[column]! -= 1;
  }
  return fitted;
}

const segmenter = new Intl.Segmenter();

/** Cuts a text to a width in terminal columns, between graphemes. */
function truncate(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  for (const { segment } of segmenter.segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
