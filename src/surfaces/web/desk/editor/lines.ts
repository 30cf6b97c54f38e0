import { diffArrays, structuredPatch } from 'diff';

/** A line of one or both of two texts, without its end. */
interface ComparedLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  /** Its number in the text after, or of a removed one in the text before. */
  readonly number: number;
}

// The time grows with the square of the lines that differ.
const maxEditLength = 2_000;

/**
 * Returns the lines that differ between two texts, in groups with three lines around each; line ends do not count. Null
 * if more lines differ than can be compared in good time.
 */
export function lineDifferences(before: string, after: string): readonly (readonly ComparedLine[])[] | null {
  const [one, other] = [before, after].map((text) => text.replace(lineEnds, '\n')) as [string, string];
  if (unmatchedIn(one.split('\n'), other.split('\n')) > maxEditLength) return null;
  const patch = structuredPatch('', '', one, other, undefined, undefined, { context: 3, maxEditLength });
  return (
    patch?.hunks.map(({ oldStart, newStart, lines }) => {
      let [oldNumber, newNumber] = [oldStart, newStart];
      return lines.flatMap((line): ComparedLine[] => {
        const text = line.slice(1);
        if (line.startsWith('-')) return [{ kind: 'removed', text, number: oldNumber++ }];
        if (line.startsWith('+')) return [{ kind: 'added', text, number: newNumber++ }];
        // `\ No newline at end of file`
        if (!line.startsWith(' ')) return [];
        oldNumber += 1;
        return [{ kind: 'same', text, number: newNumber++ }];
      });
    }) ?? null
  );
}

/** Counts the lines that only one of two texts has, in any order: at least so many differ. */
function unmatchedIn(before: readonly string[], after: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of before) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of after) counts.set(line, (counts.get(line) ?? 0) - 1);
  return counts.values().reduce((sum, count) => sum + Math.abs(count), 0);
}

const lineEnds = /\r\n?|\n/g;

/** Returns the lines of a text with their ends. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n|\r(?!\n))/));

const normalized = (line: string): string => line.replace(lineEnds, '\n');

/**
 * Returns a text that was edited in a form with the line ends and the byte-order mark that the text before has: forms
 * change every line end to CRLF. An unchanged line keeps its own, another gets that of the first line.
 */
export function withLineEndsOf(before: string, edited: string): string {
  const mark = before.startsWith('\ufeff') ? '\ufeff' : '';
  const written = linesOf(before.slice(mark.length));
  const typed = linesOf(edited.replace(/^\ufeff/, '')).map(normalized);
  const end = /\r\n?|\n/.exec(before)?.[0] ?? '\n';
  const parts = diffArrays(written.map(normalized), typed, { maxEditLength });
  if (parts === undefined) return mark + typed.join('').replaceAll('\n', end);
  let at = 0;
  const lines = parts.flatMap(({ value, added, removed }) => {
    if (added) return value.map((line) => line.replace('\n', end));
    at += value.length;
    return removed ? [] : written.slice(at - value.length, at);
  });
  return mark + lines.join('');
}
