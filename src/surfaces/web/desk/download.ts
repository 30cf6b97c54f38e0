type Cell = string | number | boolean | null;

/** Sends rows as a file: JSON for programs, or CSV for spreadsheets, with the columns in this order. */
export function downloadOf<Column extends string>(
  { format, name, columns }: { format: 'json' | 'csv'; name: string; columns: readonly Column[] },
  rows: readonly Readonly<Record<Column, Cell>>[],
): Response {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  const isCsv = format === 'csv';
  return new Response(isCsv ? toCsv(lines) : `${JSON.stringify(rows, null, 2)}\n`, {
    headers: {
      'content-type': isCsv ? 'text/csv; charset=utf-8; header=present' : 'application/json',
      'content-disposition': `attachment; filename="${name}.${format}"`,
      'cache-control': 'no-store',
    },
  });
}

/** Writes CSV (RFC 4180) after a byte order mark, by which spreadsheets recognize UTF-8. */
const toCsv = (lines: readonly (readonly Cell[])[]): string =>
  `\ufeff${lines.map((cells) => `${cells.map(toField).join(',')}\r\n`).join('')}`;

// Spreadsheets run a text with one of these signs in front as a formula, also if it is full-width (OWASP, CSV injection).
// Where the comma is the decimal sign, they separate at semicolons, and then ignore quotes inside a line.
const formula = /^(?=[\t\r\n])|(?:^|[;\t\n]|\r(?!\n))(?= *[=+\-@＝＋－＠])/g;

function toField(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = cell.replace(formula, "$&'");
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
