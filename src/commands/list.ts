import type { Command } from 'commander';
import type { Io, ListColumn } from './terminal.ts';

interface ListOptions {
  readonly email?: string;
  readonly link?: string;
  readonly json?: boolean;
}

/** Makes a command print a list, and its help describe how a terminal's output differs. */
export const addListTo = (
  command: Command,
  print: (options: ListOptions, command: Command) => Promise<void>,
  json = 'print JSON',
): Command =>
  command
    .option('--json', json)
    .addHelpText(
      'after',
      '\nOn a terminal, ids, times (local) and texts are shortened to its width; commands accept the\nshort ids. A pipe or a file gets everything whole.',
    )
    .action(print);

export const printJson = ({ console }: Io, data: unknown): void => console.log(JSON.stringify(data, null, 2));

interface Listing {
  readonly isJson: boolean | undefined;
  /** All ids that a short id must differ from, if there are more than the listed ones. */
  readonly ids?: readonly string[] | undefined;
}

export async function printList<Item>(
  io: Io,
  records: readonly Item[],
  { isJson, ids }: Listing,
  columns: readonly ListColumn<Item>[],
): Promise<void> {
  if (isJson) return printJson(io, records);
  // Loaded late, because `string-width` loads slowly.
  const { printTable } = await import('./table.ts');
  printTable(io, records, columns, ids);
}
