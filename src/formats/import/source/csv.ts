import { parse } from 'csv-parse/sync';

/** A cell that is not blank; `line` is its first line, counted from 1. */
interface Cell {
  readonly column: string;
  readonly line: number;
  readonly text: string;
}

/** The rows of a table below its header, and the cells above the header as notes. */
export interface Table {
  readonly notes: readonly Cell[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Reads the table whose header is the first row with a given column; null if no row has it. Throws `is not CSV: …`. */
export function readTable(text: string, column: string): Table | null {
  const rows: (readonly Cell[])[] = [];
  readRows(text, separatorOf(text, column), (row) => rows.push(row));
  const start = rows.findIndex((row) => row.some((cell) => cell.text.trim() === column));
  if (start === -1) return null;
  const names = new Map(rows[start]!.map((cell) => [cell.column, cell.text.trim()]));
  const toNamed = (cell: Cell) => ({ ...cell, column: names.get(cell.column) ?? cell.column });
  return { notes: rows.slice(0, start).flat(), rows: rows.slice(start + 1).map((row) => row.map(toNamed)) };
}

/** Counts the rows and values below the header, which is the first row with several cells, otherwise the first row. Throws `is not CSV: …`. */
export function countTable(text: string): { rows: number; values: number } {
  const lengths: number[] = [];
  readRows(text, ',', ({ length }) => lengths.push(length));
  const start = Math.max(
    lengths.findIndex((length) => length > 1),
    0,
  );
  const all = lengths.reduce((sum, length) => sum + length, 0);
  return { rows: lengths.slice(start + 1).length, values: all - (lengths[start] ?? 0) };
}

const separators = [',', ';', '\t'];

/** The separator with which a line of a text is the header with a given column; a comma if no line is. */
function separatorOf(text: string, column: string): string {
  for (const line of text.split(/\r\n?|\n/))
    for (const separator of separators)
      if (line.split(separator).some((cell) => cell.trim().replace(/^"|"$/g, '') === column)) return separator;
  return ',';
}

const maxRowBytes = 1024 * 1024;

/** Calls back with each row that is not blank; columns are called by their number. Throws `is not CSV: …` if the text is malformed. */
function readRows(text: string, delimiter: string, onRow: (row: readonly Cell[]) => void): void {
  try {
    parse(text.replace(/\r\n?/g, '\n'), {
      delimiter,
      record_delimiter: '\n',
      relax_quotes: true,
      relax_column_count: true,
      max_record_size: maxRowBytes,
      cast: (cell, { index, lines }) =>
        /\S/.test(cell) && { column: `column ${index + 1}`, line: lines - (cell.split('\n').length - 1), text: cell },
      on_record: (cells: unknown[]) => {
        const row = (cells as (Cell | false)[]).filter((cell) => cell !== false);
        if (row.length > 0) onRow(row);
        return null;
      },
    });
  } catch (cause) {
    throw new Error(`is not CSV: ${(cause as Error).message}`, { cause });
  }
}
