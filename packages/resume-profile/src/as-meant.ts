import { type CST, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { z } from 'zod';
import { isPresentWord, toDate } from './date-reader.ts';
import { nearestName } from './nearest-name.ts';
import { withScheme } from './profile.ts';
import { Profile } from './profile-document.ts';
import { type Fault, type Path, parseYaml, toLocatedValue, toShortQuoted } from './yaml/yaml.ts';

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypeDef & { readonly [Inner in 'innerType' | 'in' | 'element' | 'valueType']?: Schema } & {
  readonly options?: readonly Schema[];
  readonly shape?: Readonly<Record<string, Schema>>;
};

/** Returns the definitions of the objects, lists and plain values that a schema is made of. */
function defsOf(schema: Schema): readonly Def[] {
  const def: Def = schema._zod.def;
  const inner = def.innerType ?? def.in;
  if (inner !== undefined) return defsOf(inner);
  return def.type === 'union' ? def.options!.flatMap(defsOf) : [def];
}

/** Returns an object's fields, and the schemas of a list's entries or a map's values. */
function shapeOf(schema: Schema) {
  const defs = defsOf(schema);
  return {
    fields: defs.find(({ shape }) => shape)?.shape ?? {},
    element: defs.find(({ element }) => element)?.element,
    values: defs.find(({ valueType }) => valueType)?.valueType,
  };
}

const accepts = (schema: Schema, value: unknown): boolean => z.core.safeParse(schema, value).success;

/** The lists of names and other short words, which people write on one line with commas. */
const listsOfWords: ReadonlySet<unknown> = new Set(
  'skills domains tags keywords languages in hide order public downloads page_hides page pdf word programs'.split(' '),
);

/** A longer text is a single item, however many commas it has. */
const maxListLength = 2_000;

const partsOf = (text: string): string[] =>
  // Not within parentheses, as in `Cloud (AWS, GCP)`.
  (text.length > maxListLength ? [text] : text.split(/[,\n](?![^()]*\))/))
    .map((part) => part.trim())
    .filter((part) => part !== '');

/**
 * Reads a profile document leniently, as people type it by hand: `present`, `Mar 2019`, a phone number that YAML reads as a
 * number, one text in place of a list. Only values that the profile would refuse are reinterpreted, and an edit of another
 * value keeps them as written. Throws `YamlFault`.
 */
export function readAsMeant(text: string, lines = new LineCounter()) {
  const document = parseYaml(text, lines);
  // Entries with a colon, which YAML reads as maps: the refused ones, and those that are read as texts.
  const [faults, warnings]: [Fault[], Fault[]] = [[], []];
  /** The tokens of unwritten list entries. */
  const unwritten = new Set<unknown>();
  document.contents = meant(document.contents, Profile, []) as typeof document.contents;
  return { document, located: toLocatedValue(document), faults, warnings, unwritten };

  function meant(node: unknown, schema: Schema, path: Path): unknown {
    const { fields, element, values } = shapeOf(schema);
    if (isMap(node)) {
      for (const pair of node.items) {
        const key = String((pair.key as Scalar).value);
        const field = Object.hasOwn(fields, key) ? fields[key] : values;
        if (field !== undefined) pair.value = meant(pair.value, field, [...path, key]);
      }
      return node;
    }
    if (isSeq(node) && element !== undefined) {
      // A dash without a value is an unwritten entry.
      const tokens = ((node.srcToken as CST.BlockSequence).items ?? []).filter(({ start }) =>
        start.some(({ type }) => type === 'seq-item-ind'),
      );
      const isWritten = (item: unknown, index: number) => {
        const isNothing = isScalar(item) && item.value === null && !item.source && !item.anchor && !item.tag;
        if (isNothing) unwritten.add(tokens[index]);
        return !isNothing;
      };
      node.items = node.items.filter(isWritten).map((item, index) => {
        const at = [...path, index];
        return (isMap(item) ? withColon(item, element, at) : null) ?? meant(item, element, at);
      });
      return node;
    }
    if (!isScalar(node) || accepts(schema, node.value)) return node;
    const candidates = candidatesOf(node, schema, path);
    return candidates.find((candidate) => accepts(schema, candidate.toJS(document))) ?? node;
  }

  /** Returns the possible meanings of a value; the first one that the profile accepts counts. */
  function candidatesOf(node: Scalar, schema: Schema, path: Path): (Scalar | YAMLMap | YAMLSeq)[] {
    const { fields, element } = shapeOf(schema);
    const at = <Made extends Scalar | YAMLMap | YAMLSeq>(made: Made): Made =>
      Object.assign(made, { range: node.range, anchor: node.anchor });
    const scalar = (value: unknown) => at(Object.assign(new Scalar(value), { source: node.source }));
    // A key without a value is unwritten.
    if (node.value === null) return [scalar(''), at(new YAMLSeq()), at(new YAMLMap())];
    const typed = typeof node.value === 'string' ? node.value.trim() : (node.source ?? '');
    const date = toDate(typed);
    const values = [
      ...(typeof node.value === 'string' ? [] : [typed]),
      ...(isPresentWord(typed) ? [null] : []),
      ...(date?.isWhole ? [date.date] : []),
      ...(withScheme(typed) === null ? [] : [withScheme(typed)]),
      ...(/^(yes|true)$/i.test(typed) ? [true] : /^(no|false)$/i.test(typed) ? [false] : []),
    ];
    const candidates: ReturnType<typeof candidatesOf> = values.map(scalar);
    // Entries below a text are a list that begins on the wrong line.
    const [start = 0, end = 0] = node.range ?? [];
    if (element !== undefined && !/\n[ \t]*- /.test(text.slice(start, end))) {
      const parts = listsOfWords.has(path.at(-1)) ? partsOf(typed) : [typed];
      const items = parts.map((part) => meant(scalar(part), element, path));
      candidates.push(at(Object.assign(new YAMLSeq(), { items })));
    }
    const [key, ...others] = Object.keys(fields).filter((one) => fields[one]!._zod.optin !== 'optional');
    if (key !== undefined && others.length === 0) {
      const map = new YAMLMap();
      map.set(new Scalar(key), meant(scalar(typed), fields[key]!, path));
      candidates.push(at(map));
    }
    return candidates;
  }

  /** Returns an entry such as `Led: six people` as a text; null if it is meant as a map. */
  function withColon(map: YAMLMap, schema: Schema, path: Path): Scalar | null {
    const [pair, ...others] = map.items as Pair<Scalar, Node | null>[];
    const known = Object.keys(shapeOf(schema).fields);
    const key = String(pair?.key.value);
    if (pair === undefined || map.flow || known.includes(key) || nearestName(key, known, 1) !== null) return null;
    const [offset, keyEnd] = pair.key.range!;
    const end = Math.max(pair.value?.range?.[1] ?? 0, keyEnd + 1);
    const line = text
      .slice(offset, end)
      .split('\n')
      .map((part) => part.trim())
      .join(' ')
      .trim();
    if (!accepts(schema, line)) return null;
    const quoted = toShortQuoted(line);
    const isPlain = [pair.key, pair.value].every((one) => one === null || (isScalar(one) && one.type === 'PLAIN'));
    if (others.length > 0 || !isPlain) {
      faults.push({ offset, path, message: `must be a text; put it in quotes because of its colon: ${quoted}` });
      return null;
    }
    warnings.push({ offset, path, message: `is read as a text in spite of its colon; put it in quotes: ${quoted}` });
    return Object.assign(new Scalar(line), { range: map.range!, source: line });
  }
}
