/** The keys that a map or the entries of a list can have, or the values of a choice, by the path without indexes. */
export type KeysByPath = Readonly<Record<string, readonly { readonly label: string; readonly detail?: string }[]>>;

/** A key at its column, and whether it begins an entry of a list. */
const keyLine = /^(\s*(?:- +)*)([\w$-]+):(.*)$/;

/** Returns what can stand where a text ends, and how many characters before its end are of it. */
export function suggestions(
  text: string,
  keys: KeysByPath,
): { readonly from: number; readonly options: KeysByPath[''] } {
  const lines = text.split('\n');
  const line = lines.pop()!;
  const [, before, key = '', value] = keyLine.exec(line) ?? /^(\s*(?:- +)*)([\w$-]*)$/.exec(line) ?? [];
  if (before === undefined) return { from: 0, options: [] };
  const path = pathAbove(lines, before);
  const [{ length: from }] = /(?<![\w$-])[\w$-]*$/.exec(line)!;
  if (value === undefined) return { from, options: keys[path.join('.')] ?? [] };
  // Only keys have a detail.
  return { from, options: keys[[...path, key].join('.')]?.filter(({ detail }) => detail === undefined) ?? [] };
}

/** Returns the keys around a line that begins with some columns. */
function pathAbove(lines: readonly string[], before: string): string[] {
  const path: string[] = [];
  let column = before.length;
  let dash = before.indexOf('-');
  for (const line of lines.toReversed()) {
    const [, start = '', key, rest = ''] = keyLine.exec(line) ?? [];
    if (key === undefined || column === 0) continue;
    // The list of an entry may begin in the same column as its key.
    const isAbove = start.length < column && (dash === -1 || start.length <= dash) && /^\s*(?:#.*)?$/.test(rest);
    if (start.length < column && start.includes('-') && start.indexOf('-') < column) dash = start.indexOf('-');
    if (!isAbove) continue;
    path.unshift(key);
    column = start.length;
    dash = start.indexOf('-');
  }
  return path;
}
