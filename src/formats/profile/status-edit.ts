import { isDeepStrictEqual } from 'node:util';
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, Scalar } from 'yaml';
import type { LineChange } from '../../model/profile/status-file.ts';
import { type Path, parseYaml, toLocatedValue, YamlFault } from './yaml.ts';

/** Returns the lines that differ between a text and the edited one, in which they are one line. */
export function changeBetween(text: string, edited: string): LineChange {
  const [before, after] = [text, edited].map((one) => one.split(/\r?\n/)) as [string[], string[]];
  const first = before.findIndex((line, index) => line !== after[index]);
  return { first: first + 1, last: before.length - (after.length - first - 1), text: after[first]! };
}

/**
 * Replaces the text at a path of a YAML or JSON document and keeps everything else to the byte, except that a comment
 * `# TODO: …` right after the value goes once there is a text. Throws one line that gives the reason if the document
 * cannot be read, or the value is not a scalar of its own, so that another would change with it.
 */
export function replaceScalar(text: string, path: Path, value: string): string {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const before = text.slice(mark.length);
  const document = parseYaml(before, new LineCounter());
  const expected = withValueAt(toLocatedValue(document).value, path, value);
  const node = nodeAt(document, path);
  if (!isScalar(node) && !isAlias(node)) throw new Error('is not a single value');
  const after = candidatesFor(before, node, value).find((candidate) => isDeepStrictEqual(parsed(candidate), expected));
  if (after === undefined) throw new Error('cannot be replaced alone: other parts of the document refer to it');
  return mark + after;
}

/** Returns a copy of a value with another at a path. */
function withValueAt(value: unknown, [step, ...rest]: Path, replacement: string): unknown {
  if (step === undefined) return replacement;
  if (Array.isArray(value)) return value.with(Number(step), withValueAt(value[Number(step)], rest, replacement));
  const object = (value ?? {}) as Record<PropertyKey, unknown>;
  return { ...object, [step]: withValueAt(object[step], rest, replacement) };
}

/** Returns the node at a path as it is written there: an alias at its end is not followed. */
function nodeAt(document: Document.Parsed, path: Path): unknown {
  return path.reduce<unknown>((parent, step) => {
    const node = isAlias(parent) ? parent.resolve(document) : parent;
    if (isSeq(node)) return node.items[Number(step)];
    return isMap(node) ? node.items.findLast(({ key }) => String((key as Scalar).value) === step)?.value : undefined;
  }, document.contents);
}

/** Returns the document with the value written in each way that may be right, the way it was written before first. */
function candidatesFor(text: string, node: Node, value: string): string[] {
  const [start, end] = node.range!;
  const { type } = node as Scalar;
  const isBlock = type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED;
  // An empty value begins right after the colon.
  const head = text.slice(0, start) + (text[start - 1] === ':' && start === end ? ' ' : '');
  const rest = isBlock ? tailOfBlock(text.slice(start, end)) + text.slice(end) : text.slice(end);
  const tail = value === '' ? rest : rest.replace(/^ +# TODO:.*/, '');
  const doubleQuoted = JSON.stringify(value);
  const styles = {
    [Scalar.QUOTE_DOUBLE]: [doubleQuoted],
    [Scalar.QUOTE_SINGLE]: [`'${value.replaceAll("'", "''")}'`, doubleQuoted],
  };
  const written = styles[type as keyof typeof styles] ?? (isJson(text) ? [doubleQuoted] : [value, doubleQuoted]);
  return written.map((scalar) => head + scalar + tail);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the kept part of a block scalar: the comment and end of its first line, and empty lines after the text. */
function tailOfBlock(block: string): string {
  const firstLine = /^[^\n]*\n?/.exec(block)![0];
  const lines = block.slice(firstLine.length).split('\n');
  const lastText = lines.findLastIndex((line) => /[^ \t\r]/.test(line));
  return firstLine.replace(/^[|>][-+\d]*/, '') + lines.slice(lastText + 1).join('\n');
}

/** Returns the value of a text; undefined if it cannot be read. */
function parsed(text: string): unknown {
  try {
    const { value, faults } = toLocatedValue(parseYaml(text, new LineCounter()));
    return faults.length === 0 ? value : undefined;
  } catch (error) {
    if (error instanceof YamlFault) return undefined;
    throw error;
  }
}
