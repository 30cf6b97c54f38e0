import { Document, Scalar, visit, type YAMLSeq } from 'yaml';

export interface LineStyle {
  /** The spaces by which a map stands deeper than its key. */
  readonly step: number;
  /** Whether a list stands deeper than its key. */
  readonly isListIndented: boolean;
  /** The columns in which texts are wrapped. */
  readonly width: number;
}

/** Returns the style of lines that are indented by a number of columns. */
export const indentedStyle = (style: LineStyle, column: number): LineStyle => ({
  ...style,
  // The library folds text before its first word if less than its indentation is left.
  width: Math.max(60, style.width - column),
});

export const usualStyle: LineStyle = { step: 2, isListIndented: true, width: 120 };

/** Returns whether a text is one line too long for the line of its key. */
export const isProse = (text: string): boolean => /^\S.{90,}\S$/.test(text);

/** Makes a document of a value, each text in the style in which it is easiest to edit, or none in a block. */
export function toStyledDocument(value: unknown, isInLine = false): Document {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(key, node) {
      if (typeof node.value !== 'string') return;
      // Prose is easier to edit in a block, which needs no quotes.
      if (key === 'value' && !isInLine && isProse(node.value)) node.type = Scalar.BLOCK_FOLDED;
      // Spaces at the end of a line cannot be seen, and empty lines at the end of a block depend on what follows it.
      else if (/^\s|[^\S\n]\n|[^\S\n]$|\n\n$|\r/.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
      else if ((key === 'key' || isInLine) && node.value.includes('\n')) node.type = Scalar.QUOTE_DOUBLE;
      // The library does not always read folded text back unchanged if a line in it begins with a space.
      else if (/\n[ \t]/.test(node.value)) node.type = Scalar.BLOCK_LITERAL;
    },
  });
  return document;
}

/** Quoted text is not folded: the library does not always read folded quoted text back unchanged. */
const unfolded = { doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER } as const;

export const toText = (document: Document, { step, isListIndented, width }: LineStyle = usualStyle): string =>
  document.toString({ indent: step, indentSeq: isListIndented, lineWidth: width, minContentWidth: 0, ...unfolded });

/**
 * Writes a value in lines as it stands after the dash of an item or the colon of a key, which are in the first column; `type`
 * replaces the usual type of a text; `LINE` writes no block.
 */
export function toBlock(value: unknown, isItem: boolean, style: LineStyle, type?: Scalar.Type | 'LINE'): string {
  const document = toStyledDocument(isItem ? [value] : { k: value }, type === 'LINE');
  const node = document.getIn([isItem ? 0 : 'k'], true) as Scalar;
  if (type !== undefined && type !== 'LINE' && (node.type ?? Scalar.BLOCK_FOLDED) === Scalar.BLOCK_FOLDED)
    node.type = type;
  const text = toText(document, type === Scalar.PLAIN ? { ...style, width: 0 } : style);
  return text.slice(isItem ? 1 : 2).replace(/\n$/, '');
}

/** Writes a value in one line as it stands in a flow list or map. */
export function toFlow(value: unknown): string {
  const document = toStyledDocument([value], true);
  (document.contents as unknown as YAMLSeq).flow = true;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false, ...unfolded }).slice(1, -2);
}

/** Writes a text in quotes, and escapes characters that not every program reads or shows. */
export const toDoubleQuoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
