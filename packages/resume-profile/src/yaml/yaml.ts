import {
  type Alias,
  Composer,
  type CST,
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  type Scalar,
  type YAMLMap,
} from 'yaml';

/** Thrown for a text that cannot be read: its first syntax error, or a limit that it exceeds. */
export class YamlFault extends Error {
  /** The offset of the first character that is wrong. */
  readonly offset: number;
  /** The path in the document; empty if it is unknown. */
  readonly path: Path;

  constructor(offset: number, message: string, path: Path = []) {
    super(message);
    this.offset = offset;
    this.path = path;
  }
}

// Parsing takes 1 to 2 µs a token. The sample profile has a token in 7 characters, so 1 MiB of similar text fits.
const maxTokens = 150_000;
const maxDepth = 64;

/** Parses a YAML 1.2 document in linear time, and adds the start of each line to `lines`. Throws `YamlFault`. */
export function parseYaml(text: string, lines: LineCounter): Document.Parsed {
  const { stackTraceLimit } = Error;
  // The library creates an Error for each fault. A text may have half a million; their stack traces would take seconds.
  Error.stackTraceLimit = 0;
  try {
    return composeFirst(tokensOf(text, lines), text);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Returns the tokens of a text, up to the first error token. */
function tokensOf(text: string, lines: LineCounter): CST.Token[] {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  lines.addNewLine(0);
  for (const lexeme of lexemesOf(text)) {
    if (parser.stack.length > maxDepth) throw new YamlFault(parser.offset, 'is nested too deeply');
    tokens.push(...parser.next(lexeme));
    if (tokens.at(-1)?.type === 'error') break;
  }
  return [...tokens, ...parser.end()];
}

function lexemesOf(text: string): string[] {
  const lexemes: string[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    if (lexemes.length === maxTokens) throw new YamlFault(0, `has more than ${maxTokens} YAML tokens`);
    lexemes.push(lexeme);
  }
  return lexemes;
}

/** Replacements for the library's messages, by its codes. */
const messages: Readonly<Partial<Record<ErrorCode, string>>> = {
  MULTILINE_IMPLICIT_KEY: 'a colon is missing, or a text of several lines needs quotes',
  NON_STRING_KEY: 'a key must be text',
  BAD_SCALAR_START: 'a text that begins with this sign has to be in quotes',
  TAB_AS_INDENT: 'is indented by a tab; only spaces can be used',
};

const misindented = 'this line is not indented like the others of its list or object';

/** Returns a line in quotes, shortened to 60 characters. */
export const toShortQuoted = (line: string): string =>
  JSON.stringify(line.length > 60 ? `${line.slice(0, 60)}…` : line);

/** Explains a syntax error where it is, or at the line with the wrong indentation. */
function toFault(
  { code, message, pos: [offset] }: Document['errors'][number],
  document: Document,
  text: string,
): YamlFault {
  const path = pathAt(document.contents, offset);
  const misindentedAt = (index: number, within: Path) =>
    new YamlFault(index + text.slice(index).search(/\S|$/), misindented, within);
  if (code === 'BAD_INDENT' || /^Sequence item without/.test(message)) return misindentedAt(offset, path);
  if (/at node end$/.test(message))
    return new YamlFault(offset, 'a text that begins with a quote, [ or { has to be in quotes as a whole', path);
  if (code !== 'BLOCK_AS_IMPLICIT_KEY') return new YamlFault(offset, messages[code] ?? message.slice(0, 200), path);
  const line = text.slice(offset).split(/\r?\n/, 1)[0]!.trim();
  if (line.startsWith('- ')) return misindentedAt(offset, path);
  // The library takes the text of this line and the key on the next for one key.
  if (!/^\? |:(\s|$)/.test(line)) return misindentedAt(text.indexOf('\n', offset) + 1, path.slice(0, -1));
  const reason = line.startsWith('? ') ? 'it begins with a question mark' : 'it has a colon and a space';
  return new YamlFault(offset, `must be in quotes, because ${reason}: ${toShortQuoted(line)}`, path);
}

/** Returns the path of the value at an offset, as far as the document could be read. */
function pathAt(node: unknown, offset: number): Path {
  const has = (one: unknown) => {
    const [start = 0, , end = 0] = (one as Node | null)?.range ?? [];
    return start <= offset && offset < Math.max(end, start + 1);
  };
  if (isMap(node)) {
    const pair = node.items.find(({ value }) => has(value));
    return pair === undefined ? [] : [String((pair.key as Scalar).value), ...inside(pair.value, offset)];
  }
  if (!isSeq(node)) return [];
  const index = node.items.findIndex(has);
  return index === -1 ? [] : [index, ...inside(node.items[index], offset)];
}

/** Stops at a text that was taken for a map. */
const inside = (node: unknown, offset: number): Path =>
  (node as Node).range![0] === offset && isMap(node) && node.items.length === 1 ? [] : pathAt(node, offset);

function composeFirst(tokens: readonly CST.Token[], text: string): Document.Parsed {
  const [first, second] = tokens.filter(({ type }) => type === 'document');
  // `toLocatedValue` finds duplicate keys; the library would compare each key with all others.
  const composer = new Composer({ uniqueKeys: false, stringKeys: true, logLevel: 'error', keepSourceTokens: true });
  const ofFirst = tokens.filter((token) => token.type !== 'document' || token === first);
  const [document] = composer.compose(ofFirst, true, text.length) as Generator<Document.Parsed>;
  const { errors } = document!;
  if (errors.length > 0) {
    const first = errors.reduce((one, other) => (other.pos[0] < one.pos[0] ? other : one));
    throw toFault(first, document!, text);
  }
  if (second !== undefined) throw new YamlFault(second.offset, 'only one document is allowed');
  return document!;
}

/** The keys and indexes that lead to a value. */
export type Path = readonly (string | number)[];

/** An error in the text; `offset` is the offset of its first character. */
export interface Fault {
  readonly offset: number;
  readonly path: Path;
  readonly message: string;
}

/** The value of a YAML document, with the offset of each part in the text. */
export type LocatedValue = ReturnType<typeof toLocatedValue>;

const maxListEntries = 10_000;
// With aliases, a short text can describe a very large value.
const maxAliasedValues = 5_000;

/** Returns the value of a document. Throws `YamlFault` for too many aliased values, or an alias without an anchor. */
export function toLocatedValue(document: Document.Parsed) {
  const faults: Fault[] = [];
  const anchored = new Map<string, { node: Node; value: unknown; size: number }>();
  const targets = new Map<Alias, Node>();
  const pairsOf = new Map<YAMLMap, Map<string, Pair>>();
  const trail: (string | number)[] = [];
  let values = 0;
  let aliasedValues = 0;
  let listEntries = 0;

  const toValue = (node: unknown): unknown => {
    if (isAlias(node)) return toAliased(node);
    const before = values;
    values += 1;
    const value = isMap(node) ? toObject(node) : isSeq(node) ? toList(node.items) : isScalar(node) ? node.value : null;
    const { anchor } = (node ?? {}) as Node & { anchor?: string };
    if (anchor !== undefined) anchored.set(anchor, { node: node as Node, value, size: values - before });
    return value;
  };
  const toObject = (map: YAMLMap): object => {
    const pairs = new Map<string, Pair>();
    const members = map.items.map((pair) => {
      const { key, value } = pair;
      const name = String((key as Scalar).value);
      trail.push(name);
      if (pairs.has(name)) faults.push({ offset: startOf(key), path: [...trail], message: 'is given twice' });
      pairs.set(name, pair);
      const member = [name, toValue(value)] as const;
      trail.pop();
      return member;
    });
    pairsOf.set(map, pairs);
    return Object.fromEntries(members);
  };
  const toList = (items: readonly unknown[]): unknown[] => {
    const read = items.slice(0, Math.max(0, maxListEntries - listEntries));
    // Reported once, at the first entry over the limit.
    if (read.length < items.length && listEntries <= maxListEntries)
      faults.push({
        offset: startOf(items[read.length]),
        path: [...trail, read.length],
        message: `lists may have ${maxListEntries} entries in all`,
      });
    listEntries += items.length;
    return read.map((item, index) => {
      trail.push(index);
      const value = toValue(item);
      trail.pop();
      return value;
    });
  };
  const toAliased = (alias: Alias): unknown => {
    const target = anchored.get(alias.source);
    if (target === undefined)
      throw new YamlFault(startOf(alias), 'is an alias without an anchor; put text that begins with * in quotes', [
        ...trail,
      ]);
    aliasedValues += target.size;
    values += target.size;
    if (aliasedValues > maxAliasedValues) throw new YamlFault(0, 'too many aliases');
    targets.set(alias, target.node);
    return target.value;
  };

  const nodeAt = (path: Path): unknown => {
    let node: unknown = document.contents;
    for (const step of path) {
      const next = isMap(node) ? pairsOf.get(node)?.get(String(step))?.value : isSeq(node) && node.items[Number(step)];
      if (!next) break;
      node = isAlias(next) ? targets.get(next) : next;
    }
    return node;
  };
  return {
    value: toValue(document.contents),
    /** Duplicate keys (the last one is used), and lists with more entries than are read. */
    faults: faults as readonly Fault[],
    /** Returns the offset of the value at a path, following aliases; if it does not exist, of its closest ancestor. */
    offsetOf: (path: Path) => startOf(nodeAt(path)),
    /** Returns the offset of a key of the object at a path. */
    keyOffsetOf(path: Path, key: string) {
      const object = nodeAt(path);
      return startOf(isMap(object) ? pairsOf.get(object)?.get(key)?.key : object);
    },
  };
}

const startOf = (node: unknown): number => (node as Node | null | undefined)?.range?.[0] ?? 0;

/** Returns a function that finds the line of a path such as `projects[0].name` in a valid document; null if there is none. */
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
