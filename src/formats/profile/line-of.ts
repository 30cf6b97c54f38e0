import { LineCounter } from 'yaml';
import { toLocatedValue } from './located-value.ts';
import { parseYaml } from './yaml-parser.ts';

/** Returns a function that finds the line of a field in a valid document by its path, such as `projects[0].name`; null if it has none. */
export function toLineOf(document: string): (field: string) => number | null {
  const lines = new LineCounter();
  const { value, offsetOf } = toLocatedValue(parseYaml(document, lines));
  return (field) => {
    const path = field.match(/[^.[\]]+/g)!;
    const isWritten =
      path.reduce((node: unknown, key) => (node as Record<string, unknown> | undefined)?.[key], value) !== undefined;
    if (isWritten) return lines.linePos(offsetOf(path)).line;
    // A key may be written as a comment, to be completed.
    const commented = `\n${document}`.indexOf(`\n# ${field}:`);
    return commented === -1 ? null : document.slice(0, commented).split('\n').length;
  };
}
