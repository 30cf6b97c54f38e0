import { isAlias, isMap, isScalar, isSeq, Lexer, type Node, type Pair, Parser, parseDocument, type Scalar } from 'yaml';
import { type Tree, toCursor } from './input-cursor.ts';
import { type Leaf, shortened, toLeaf } from './value.ts';

/** A parsed input: its tree and all its leaves, including those not in the tree (values of repeated keys). */
export type Input = { readonly tree: Tree; readonly leaves: readonly Leaf[] };

const maxDepth = 64;
const maxNodes = 50_000;

// Resolving tags could hide the members of a collection. At other log levels the library ignores a second document.
const options = { uniqueKeys: false, resolveKnownTags: false, prettyErrors: false, logLevel: 'error' } as const;

/** Parses JSON or YAML, with numbers as written. Throws a reason to stand after the file's path. */
export function readTree(text: string): Input {
  if (depthOf(text) > 2 * maxDepth) throw new Error('is nested too deeply');
  const { contents, errors } = parseDocument(text, options);
  if (errors[0]) throw toFault(text, errors[0].pos[0], errors[0].message);
  const leaves: Leaf[] = [];
  const anchors = new Map<string, Node>();
  let nodes = 0;
  return { tree: toTree(contents, '', 0), leaves };

  function toTree(node: unknown, where: string, depth: number): Tree {
    if (++nodes > maxNodes) throw new Error(`holds more than ${maxNodes} values`);
    // An alias of its own ancestor nests without end.
    if (depth > maxDepth) throw new Error('is nested too deeply');
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target) return toTree(target, where, depth + 1);
      const fault = `*${node.source} is an alias without an anchor; put text that begins with * in quotes`;
      throw toFault(text, node.range![0], fault);
    }
    const { anchor } = (node ?? {}) as { anchor?: string };
    if (anchor !== undefined) anchors.set(anchor, node as Node);
    if (isSeq(node)) return node.items.map((item, index) => toTree(item, `${where}[${index}]`, depth + 1));
    if (isMap(node)) return toMembers(node.items, where, depth);
    const scalar = isScalar(node) ? textOf(node) : '';
    if (!/\S/.test(scalar)) return null;
    const leaf = toLeaf(where, scalar);
    leaves.push(leaf);
    return leaf;
  }

  function toMembers(pairs: readonly Pair[], where: string, depth: number): Tree {
    const members = new Map<string, Tree>();
    for (const { key, value } of pairs) {
      const name = isScalar(key) ? textOf(key) : '?';
      toCursor(members.get(name) ?? null).explain('The key is repeated further down; the last one is used');
      const isPlain = /^[\p{L}\p{N}_$-]{1,80}$/u.test(name);
      const step = isPlain ? `${where === '' ? '' : '.'}${name}` : `[${JSON.stringify(shortened(name))}]`;
      members.set(name, toTree(value, where + step, depth + 1));
    }
    return members;
  }
}

// YAML reads 3.90 and +49 30 as numbers; their source keeps them as written.
const textOf = ({ value, source }: Scalar): string =>
  typeof value === 'string' || value === null ? (value ?? '') : (source ?? String(value));

const toFault = (text: string, offset: number, fault: string) =>
  new Error(
    `is neither JSON nor YAML: line ${text.slice(0, offset).split('\n').length}: ${fault.replace(/\p{Cc}/gu, ' ')}`,
  );

/** The nesting depth of a text, checked before composing, whose recursion hostile input would overflow. */
function depthOf(text: string): number {
  const parser = new Parser();
  let depth = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    depth = Math.max(depth, parser.stack.length);
    if (depth > 2 * maxDepth) break;
  }
  return depth;
}
