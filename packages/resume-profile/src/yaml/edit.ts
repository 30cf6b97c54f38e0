import { isDeepStrictEqual } from 'node:util';
import { type Document, LineCounter, visit } from 'yaml';
import { readAsMeant } from '../as-meant.ts';
import { spliceBlock } from './block-edit.ts';
import { type Change, changeBy, type Edit } from './change.ts';
import { isChangedByEntries, type Original, type Splice, spliceFlow, withSplice } from './flow-edit.ts';
import { type LocatedValue, parseYaml, toLocatedValue, YamlFault } from './yaml.ts';
import { type SourceNode, toSource } from './yaml-source.ts';
import { type LineStyle, toStyledDocument, toText, usualStyle } from './yaml-writer.ts';

/**
 * Edits a YAML or JSON document, and keeps everything else to the byte, except that a comment `# TODO: …` right after a
 * value goes once there is one. Throws one line that gives the reason if the document cannot be read, the path leads
 * nowhere, or another value would change too.
 */
export function applyEdit(text: string, edit: Edit): string {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const before = text.slice(mark.length);
  const { document, located, unwritten } = readAsMeant(before, new LineCounter());
  const { value, faults } = located;
  const [fault] = faults;
  if (fault !== undefined) throw new YamlFault(fault.offset, fault.message, fault.path);
  const plain = 'value' in edit ? { ...edit, value: JSON.parse(JSON.stringify(edit.value)) as unknown } : edit;
  const change = changeBy(plain, value);
  if (change === null) return text;
  const source = toSource(document, unwritten);
  const after = withSplice(
    before,
    { from: 0, to: before.length },
    spliceRoot(toOriginal(before, source), source, change),
  );
  const said = valueReadBy(() => toLocatedValue(parseYaml(after, new LineCounter())));
  const meant = valueReadBy(() => readAsMeant(after, new LineCounter()).located);
  if (!isSaid(change.value, said, meant)) throw new Error(reasonOf(document));
  return mark + after;
}

/** Returns a text with the value of each alias in its place. */
export function withoutAliases(text: string): string {
  const document = parseYaml(text, new LineCounter());
  const aliases: { readonly from: number; readonly to: number; readonly value: string }[] = [];
  visit(document, {
    Alias(_, node) {
      const [from, to] = node.range!;
      aliases.push({ from, to, value: JSON.stringify(node.toJS(document)) });
    },
  });
  return aliases.reduceRight((whole, { from, to, value }) => whole.slice(0, from) + value + whole.slice(to), text);
}

function reasonOf(document: Document.Parsed): string {
  let reason = 'cannot be changed here without a change elsewhere; change it in a text editor';
  visit(document, {
    Alias() {
      reason = 'cannot be replaced alone: other parts of the document refer to it';
      return visit.BREAK;
    },
  });
  return reason;
}

function toOriginal(text: string, source: SourceNode | null): Original {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  return { text, eol, jsonIndent: jsonIndentOf(text), style: { ...usualStyle, ...styleOf(text, source) } };
}

function jsonIndentOf(text: string): string | null {
  try {
    JSON.parse(text);
    return /\n([ \t]+)/.exec(text)?.[1] ?? '';
  } catch {
    return null;
  }
}

/** Returns the indentation of the first map in a map and of the first list in a map. */
function styleOf(text: string, root: SourceNode | null): Partial<LineStyle> {
  const columnOf = ({ start }: SourceNode) => start - (text.lastIndexOf('\n', start - 1) + 1);
  let [step, list]: [number | null, number | null] = [null, null];
  const visit = (node: SourceNode) => {
    for (const { value } of node.entries) {
      if (value?.style !== 'block') continue;
      const deeper = columnOf(value) - columnOf(node);
      if (!node.isList && value.isList) list ??= deeper;
      else if (!node.isList) step ??= deeper;
      visit(value);
    }
  };
  if (root?.style === 'block') visit(root);
  return { step: step ?? (list || usualStyle.step), isListIndented: list !== 0 };
}

function spliceRoot(original: Original, root: SourceNode | null, change: Change): Splice {
  const { text, eol, jsonIndent } = original;
  if (isChangedByEntries(root, change))
    return root.style === 'flow' ? spliceFlow(original, root, change) : spliceBlock(original, root, change, true);
  const written =
    jsonIndent === null
      ? toText(toStyledDocument(change.value), original.style).replaceAll('\n', eol)
      : JSON.stringify(change.value, null, jsonIndent);
  if (root === null) return { from: text.length, to: text.length, text: (/(^|\n)$/.test(text) ? '' : eol) + written };
  return { from: root.start, to: root.end, text: written.trimEnd() };
}

/** Returns the value of a text; undefined if it cannot be read. */
function valueReadBy(read: () => LocatedValue): unknown {
  try {
    const { value, faults } = read();
    return faults.length === 0 ? value : undefined;
  } catch (error) {
    if (error instanceof YamlFault) return undefined;
    throw error;
  }
}

/** Whether each part of a value equals what the text says there, or what it means. */
function isSaid(value: unknown, said: unknown, meant: unknown): boolean {
  if ([said, meant].some((one) => isDeepStrictEqual(value, one))) return true;
  if (typeof value !== 'object' || value === null || typeof meant !== 'object' || meant === null) return false;
  const at = (one: unknown, key: string) => (one as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  const keys = Object.keys(value);
  return (
    isDeepStrictEqual(keys.toSorted(), Object.keys(meant).toSorted()) &&
    keys.every((key) => isSaid(at(value, key), at(said, key), at(meant, key)))
  );
}
