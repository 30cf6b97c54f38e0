import type { SourceNode } from './yaml-source.ts';

/** The lines of an entry of a block: its own, the comments directly above it, and those after it that stand deeper. */
export interface Extent {
  readonly from: number;
  /** The offset after its last line break. */
  readonly to: number;
}

/** Returns the lines of each entry of a block; the first one on the line of a dash begins after the dash. */
export function extentsOf(text: string, node: SourceNode, isRoot = false): Extent[] {
  const column = columnOf(text, node);
  const extents: Extent[] = [];
  for (const { start, end } of node.entries) {
    const line = lineStart(text, start);
    const lead = leadStart(text, line, extents.at(-1)?.to ?? 0);
    const isFirst = extents.length === 0;
    // The comment at the top of a document is about the document.
    const isOfDocument = isRoot && isFirst && !text.slice(0, lead).split('\n').some(isComment);
    const from = isFirst && isCompact(text, node) ? start : isOfDocument ? line : lead;
    extents.push({ from, to: tailEnd(text, end, column) });
  }
  return extents;
}

/** Returns the lines before each entry that belong to no entry: empty lines, and comments above an empty line. */
export const gapsOf = (text: string, extents: readonly Extent[]): string[] =>
  extents.map(({ from }, index) => text.slice(extents[index - 1]?.to ?? from, from));

/** Returns the gaps before some of the entries, and the comments after them, if the others are removed. */
export function gapsWithout(
  all: readonly string[],
  remaining: ReadonlySet<number>,
): { gaps: string[]; trailing: string } {
  const gaps: string[] = [];
  let comments = '';
  for (const [index, gap] of all.entries()) {
    const lines = comments === '' || !isBlank(gap) ? comments + gap : comments;
    if (remaining.has(index)) gaps.push(gaps.length === 0 ? withoutEmptyStart(lines) : lines);
    comments = remaining.has(index) || isBlank(lines) ? '' : lines;
  }
  return { gaps, trailing: comments.trimEnd() };
}

/** Returns lines without the empty ones at their beginning. */
export const withoutEmptyStart = (lines: string): string =>
  lines.slice(lineStart(lines, lines.length - lines.trimStart().length));

/** Returns the empty lines before an entry added at a position: the fewer of those around the previous entry. */
export function emptyLinesAt(gaps: readonly string[], position: number): string {
  const near = [position - 1, Math.max(1, position)].filter((index) => index > 0 && index < gaps.length);
  const blank = near.map((index) => /(?<![^\n])([^\S\n]*\n)+/.exec(gaps[index]!)?.[0] ?? '');
  return blank.sort((one, other) => one.length - other.length)[0] ?? '';
}

export const isBlank = (lines: string): boolean => lines.trim() === '';

const isComment = (line: string): boolean => /^[ \t]*#/.test(line);

const lineStart = (text: string, offset: number): number => (offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1);

/** Returns the offset after the next line break. */
export const nextLine = (text: string, offset: number): number => text.indexOf('\n', offset) + 1 || text.length;

/** Returns the offset before the next line break. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end > offset && text[end - 1] === '\r' ? end - 1 : end;
}

/** Returns the column in which the entries of a block begin, from 0. */
export const columnOf = (text: string, { entries }: SourceNode): number =>
  entries[0]!.start - lineStart(text, entries[0]!.start);

/** Returns whether a block begins on the line of the dash or question mark before it. */
export const isCompact = (text: string, { entries }: SourceNode): boolean =>
  !isBlank(text.slice(lineStart(text, entries[0]!.start), entries[0]!.start));

/** Returns the offset at which the comments directly above a line begin. */
function leadStart(text: string, line: number, limit: number): number {
  let from = line;
  while (from > limit) {
    const above = lineStart(text, from - 1);
    if (!isComment(text.slice(above, from))) break;
    from = above;
  }
  return from;
}

/** Returns the end of the comments after an entry that stand deeper than its column. */
export function tailEnd(text: string, end: number, column: number): number {
  let to = nextLine(text, end);
  for (let at = to; at < text.length; at = nextLine(text, at)) {
    const line = text.slice(at, nextLine(text, at));
    if (isBlank(line)) continue;
    if (!isComment(line) || line.indexOf('#') <= column) break;
    to = at + line.length;
  }
  return to;
}
