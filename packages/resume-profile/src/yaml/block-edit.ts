import { Scalar } from 'yaml';
import type { Change, EntryChange } from './change.ts';
import {
  isChangedByEntries,
  keptIndexes,
  type Original,
  type Splice,
  spliceFlow,
  toQuoted,
  withSplice,
} from './flow-edit.ts';
import type { SourceEntry, SourceNode } from './yaml-source.ts';
import { indentedStyle, isProse, toBlock, toFlow } from './yaml-writer.ts';

/** Changes the entries of a block: empty lines stay in their place, and comments go with their entries. */
export function spliceBlock(original: Original, node: SourceNode, { entries }: Change, isRoot = false): Splice {
  const { text, eol } = original;
  const column = columnOf(text, node);
  const extents = extentsOf(text, node, isRoot);
  const [{ from }, { to }] = [extents[0]!, extents.at(-1)!];
  const oldIndexes = keptIndexes(node, entries!);
  const { gaps, trailing } = gapsWithout(gapsOf(text, extents), new Set(oldIndexes.filter((index) => index !== null)));
  const pieces: string[] = [];
  let position = 0;
  for (const [index, entry] of entries!.entries()) {
    const number = oldIndexes[index]!;
    if (number === null) {
      const empty = emptyLinesAt(gaps, position);
      if (index > 0) pieces.push(empty);
      else if (gaps[0] === '') gaps[0] = empty;
      pieces.push(toAdded(original, entry, column));
    } else {
      const extent = extents[number]!;
      const splice = entry.change && spliceEntry(original, node.entries[number]!, entry, column);
      const indent = number === 0 && isCompact(text, node) ? ' '.repeat(column) : '';
      pieces.push(gaps[position]!, indent + withSplice(text, extent, splice));
      position += 1;
    }
  }
  const lines = [...pieces, trailing]
    .map((piece) => (piece === '' || piece.endsWith('\n') ? piece : piece + eol))
    .join('');
  const block = isCompact(text, node) ? lines.trimStart() : lines;
  return { from, to, text: text.slice(from, to).endsWith('\n') ? block : block.replace(/\r?\n$/, '') };
}

function toAdded({ eol, style }: Original, { key, value }: EntryChange, column: number): string {
  const written = toBlock(value, key === null, indentedStyle(style, column));
  return ' '.repeat(column) + indented(`${key === null ? '-' : `${toFlow(key)}:`}${written}`, column).join(eol) + eol;
}

/** Returns the lines with all but the first one indented. */
const indented = (text: string, column: number): string[] =>
  text.split('\n').map((line, index) => (index === 0 || line === '' ? line : ' '.repeat(column) + line));

function spliceEntry(original: Original, entry: SourceEntry, added: EntryChange, column: number): Splice {
  const { text, eol } = original;
  const { value: node, indicatorEnd, headEnd } = entry;
  const { key, value, change } = added;
  if (isChangedByEntries(node, change!))
    return node.style === 'flow' ? spliceFlow(original, node, change!) : spliceBlock(original, node, change!);
  if (indicatorEnd === null)
    return { from: entry.start, to: lineEnd(text, entry.end), text: toAdded(original, added, column).trim() };
  const { to, comment, remarks } = surroundingsOf(text, entry);
  // Only a scalar keeps the anchor, and only a text keeps the tag.
  const isScalar = typeof value !== 'object' || value === null;
  const isKept = isScalar && (typeof value === 'string' || !text.slice(indicatorEnd, headEnd).includes('!'));
  const isInPlace = isKept && node !== null && node.style !== 'flow' && node.style !== 'block';
  const from = isInPlace ? node.start : isKept && node === null ? headEnd : indicatorEnd;
  const isFollowed = remarks.length > 0 || tailEnd(text, to, column) !== nextLine(text, to);
  const written = toBlockInStyle(original, node, value, { column, isItem: key === null, isFollowed });
  const lines = indented(isInPlace ? written.slice(1) : written, column);
  const isEmpty = value === '' || value === null || (!isScalar && Object.keys(value).length === 0);
  const remark = isEmpty ? comment : comment.replace(/^[ \t]+# TODO:.*/, '');
  return {
    from,
    to,
    text: [
      ...commented(lines, remark, isScalar ? null : column),
      ...remarks.flatMap((lines, index) => (index === 0 ? lines : ['', lines])),
    ].join(eol),
  };
}

/** Adds a comment to the first line of a value, or else to the last line of a text; `column` is the collection's. */
function commented([first = '', ...others]: readonly string[], comment: string, column: number | null): string[] {
  const canFollow = others.length === 0 || /^ ?([|>][-+\d]*)?$/.test(first);
  if (isBlank(comment) || canFollow) return [first + comment, ...others];
  if (column === null) return [first, ...others.with(-1, others.at(-1)! + comment)];
  return [comment, `${' '.repeat(column + 1)}${first}`, ...others];
}

/** Returns the end of an old value, the comment on its first line, and the comments in it that belong to no entry. */
function surroundingsOf(text: string, { value: node, indicatorEnd, headEnd }: SourceEntry) {
  if (node?.style === 'literal' || node?.style === 'folded') {
    const header = text.slice(node.start, lineEnd(text, node.start));
    return { to: node.end, comment: header.replace(/^[|>][-+\d]*/, ''), remarks: [] };
  }
  if (node?.style !== 'block') {
    const end = node?.end ?? headEnd;
    const to = lineEnd(text, end);
    return { to, comment: text.slice(end, to), remarks: [] };
  }
  const extents = extentsOf(text, node);
  // Unwritten entries stand after the last one.
  const end = Math.max(extents.at(-1)!.to, nextLine(text, node.end));
  const head = text.slice(indicatorEnd!, lineEnd(text, indicatorEnd!));
  const above = isCompact(text, node) ? '' : text.slice(nextLine(text, indicatorEnd!), extents[0]!.from);
  const remarks = [above, ...gapsOf(text, extents)].map((lines) =>
    // Unwritten entries go with the others.
    withoutEmptyStart(lines.replace(/^[ \t]*-[ \t]*(?=#|\r?$)/gm, (dash) => ' '.repeat(dash.length))).trimEnd(),
  );
  return {
    to: text[end - 1] !== '\n' ? end : text[end - 2] === '\r' ? end - 2 : end - 1,
    comment: isCompact(text, node) ? '' : (/[ \t]#.*/.exec(head)?.[0] ?? ''),
    remarks: remarks.filter((lines) => lines !== ''),
  };
}

/**
 * Writes a value as it stands after its dash or colon; a text keeps the style of the old one. `isFollowed` says whether a
 * comment follows that a block would read as part of its text.
 */
function toBlockInStyle(
  { text, style }: Original,
  node: SourceNode | null,
  value: unknown,
  { column, isItem, isFollowed }: { column: number; isItem: boolean; isFollowed: boolean },
): string {
  const lines = indentedStyle(style, column);
  if (typeof value !== 'string') return toBlock(value, isItem, lines, isFollowed ? 'LINE' : undefined);
  const isBlock = node?.style === 'literal' || node?.style === 'folded';
  if (!value.includes('\n')) {
    const quoted = toQuoted(node, value);
    if (quoted !== null) return ` ${quoted}`;
    if ((isBlock && !isProse(value)) || node?.style === 'plain') return toBlock(value, isItem, lines, Scalar.PLAIN);
  }
  if (isFollowed) return toBlock(value, isItem, lines, 'LINE');
  if (!isBlock) return toBlock(value, isItem, lines);
  if (node.style === 'literal') return toBlock(value, isItem, lines, Scalar.BLOCK_LITERAL);
  // The old lines, without the header, say how wide the text is; the library cannot fold it into a few columns.
  const [, ...old] = text.slice(node.start, node.end).split(/\r?\n/);
  const width = old.length > 1 ? Math.max(20, ...old.map((line) => line.length - column)) : lines.width;
  return toBlock(value, isItem, { ...lines, width }, Scalar.BLOCK_FOLDED);
}

/** The lines of an entry of a block: its own, the comments directly above it, and those after it that stand deeper. */
type Extent = Pick<Splice, 'from' | 'to'>;

/** Returns the lines of each entry of a block; the first one on the line of a dash begins after the dash. */
function extentsOf(text: string, node: SourceNode, isRoot = false): Extent[] {
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
const gapsOf = (text: string, extents: readonly Extent[]): string[] =>
  extents.map(({ from }, index) => text.slice(extents[index - 1]?.to ?? from, from));

/** Returns the gaps before some of the entries, and the comments after them, if the others are removed. */
function gapsWithout(all: readonly string[], remaining: ReadonlySet<number>): { gaps: string[]; trailing: string } {
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
const withoutEmptyStart = (lines: string): string =>
  lines.slice(lineStart(lines, lines.length - lines.trimStart().length));

/** Returns the empty lines before an entry added at a position: the fewer of those around the previous entry. */
function emptyLinesAt(gaps: readonly string[], position: number): string {
  const near = [position - 1, Math.max(1, position)].filter((index) => index > 0 && index < gaps.length);
  const blank = near.map((index) => /(?<![^\n])([^\S\n]*\n)+/.exec(gaps[index]!)?.[0] ?? '');
  return blank.sort((one, other) => one.length - other.length)[0] ?? '';
}

const isBlank = (lines: string): boolean => lines.trim() === '';

const isComment = (line: string): boolean => /^[ \t]*#/.test(line);

const lineStart = (text: string, offset: number): number => (offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1);

/** Returns the offset after the next line break. */
const nextLine = (text: string, offset: number): number => text.indexOf('\n', offset) + 1 || text.length;

/** Returns the offset before the next line break. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end > offset && text[end - 1] === '\r' ? end - 1 : end;
}

/** Returns the column in which the entries of a block begin, from 0. */
const columnOf = (text: string, { entries }: SourceNode): number =>
  entries[0]!.start - lineStart(text, entries[0]!.start);

/** Returns whether a block begins on the line of the dash or question mark before it. */
const isCompact = (text: string, { entries }: SourceNode): boolean =>
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
function tailEnd(text: string, end: number, column: number): number {
  let to = nextLine(text, end);
  for (let at = to; at < text.length; at = nextLine(text, at)) {
    const line = text.slice(at, nextLine(text, at));
    if (isBlank(line)) continue;
    if (!isComment(line) || line.indexOf('#') <= column) break;
    to = at + line.length;
  }
  return to;
}
