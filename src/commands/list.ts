import type { Command } from 'commander';
import type { Io, ListColumn } from './terminal.ts';

/** Makes a command print a list, and its help describe how a terminal's output differs. */
export const addListTo = (
  command: Command,
  print: (options: { email?: string; link?: string; json?: boolean }, command: Command) => Promise<void>,
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

/** Prints a list; a short id differs from all `ids`, if there are more than the listed ones. */
export async function printList<Item>(
  io: Io,
  records: readonly Item[],
  { isJson, ids }: { readonly isJson: boolean | undefined; readonly ids?: readonly string[] | undefined },
  columns: readonly ListColumn<Item>[],
): Promise<void> {
  if (isJson) return printJson(io, records);
  // Loaded late, because `string-width` loads slowly.
  const { printTable } = await import('./table.ts');
  printTable(io, records, columns, ids);
}
