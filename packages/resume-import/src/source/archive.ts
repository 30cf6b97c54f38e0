import { basename, dirname, extname, join } from 'node:path/posix';
import { parse } from 'csv-parse/sync';
import { pluralize } from 'resume-profile/text';
import { decodeUtf8 } from 'resume-profile/utf-8';
import type { Tree } from './input-cursor.ts';
import type { Input } from './tree.ts';
import { type Leaf, noField, privateReason, toLeaf } from './value.ts';
import { type InputFile, openZip } from './zip.ts';

/** The career files of a LinkedIn data export, each with a column that identifies its header. */
// biome-ignore format: a table
const careerFiles = Object.entries({
  'Profile.csv': 'First Name', 'Profile Summary.csv': 'Profile Summary', 'Positions.csv': 'Company Name',
  'Projects.csv': 'Title', 'Skills.csv': 'Name', 'Education.csv': 'School Name', 'Languages.csv': 'Name',
  'Email Addresses.csv': 'Email Address', 'PhoneNumbers.csv': 'Number', 'Certifications.csv': 'Name',
  'Publications.csv': 'Name', 'Courses.csv': 'Name', 'Honors.csv': 'Title', 'Organizations.csv': 'Name',
  'Patents.csv': 'Title', 'TestScores.csv': 'Name', 'Volunteering.csv': 'Role',
  'Causes You Care About.csv': 'Supported Cause', 'Recommendations_Received.csv': 'Text',
});

const privateColumns =
  /^(Address|Birth Date|Contact Instructions|Instant Messengers|Maiden Name|Marital Status|Zip Code)$/;

const maxTableMebibytes = 2;
const maxLeaves = 50_000;

export const readArchive = async (bytes: Buffer): Promise<Input> => readTables(await openZip(bytes), 'a ZIP archive');

/**
 * Reads CSV files in any folder of `source`, such as `a ZIP archive`. A career file becomes a list of rows, with a leaf
 * for each cell. Any other file becomes a leaf that says only its size: most are about other people.
 */
export async function readTables(files: readonly InputFile[], source: string): Promise<Input> {
  const tree = new Map<string, readonly Tree[]>();
  const leaves: Leaf[] = [];
  const add = (where: string, text: string, why = noField, further: Partial<Leaf> = {}): Leaf => {
    const leaf = { ...toLeaf(where, text), why, isContent: why === noField, ...further };
    if (leaves.push(leaf) > maxLeaves) throw new Error(`is ${source} of more than ${maxLeaves} values`);
    return leaf;
  };
  const put = (name: string, items: readonly Tree[]) => tree.set(name, [...(tree.get(name) ?? []), ...items]);

  const others: string[] = [];
  for (const file of withoutFolder(files)) {
    const [name, column] = careerFileOf(file.path) ?? [];
    const table = column && (await readCareer(file, column, source));
    const { path, size } = file;
    if (name && table) put(name, toRows(path, table));
    else if (!/\.csv$/i.test(path)) others.push(path);
    else if (size > 0) {
      const other = 'It is about the account or other people, not about a career';
      const why = column ? `It has no column “${column}”` : other;
      put(path, [add(path, pluralize(size, 'byte'), why, column ? { isContent: true, isAmount: true } : {})]);
    }
  }
  // Files that are not tables are counted under a pattern, such as `Articles/*.html`.
  for (const [pattern, paths] of Map.groupBy(others, (path) => join(dirname(path), `*${extname(path)}`))) {
    const where = paths.length === 1 ? paths[0]! : pattern;
    put(where, [add(where, pluralize(paths.length, 'file'), 'It is not a table')]);
  }
  if (leaves.length === 0) throw new Error(`is ${source} without any data`);
  return { tree, leaves };

  function toRows(path: string, { notes, rows }: Table): Tree[] {
    for (const { line, text } of notes) add(`${path}:${line}`, text, 'It is a note before the table');
    return rows.map(
      (row) =>
        new Map(
          row.map(({ column, line, text }) => {
            const where = `${path}:${line}: ${column}`;
            return [column, privateColumns.test(column) ? add(where, 'not shown', privateReason) : add(where, text)];
          }),
        ),
    );
  }
}

/** Removes the files that macOS adds, and from paths the folder that contains all files, if there is one. */
function withoutFolder(files: readonly InputFile[]): InputFile[] {
  const own = files.filter(({ path }) => !/(^|\/)(__MACOSX\/|\.DS_Store$)/.test(path));
  const [folder] = /^[^/]+\//.exec(own[0]?.path ?? '') ?? [''];
  if (!own.every(({ path }) => path.startsWith(folder))) return own;
  return own.map((file) => ({ ...file, path: file.path.slice(folder.length) }));
}

/** The usual name of a career file and its identifying column. Some exports use other separators in the name. */
function careerFileOf(path: string): readonly [string, string] | undefined {
  const spelled = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');
  return careerFiles.find(([name]) => spelled(name) === spelled(basename(path)));
}

/** Reads a career file; null if it lacks its column. */
async function readCareer({ path, size, read }: InputFile, column: string, source: string): Promise<Table | null> {
  const subject = `is ${source} whose ${path}`;
  if (size > maxTableMebibytes * 1024 ** 2) throw new Error(`${subject} is larger than ${maxTableMebibytes} MiB`);
  const content = await read();
  try {
    return readTable(decodeUtf8(content), column);
  } catch (error) {
    throw new Error(`${subject} ${(error as Error).message}`, { cause: error });
  }
}

/** A cell that is not blank; `line` is its first line, counted from 1. */
interface Cell {
  readonly column: string;
  readonly line: number;
  readonly text: string;
}

type Table = NonNullable<ReturnType<typeof readTable>>;

/**
 * Reads the table whose header is the first row with a given column, and the cells above it as notes; null if no row has it.
 * Throws `is not CSV: …`.
 */
function readTable(text: string, column: string) {
  const rows = readRows(text, separatorOf(text, column));
  const start = rows.findIndex((row) => row.some((cell) => cell.text.trim() === column));
  if (start === -1) return null;
  const names = new Map(rows[start]!.map((cell) => [cell.column, cell.text.trim()]));
  const toNamed = (cell: Cell) => ({ ...cell, column: names.get(cell.column) ?? cell.column });
  return { notes: rows.slice(0, start).flat(), rows: rows.slice(start + 1).map((row) => row.map(toNamed)) };
}

/** The separator with which a line of a text is the header with a given column; a comma if no line is. */
function separatorOf(text: string, column: string): string {
  for (const line of text.split(/\r\n?|\n/))
    for (const separator of [',', ';', '\t'])
      if (line.split(separator).some((cell) => cell.trim().replace(/^"|"$/g, '') === column)) return separator;
  return ',';
}

/** Reads the rows that are not blank, columns by number. Throws `is not CSV: …` if the text is malformed. */
function readRows(text: string, delimiter: string): Cell[][] {
  try {
    const rows = parse(text.replace(/\r\n?/g, '\n'), {
      delimiter,
      record_delimiter: '\n',
      relax_quotes: true,
      relax_column_count: true,
      cast: (cell, { index, lines }) =>
        /\S/.test(cell) && { column: `column ${index + 1}`, line: lines - (cell.split('\n').length - 1), text: cell },
    });
    const cells = rows as unknown as (Cell | false)[][];
    return cells.map((row) => row.filter((cell) => cell !== false)).filter((row) => row.length > 0);
  } catch (cause) {
    throw new Error(`is not CSV: ${(cause as Error).message}`, { cause });
  }
}
