import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Edit } from 'resume-profile/yaml/change';
import { applyEdit } from 'resume-profile/yaml/edit';
import { isCollection, isPair, isScalar, parseDocument } from 'yaml';
import { type Random, randomOf } from './random.ts';

const root = join(import.meta.dirname, '../../..');
const patterns = [
  'examples/*.yaml',
  'test/fixtures/{*,edits/*,languages/*}.yaml',
  'packages/resume-import/corpus/*.yaml',
];
const files = globSync(patterns, { cwd: root }).sort();

/** The same document in another form that must be kept. */
const forms: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => `\ufeff${text}`,
  (text) => text.replace(/\n+$/, ''),
  (text) => JSON.stringify(read(text), null, 2),
  (text) => JSON.stringify(read(text), null, '\t'),
  (text) => JSON.stringify(read(text)),
];

type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };
type Steps = (string | number)[];

const parsed = memoized((text: string) =>
  parseDocument(text.replace(/^\ufeff/, ''), { uniqueKeys: false, stringKeys: true, logLevel: 'error' }),
);

const read = memoized((text: string): Plain => {
  const document = parsed(text);
  assert.deepEqual(document.errors, [], text);
  return JSON.parse(JSON.stringify(document.toJS())) as Plain;
});

const toForm = (text: string, form: ((text: string) => string) | null) => (form === null ? text : form(text));

/** Most texts are used often. */
function memoized<Output>(convert: (text: string) => Output): (text: string) => Output {
  const outputs = new Map<string, Output>();
  return (text) => {
    if (outputs.size > 500) outputs.clear();
    const output = outputs.get(text) ?? convert(text);
    outputs.set(text, output);
    return output;
  };
}

const isMap = (value: Plain | undefined): value is { [key: string]: Plain } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every path in a value, but that of the whole. */
function pathsOf(value: Plain, path: Steps = []): Steps[] {
  const entries: [string | number, Plain][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : isMap(value)
      ? Object.entries(value)
      : [];
  return entries.flatMap(([step, inner]) => [[...path, step], ...pathsOf(inner, [...path, step])]);
}

const at = (value: Plain, path: Steps): Plain =>
  path.reduce((inner, step) => (inner as Record<string | number, Plain>)[step]!, value);

const pieces = [
  ...['a', 'b', ' ', ' ', 'word', '1', '0x1', '-', '- ', ': ', ':', ' #', '#', ',', '[', ']', '{', '}', '"', "'", '\\'],
  ...['\n', '\n', '\n\n', '\t', '&', '*', '!', '|', '>', '%', '@', '`', '?', '~', '=', '<', '...', '---', '\u00e9'],
  ...['null', 'true', 'yes', '2020-01-02', '😀', 'مرحبا', '\u202e', '\u2028', '\u0085', '\ufeff', '\u0007', '\u00a0'],
];

function anyText(random: Random): string {
  const { pick, below, isOneIn } = random;
  if (isOneIn(4))
    return Array.from({ length: below(40) }, () => pick(['some', 'longer', 'words', 'of', 'prose'])).join(' ');
  if (isOneIn(4))
    return Array.from({ length: 1 + below(4) }, () =>
      pick(['one line', '- two', '  three', '', '# four', 'a: b']),
    ).join('\n');
  return Array.from({ length: below(8) }, () => pick(pieces)).join('');
}

function anyValue(random: Random, depth = 0): Plain {
  const { below, pick } = random;
  const kind = below(depth > 2 ? 6 : 10);
  if (kind < 5) return anyText(random);
  if (kind === 5) return pick([null, true, false, 0, 14, -1.5, 1e21]);
  if (kind < 8) return Array.from({ length: below(4) }, () => anyValue(random, depth + 1));
  return Object.fromEntries(
    Array.from({ length: below(4) }, () => [
      pick(['id', 'name', 'a b', 'x:', '# y', '1', '']),
      anyValue(random, depth + 1),
    ]),
  );
}

function anyEdit(random: Random, value: Plain): Edit {
  const { pick, below } = random;
  const path = pick(pathsOf(value));
  const parent = at(value, path.slice(0, -1));
  const old = at(value, path);
  const kind = below(8);
  if (kind < 2) return { kind: 'remove', path };
  if (kind === 2 && Array.isArray(parent)) return { kind: 'insert', path, value: anyValue(random) };
  if (kind === 3 && Array.isArray(parent)) return { kind: 'move', path, to: below(parent.length) };
  if (kind === 4 && Array.isArray(old))
    return { kind: 'insert', path: [...path, below(old.length + 1)], value: anyValue(random) };
  if (kind === 4 && isMap(old)) return { kind: 'set', path: [...path, 'added'], value: anyValue(random) };
  if (kind === 5) return { kind: 'set', path: path.slice(0, 1), value: changed(random, at(value, path.slice(0, 1))) };
  return { kind: 'set', path, value: anyValue(random) };
}

/** A value as a form gives it: with some of its parts changed, removed, added or moved. */
function changed(random: Random, value: Plain): Plain {
  const { below, isOneIn } = random;
  if (isOneIn(12)) return anyValue(random);
  if (Array.isArray(value)) {
    const items = value.filter(() => !isOneIn(8)).map((item) => changed(random, item));
    if (isOneIn(4)) items.splice(below(items.length + 1), 0, anyValue(random));
    if (isOneIn(4) && items.length > 1) items.splice(below(items.length), 0, ...items.splice(below(items.length), 1));
    return items;
  }
  if (isMap(value)) {
    const members = Object.entries(value).filter(() => !isOneIn(8));
    return Object.fromEntries(members.map(([key, inner]) => [key, changed(random, inner)]));
  }
  return typeof value === 'string' && isOneIn(3) ? `${value} more` : value;
}

/** Applies an edit to the plain value, in the simplest way. */
function applied(value: Plain, edit: Edit): Plain {
  if (edit.path.length === 0) return (edit as { readonly value: Plain }).value;
  const copy = structuredClone(value);
  const path = edit.path as Steps;
  const parent = at(copy, path.slice(0, -1));
  const last = path.at(-1)!;
  if (Array.isArray(parent)) {
    const index = Number(last);
    if (edit.kind === 'insert') parent.splice(index, 0, edit.value as Plain);
    else if (edit.kind === 'remove') parent.splice(index, 1);
    else if (edit.kind === 'move') parent.splice(edit.to, 0, ...parent.splice(index, 1));
    else parent[index] = edit.value as Plain;
  } else {
    const map = parent as { [key: string]: Plain };
    if (edit.kind === 'remove') delete map[last];
    else if (edit.kind === 'set') map[last] = edit.value as Plain;
  }
  return copy;
}

/** The lines, counted from 0, from that on which the entry at a path begins to that on which it ends. */
function linesOf(text: string, path: Steps): [first: number, last: number] {
  const document = parsed(text);
  let node: unknown = document.contents;
  let range: [number, number] = [0, text.length];
  for (const step of path) {
    if (!isCollection(node)) break;
    const item = isMap(node.toJS(document) as Plain)
      ? node.items.findLast(
          (pair) => isPair(pair) && String(isScalar(pair.key) ? pair.key.value : pair.key) === String(step),
        )
      : node.items[Number(step)];
    if (item === undefined) break;
    const [start, value] = isPair(item) ? [item.key, item.value ?? item.key] : [item, item];
    range = [rangeOf(start)[0], rangeOf(value)[1]];
    node = isPair(item) ? item.value : item;
  }
  const [from, to] = range.map((offset) => text.replace(/^\ufeff/, '').slice(0, offset));
  const last = to!.trimEnd();
  return [from!.split('\n').length - 1, Math.max(from!.split('\n').length, last.split('\n').length) - 1];
}

function rangeOf(node: unknown): [number, number] {
  const { range } = node as { range: [number, number, number] };
  if (!isCollection(node) || node.flow || node.items.length === 0) return [range[0], range[1]];
  const last = node.items.at(-1);
  const end = isPair(last) ? (last.value ?? last.key) : last;
  return [range[0], rangeOf(end)[1]];
}

const isRemark = (line: string) => /^\s*(#.*)?$/.test(line.trimEnd());

/** Asserts that the lines before and after the edited entries are the same, but for comments beside them. */
function assertLinesKept(text: string, edited: string, edit: Edit, message: string): void {
  const path = edit.path as Steps;
  const value = read(text);
  const parentPath = path.slice(0, -1);
  const parent = at(value, parentPath);
  const size = Array.isArray(parent) ? parent.length : Object.keys(parent as object).length;
  const index = Array.isArray(parent)
    ? Number(path.at(-1))
    : Object.keys(parent as object).indexOf(String(path.at(-1)));
  // The last entry of a collection is removed with it, the first makes room for the second on the line of its dash.
  const isWhole = edit.kind === 'remove' && (size === 1 || index === 0);
  const isFlow = edit.kind === 'insert' && size === 0;
  const touched =
    edit.kind === 'move'
      ? [path, [...parentPath, edit.to]]
      : isWhole || isFlow || edit.kind === 'insert'
        ? [parentPath]
        : [path];
  const spans = touched.map((steps) => linesOf(text, steps));
  let first = Math.min(...spans.map(([from]) => from));
  let last = Math.max(...spans.map(([, to]) => to));
  const [before, after] = [text, edited].map((one) => one.split(/(?<=\n)/)) as [string[], string[]];
  while (first > 0 && isRemark(before[first - 1]!.replace(/^[ -]*([&!]\S+)?/, ''))) first -= 1;
  while (last + 1 < before.length && isRemark(before[last + 1]!)) last += 1;
  const head = before.slice(0, first);
  const tail = before.slice(last + 1);
  // Before an inserted line, the last line gets its end, and a flow list a comma.
  const ends = (lines: string[]) => lines.with(-1, lines.at(-1)!.replace(/,?\r?\n?$/, ''));
  if (head.length > 0) assert.deepEqual(ends(after.slice(0, head.length)), ends(head), message);
  if (tail.length > 0) assert.deepEqual(after.slice(-tail.length), tail, message);
  // Comments are neither invented nor multiplied.
  const comments = (lines: string[]) => lines.map((line) => line.trim()).filter((line) => line.startsWith('#'));
  if (edit.kind === 'move') assert.deepEqual(comments(after).sort(), comments(before).sort(), message);
}

/** Asserts that the lines of each entry with an id stay together and the same, if a form has not changed it. */
function assertEntriesKept(text: string, edited: string, path: Steps, value: unknown, message: string): void {
  const old = at(read(text), path);
  if (isMap(old) && isMap(value as Plain))
    for (const [key, inner] of Object.entries(value as object))
      if (Object.hasOwn(old, key)) assertEntriesKept(text, edited, [...path, key], inner, message);
  if (!Array.isArray(old) || !Array.isArray(value)) return;
  for (const [index, entry] of old.entries()) {
    const hasId = (item: Plain) => isMap(item) && isMap(entry) && item.id === entry.id;
    if (!isMap(entry) || !entry.id || old.filter(hasId).length > 1) continue;
    if (!value.some((item) => isDeepStrictEqual(item, entry))) continue;
    const [first, last] = linesOf(text, [...path, index]);
    const lines = text
      .split('\n')
      .slice(first, last + 1)
      .join('\n');
    // In JSON, a comma may be added or removed; the dash of a list around the entry may be on its first line.
    assert.ok(edited.includes(lines.replace(/^(\s*- )+/, '').replace(/,?\r?$/, '')), `${message}${edited}`);
  }
}

const isFull = process.env.FULL_RUN === 'true';
const length = isFull ? 10_000 : 200;
const seed = Number(process.env.SEED ?? (isFull ? Date.now() : 25));

test(`after each of ${length} edits the document reads as edited, and each other line is the same`, () => {
  const random = randomOf(seed);
  const texts = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);
  for (let number = 0; number < length; number += 1) {
    const [file, original] = random.pick(texts);
    const text = toForm(original, random.isOneIn(2) ? random.pick(forms) : null);
    const value = read(text);
    const edit = anyEdit(random, value);
    const message = `SEED=${seed}, edit ${number} of ${file}: ${JSON.stringify(edit)}\n${text}`;
    const path = edit.path as Steps;
    const edited = editedOrRefused(text, edit, message);
    if (edited === null) continue;
    assert.deepEqual(read(edited), applied(value, edit), `${message}${edited}`);
    assertLinesKept(text, edited, edit, message);
    if (edit.kind === 'set' && text.trim().includes('\n')) assertEntriesKept(text, edited, path, edit.value, message);
    assert.equal(edited.startsWith('\ufeff'), text.startsWith('\ufeff'), message);
    for (const ending of [/[^\r]\n/, /\r/]) assert.ok(ending.test(text) || !ending.test(edited), message);
  }
});

/** Null if a value would change that others refer to by an alias. */
function editedOrRefused(text: string, edit: Edit, message: string): string | null {
  try {
    return applyEdit(text, edit);
  } catch (error) {
    const isReferredTo = /^Error: cannot be replaced alone/.test(String(error)) && /^again: \*candidate/m.test(text);
    assert.ok(isReferredTo, `${String(error)} ${message}`);
    return null;
  }
}
