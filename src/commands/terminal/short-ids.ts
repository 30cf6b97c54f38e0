import type { Command } from 'commander';

/** How many digits an id is shown with at least, so that it stays the only one for a while. */
const minDigits = 4;

/** Returns for each id its shortest start that no other id has. A prefix such as `contact_` is not counted as digits. */
export function shortIdsOf(ids: Iterable<string>): Map<string, string> {
  const sorted = [...new Set(ids)].sort();
  return new Map(
    sorted.map((id, index) => {
      const shared = Math.max(sharedLength(id, sorted[index - 1]), sharedLength(id, sorted[index + 1]));
      return [id, id.slice(0, Math.max(shared + 1, prefixOf(id).length + minDigits))];
    }),
  );
}

const prefixOf = (id: string): string => /^contact_/.exec(id)?.[0] ?? '';

function sharedLength(one: string, other = ''): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** How many ids an error lists. */
const maxListed = 10;

/** Returns the id that a text is or begins; null if there is none. Throws lines that name the ids if the text begins several. */
export function idByStart(start: string, ids: readonly string[], noun: string): string | null {
  if (ids.includes(start)) return start;
  const found = ids.filter((id) => id.startsWith(start)).toSorted();
  if (found.length <= 1) return found[0] ?? null;
  throw new Error(
    [
      `Several ${noun}s have an id that begins with ${start}. Give more of one of them:`,
      ...found.slice(0, maxListed).map((id) => `  ${id}`),
      ...(found.length > maxListed ? [`  and ${found.length - maxListed} more`] : []),
    ].join('\n'),
  );
}

/** Adds to the help of a list how it differs on a terminal. */
export const addListNoteTo = (command: Command): Command =>
  command.addHelpText(
    'after',
    '\nOn a terminal, ids, times (local) and texts are shortened to its width; commands accept the\nshort ids. A pipe or a file gets everything whole.',
  );
