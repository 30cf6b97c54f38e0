import { Composer, type CST, type Document, Lexer, type LineCounter, Parser } from 'yaml';

/** Thrown for a text that cannot be read: for its first syntax error, or for a limit that it exceeds. */
export class YamlFault extends Error {
  /** The offset of the first character that is wrong. */
  readonly offset: number;
  /** The path in the document; empty if it is unknown. */
  readonly path: readonly PropertyKey[];

  constructor(offset: number, message: string, path: readonly PropertyKey[] = []) {
    super(message);
    this.offset = offset;
    this.path = path;
  }
}

// Parsing takes 1 to 2 µs a token. The sample profile has a token in 7 characters, so 1 MiB of similar text is within the limit.
const maxTokens = 150_000;
const maxDepth = 64;

/** Parses a YAML 1.2 document in linear time, and adds the start of each line to `lines`. Throws `YamlFault`. */
export function parseYaml(text: string, lines: LineCounter): Document.Parsed {
  const { stackTraceLimit } = Error;
  // The library creates an Error for each fault. A text may have half a million; their stack traces would take seconds.
  Error.stackTraceLimit = 0;
  try {
    return composeFirst(tokensOf(text, lines), text.length);
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

function composeFirst(tokens: readonly CST.Token[], length: number): Document.Parsed {
  const [first, second] = tokens.filter(({ type }) => type === 'document');
  // `toLocatedValue` finds duplicate keys; the library would compare each key with all others.
  const composer = new Composer({ uniqueKeys: false, stringKeys: true, logLevel: 'error' });
  const ofFirst = tokens.filter((token) => token.type !== 'document' || token === first);
  const [document] = composer.compose(ofFirst, true, length) as Generator<Document.Parsed>;
  const { errors } = document!;
  if (errors.length > 0) {
    const { code, message, pos } = errors.reduce((one, other) => (other.pos[0] < one.pos[0] ? other : one));
    throw new YamlFault(pos[0], code === 'NON_STRING_KEY' ? 'a key must be text' : message.slice(0, 200));
  }
  if (second !== undefined) throw new YamlFault(second.offset, 'only one document is allowed');
  return document!;
}
