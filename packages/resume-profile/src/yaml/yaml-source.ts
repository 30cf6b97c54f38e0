import { CST, type Document, type Node } from 'yaml';

/** The place in a text of a scalar, an alias or a collection, without its anchor and tag. */
export interface SourceNode {
  readonly start: number;
  /** The offset after its last character, before the end of that line. */
  readonly end: number;
  readonly style: 'plain' | 'single' | 'double' | 'literal' | 'folded' | 'block' | 'flow';
  readonly isList: boolean;
  /** The entries of a collection; a list without one has the style of flow, and is replaced as a whole. */
  readonly entries: readonly SourceEntry[];
}

/** An entry of a collection: an item of a list, or a key with its value. */
export interface SourceEntry {
  /** The key; null in a list. */
  readonly key: string | null;
  /** The offset of its first character: of the key, the dash, or the item of a flow list. */
  readonly start: number;
  /** The offset after the `-` or `:`; null if a key has none. */
  readonly indicatorEnd: number | null;
  /** The offset after the indicator and the anchor and tag that follow it. */
  readonly headEnd: number;
  /** Null for an empty value. */
  readonly value: SourceNode | null;
  readonly end: number;
}

/**
 * Returns the places of all nodes of a document that `parseYaml` has read, without unwritten list entries; null if it is empty.
 */
export function toSource(document: Document.Parsed, unwritten: ReadonlySet<unknown>): SourceNode | null {
  const { srcToken } = (document.contents ?? {}) as Partial<Node>;
  return srcToken === undefined ? null : toNode(srcToken as CST.Token, unwritten);
}

const quotedStyles = { 'single-quoted-scalar': 'single', 'double-quoted-scalar': 'double' } as const;

function toNode(token: CST.Token, unwritten: ReadonlySet<unknown>): SourceNode {
  const { offset: start } = token;
  if (token.type === 'block-map' || token.type === 'block-seq') {
    const pairs = token.items.map((item) => ({ item, entry: toEntry(item, unwritten) }));
    const { end } = pairs.findLast(({ entry }) => entry !== null)!.entry!;
    const entries = pairs.flatMap(({ item, entry }) => (entry === null || unwritten.has(item) ? [] : entry));
    return { start, end, style: entries.length === 0 ? 'flow' : 'block', isList: token.type === 'block-seq', entries };
  }
  if (token.type === 'flow-collection') {
    const isList = token.start.type === 'flow-seq-start';
    const close = token.end.find(({ type }) => type === 'flow-seq-end' || type === 'flow-map-end')!;
    const entries = token.items.map((item) => toEntry(item, unwritten, isList)).filter((entry) => entry !== null);
    return { start, end: endOf(close), style: 'flow', isList, entries };
  }
  if (token.type === 'block-scalar') {
    const header = token.props.map((part) => (part as CST.SourceToken).source).join('');
    const source = header + token.source;
    const { offset } = token.props[0] as CST.SourceToken;
    const style = header.startsWith('|') ? 'literal' : 'folded';
    const end = offset + (/^[|>]\d*\+/.test(header) ? source.replace(/\r?\n$/, '').length : blockLength(source));
    return { start: offset, end, style, isList: false, entries: [] };
  }
  const style = quotedStyles[token.type as keyof typeof quotedStyles] ?? 'plain';
  return { start, end: endOf(token as CST.SourceToken), style, isList: false, entries: [] };
}

/** Returns the length of a block scalar without the empty lines and the line break at its end. */
function blockLength(source: string): number {
  let end = source.length;
  while (' \t\r\n'.includes(source[end - 1]!)) end -= 1;
  const line = source.indexOf('\n', end);
  return line === -1 ? source.length : source[line - 1] === '\r' ? line - 1 : line;
}

const endOf = ({ offset, source }: { offset: number; source: string }) => offset + source.length;

/** Returns null for the rest after the last entry: comments, or the end of a flow collection after a comma. */
function toEntry(
  { start, key, sep, value }: CST.CollectionItem,
  unwritten: ReadonlySet<unknown>,
  isFlowList = false,
): SourceEntry | null {
  const isOf = (types: readonly CST.SourceToken['type'][]) => (token: CST.SourceToken) => types.includes(token.type);
  const properties = ['anchor', 'tag'] as const;
  const isPair = key !== undefined || sep !== undefined;
  const own = start.filter(isOf(['seq-item-ind', 'explicit-key-ind', ...properties]));
  if (!isPair && value === undefined && own.length === 0) return null;
  const valueNode = value === undefined ? null : toNode(value, unwritten);
  const first = own[0]?.offset ?? key?.offset ?? sep?.find(isOf(['map-value-ind']))?.offset ?? valueNode!.start;
  const indicator = isPair ? sep?.find(isOf(['map-value-ind'])) : start.find(isOf(['seq-item-ind']));
  const keyNode = key == null ? null : toNode(key, unwritten);
  const head = (isPair ? (sep ?? []) : start).filter(isOf(['seq-item-ind', 'map-value-ind', ...properties])).at(-1);
  const headEnd = head !== undefined ? endOf(head) : (keyNode?.end ?? first);
  const end = valueNode?.end ?? headEnd;
  // A pair in a flow list is a map of its own: `[a: 1]`.
  if (isFlowList && isPair) {
    const node = { start: first, end, style: 'plain', isList: false, entries: [] } as const;
    return { key: null, start: first, indicatorEnd: first, headEnd: first, value: node, end };
  }
  return {
    key: isPair ? (CST.resolveAsScalar(key)?.value ?? '') : null,
    start: first,
    indicatorEnd: indicator !== undefined ? endOf(indicator) : isPair ? null : first,
    headEnd,
    value: valueNode,
    end,
  };
}
