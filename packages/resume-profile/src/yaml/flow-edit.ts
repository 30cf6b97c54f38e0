import type { Change, EntryChange } from './change.ts';
import type { SourceEntry, SourceNode } from './yaml-source.ts';
import { type LineStyle, toDoubleQuoted, toFlow } from './yaml-writer.ts';

/** A document as it is before an edit, without a byte-order mark. */
export interface Original {
  readonly text: string;
  readonly eol: string;
  readonly style: LineStyle;
  /** The indentation of JSON, '' if it is on one line; null for YAML. */
  readonly jsonIndent: string | null;
}

/** A replacement for the text between two offsets. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Returns the part of a text between two offsets after a change in it. */
export const withSplice = (text: string, { from, to }: Pick<Splice, 'from' | 'to'>, splice: Splice | null): string =>
  splice === null ? text.slice(from, to) : text.slice(from, splice.from) + splice.text + text.slice(splice.to, to);

/** Returns the old index of each entry after a change; null if the entry is added. */
export function keptIndexes({ entries }: SourceNode, changed: readonly EntryChange[]): (number | null)[] {
  const indexes = new Map(entries.map(({ key }, index) => [key ?? index, index]));
  return changed.map(({ from }) => (from === null ? null : indexes.get(from)!));
}

/** Whether a collection is changed entry by entry rather than rewritten. */
export const isChangedByEntries = (
  node: SourceNode | null,
  change: Change,
): node is SourceNode & { readonly style: 'flow' | 'block' } =>
  node !== null && node.entries.length > 0 && (change.entries ?? []).length > 0;

/** An entry of `[…]` or `{…}` up to its comma, the space and comments before it, and the comment after its comma. */
type Part = { readonly [Text in 'body' | 'lead' | 'trail']: string };

/** Changes the entries of a list `[…]` or map `{…}`: spaces stay in their place, and comments go with their entries. */
export function spliceFlow(original: Original, node: SourceNode, { entries }: Change): Splice {
  const { text, eol, jsonIndent } = original;
  const [from, to] = [node.start + 1, node.end - 1];
  const between = [...node.entries, null].map((entry, index) =>
    text.slice(node.entries[index - 1]?.end ?? from, entry?.start ?? to),
  );
  const opening = trailOf(between[0]!);
  const [, ...separators] = between.map(toSeparator);
  const parts = node.entries.map(({ start, end }, index): Part => {
    const { before, trail } = separators[index]!;
    const lead = separators[index - 1]?.after ?? between[0]!.slice(opening.length);
    return { lead, body: text.slice(start, end) + before, trail };
  });
  const spaces = parts.map(({ lead }) => (lead.includes('#') ? eol + indentOf(lead) : lead));
  const usual = spaces[1] ?? (spaces[0]!.includes('\n') ? spaces[0]! : jsonIndent === '' ? '' : ' ');
  const oldIndexes = keptIndexes(node, entries!);
  const changed = entries!.map((entry, index): Part => {
    const space = spaces[index] ?? usual;
    const number = oldIndexes[index]!;
    if (number === null) return { lead: space, body: toAdded(original, entry, space), trail: '' };
    const { lead, body, trail } = parts[number]!;
    const source = node.entries[number]!;
    const written = toChanged(original, source, entry) + body.slice(source.end - source.start);
    return { lead: lead.includes('#') ? lead : space, body: written, trail };
  });
  const { comma, after } = separators.at(-1)!;
  const pieces = changed.flatMap(({ lead, body, trail }, index) => [
    lead,
    body,
    index < changed.length - 1 ? ',' : comma,
    trail,
  ]);
  return { from, to, text: joined([opening, ...pieces, after], eol) };
}

/** Joins texts, and ends the line after each comment. */
function joined(pieces: readonly string[], eol: string): string {
  const written = pieces.filter((piece) => piece !== '');
  return written
    .map((piece, index) => (trailOf(written[index - 1] ?? '') && !/^\r?\n/.test(piece) ? eol : '') + piece)
    .join('');
}

const trailOf = (text: string): string => /^[ \t]*#[^\r\n]*/.exec(text)?.[0] ?? '';

const indentOf = (lead: string): string => lead.slice(lead.lastIndexOf('\n') + 1);

/** Splits the text between two entries, or after the last one, where the comma may be missing. */
function toSeparator(text: string) {
  const index = text.replace(/#[^\n]*/g, (comment) => ' '.repeat(comment.length)).indexOf(',');
  const rest = text.slice(index + 1);
  const trail = trailOf(rest);
  return {
    before: text.slice(0, Math.max(0, index)),
    comma: index === -1 ? '' : ',',
    trail,
    after: rest.slice(trail.length),
  };
}

function toAdded(original: Original, { key, value }: EntryChange, space: string): string {
  const { jsonIndent } = original;
  if (jsonIndent === null) return key === null ? toFlow(value) : `${toFlow(key)}: ${toFlow(value)}`;
  const written = toJson(original, value, space.includes('\n') ? indentOf(space) : null);
  return key === null ? written : `${JSON.stringify(key)}:${jsonIndent === '' ? '' : ' '}${written}`;
}

/** Writes JSON in lines, indented like the line that it begins in; on one line if that has no indentation. */
function toJson({ jsonIndent, eol }: Original, value: unknown, indent: string | null): string {
  if (indent === null) return JSON.stringify(value);
  return JSON.stringify(value, null, jsonIndent ?? '').replaceAll('\n', eol + indent);
}

function toChanged(original: Original, entry: SourceEntry, { key, value, change }: EntryChange): string {
  const { text } = original;
  if (change === null) return text.slice(entry.start, entry.end);
  if (entry.indicatorEnd === null) return toAdded(original, { from: null, key, value, change: null }, '');
  return withSplice(text, { from: entry.start, to: entry.end }, spliceFlowValue(original, entry, change));
}

function spliceFlowValue(original: Original, entry: SourceEntry, change: Change): Splice {
  const { value: node } = entry;
  if (isChangedByEntries(node, change)) return spliceFlow(original, node, change);
  const written = toFlowInStyle(original, node, change.value);
  if (node === null) return { from: entry.headEnd, to: entry.headEnd, text: ` ${written}` };
  // Only a scalar keeps the anchor, and only a text keeps the tag.
  const head = original.text.slice(entry.indicatorEnd!, entry.headEnd);
  const isKept = typeof change.value === 'string' || (typeof change.value !== 'object' && !head.includes('!'));
  return head !== '' && !isKept
    ? { from: entry.indicatorEnd!, to: node.end, text: entry.key === null ? written : ` ${written}` }
    : { from: node.start, to: node.end, text: written };
}

/** Writes a value in one line, a text in the quotes of the old one. */
function toFlowInStyle(original: Original, node: SourceNode | null, value: unknown): string {
  const { text, jsonIndent } = original;
  if (jsonIndent !== null) {
    const line = text.slice(text.lastIndexOf('\n', node!.start) + 1, node!.start);
    return toJson(original, value, jsonIndent === '' ? null : /^[ \t]*/.exec(line)![0]);
  }
  return (typeof value === 'string' ? toQuoted(node, value) : null) ?? toFlow(value);
}

/** Writes a text in the quotes of the old one; null if the old one has none. */
export function toQuoted(node: SourceNode | null, value: string): string | null {
  if (node?.style === 'double') return toDoubleQuoted(value);
  const isPrintable = !/[\p{Cc}\u2028\u2029\ufeff]/u.test(value);
  return node?.style === 'single' && isPrintable ? `'${value.replaceAll("'", "''")}'` : null;
}
