import { toVisible } from 'resume-profile/text';
import stringWidth from 'string-width';
import { type Column, type Io, inColour, type ListColumn, shortIdsOf } from './terminal.ts';

export type Columns = Readonly<Record<string, Column>>;

type Rows = readonly (readonly string[])[];

const gap = '  ';
const lengthOf = (cell: string): number => cell.length;

export function printTable<Item>(
  { stdout, console }: Io,
  items: readonly Item[],
  all: readonly ListColumn<Item>[],
  ids?: readonly string[],
): void {
  const { isTTY, columns: width } = stdout;
  const here = isTTY ? 'terminal' : 'pipe';
  const shown = all.filter(([, , , place = here]) => place === here);
  const columns = Object.fromEntries(shown.map(([heading, kind]) => [heading, kind]));
  const rows = items.map((item) =>
    shown.map(([, , cell]) => toVisible(typeof cell === 'function' ? cell(item) : toText(item[cell]))),
  );
  const table = isTTY
    ? toFittedTable(columns, rows, { width: width || Number.POSITIVE_INFINITY, now: new Date(), ids })
    : toTable(columns, rows);
  const [heading = '', ...lines] = table.split('\n');
  console.log([inColour('heading', heading, stdout), ...lines].join('\n'));
}

const toText = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value ?? ''));

/** Returns rows as lines for scripts, each column as wide as its longest cell in UTF-16 units. */
export function toTable(columns: Columns, rows: Rows): string {
  const all = [Object.keys(columns), ...rows];
  const widths = widthsOf(all);
  return all.map((row) => align(row, widths)).join('\n');
}

/** Returns rows as lines that fit a terminal; cells that are too long end in an ellipsis. */
export function toFittedTable(
  columns: Columns,
  rows: Rows,
  { width, now, ids }: { width: number; now: Date; ids?: readonly string[] | undefined },
): string {
  const kinds = Object.values(columns);
  const shortIds = shortIdsOf(ids ?? rows.flatMap((row) => row.filter((_, column) => kinds[column] === 'id')));
  const toTime = timeFormat(now);
  const shown = [
    Object.keys(columns),
    ...rows.map((row) =>
      row.map((cell, column) => {
        if (kinds[column] === 'id') return shortIds.get(cell) ?? cell;
        return kinds[column] === 'time' ? toTime(cell) : cell.replaceAll('\t', ' ');
      }),
    ),
  ];
  const widths = fit(widthsOf(shown, stringWidth), kinds, width);
  return shown
    .map((row) => row.map((cell, column) => truncate(cell, widths[column]!)))
    .map((row) => align(row, widths, stringWidth))
    .join('\n');
}

/** Returns a function that formats an ISO instant as local time: `2 Nov 14:10` or, in another year, `31 Dec 2025`. */
function timeFormat(now: Date): (instant: string) => string {
  const ofYear = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  const withYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
  return (text) => {
    const instant = new Date(text);
    if (Number.isNaN(instant.getTime())) return text;
    const isThisYear = instant.getFullYear() === now.getFullYear();
    return (isThisYear ? ofYear : withYear).format(instant).replace(',', '');
  };
}

function widthsOf(rows: Rows, measure = lengthOf): number[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, measure(cell));
  return widths;
}

const align = (row: readonly string[], widths: readonly number[], measure = lengthOf): string =>
  row
    .map((cell, column) => cell + ' '.repeat(widths[column]! - measure(cell)))
    .join(gap)
    .trimEnd();

/** Narrows the widest columns until a line fits: texts first, then `whole` columns to a readable width, then all. */
function fit(widths: readonly number[], kinds: readonly Column[], width: number): number[] {
  const fitted = [...widths];
  for (const [minimum, isCut] of [
    [1, (kind: Column) => kind === 'text'],
    [8, (kind: Column) => kind === 'whole'],
    [1, () => true],
  ] as const)
    while (fitted.reduce((sum, each) => sum + gap.length + each, -gap.length) > width) {
      const widest = Math.max(minimum, ...fitted.filter((_, column) => isCut(kinds[column]!)));
      if (widest === minimum) break;
      fitted[fitted.findLastIndex((each, column) => each === widest && isCut(kinds[column]!))]! -= 1;
    }
  return fitted;
}

const segmenter = new Intl.Segmenter();

/** Cuts a text to a width in terminal columns, between graphemes. */
function truncate(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let start = '';
  for (const { segment } of segmenter.segment(text)) {
    if (stringWidth(start + segment) > width - 1) break;
    start += segment;
  }
  return `${start.trimEnd()}…`;
}
