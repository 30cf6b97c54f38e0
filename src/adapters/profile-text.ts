import {
  type Document,
  isAlias,
  isMap,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import type { z } from 'zod';
import type { Experience } from '../model/profile.ts';
import { Profile } from '../model/profile-document.ts';
import type { Warning } from '../model/profile-warnings.ts';

/** A profile, or null and every fault there is, one line each. */
export interface ProfileReading {
  readonly profile: Profile | null;
  readonly faults: readonly string[];
  /** What is found in a profile without faults, with its paths as the text has them: `LINE:COL: warning: path: …`. */
  readonly warnings: (find: (profile: Profile) => readonly Warning[]) => string[];
}

/** Reads the text of a profile document, YAML 1.2 or JSON, and puts experience newest first. A fault is `LINE:COL: path: what is wrong`. */
export function readProfileText(text: string): ProfileReading {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const { written, faults } = check(document);
  const toLines = (found: readonly Fault[], kind = '') =>
    found
      .toSorted((one, other) => one.offset - other.offset)
      .map(({ offset, path, message }) => {
        const { line, col } = lines.linePos(offset);
        return `${line}:${col}: ${kind}${path.length === 0 ? '' : `${toText(path)}: `}${message}`;
      });
  return {
    profile: written && { ...written, experience: written.experience.toSorted(newestFirst) },
    faults: toLines(faults),
    warnings(find) {
      const found = written === null ? [] : find(written);
      return toLines(
        found.map(({ path, message }) => ({ path, message, offset: startOf(nodeAt(path, document)) })),
        'warning: ',
      );
    },
  };
}

const newestFirst = (one: Experience, other: Experience) =>
  other.company_start_date.localeCompare(one.company_start_date);

type Path = readonly PropertyKey[];
type Fault = { readonly offset: number; readonly path: Path; readonly message: string };

/** The profile in the order it is written in, or null and its faults. */
function check(document: Document.Parsed): { written: Profile | null; faults: Fault[] } {
  const faults = document.errors.map((error) => toSyntaxFault(error, document));
  // A key given twice leaves the rest readable, another error of syntax does not.
  if (document.errors.some(({ code }) => code !== 'DUPLICATE_KEY')) return { written: null, faults };
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    return { written: null, faults: [...faults, toAliasFault(error as Error, document)] };
  }
  if (value === null) return { written: null, faults: [{ offset: 0, path: [], message: 'is empty' }] };
  const { data, error } = Profile.safeParse(value, { error: describe, reportInput: true });
  if (error) faults.push(...error.issues.flatMap((issue) => toFaults(issue, document)));
  return { written: data && faults.length === 0 ? data : null, faults };
}

/** Words for what the schema leaves without. */
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  const expected = issue.code === 'invalid_type' ? issue.expected : undefined;
  return { object: 'must be an object', array: 'must be a list', string: 'must be a string' }[String(expected)];
}

/** What is missing is placed at the object that lacks it, an unknown key at the key itself. */
function toFaults(issue: z.core.$ZodIssue, document: Document.Parsed): Fault[] {
  const node = nodeAt(issue.path, document);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      offset: startOf(isMap(node) ? pairOf(node, key)?.key : node),
      path: [...issue.path, key],
      message: 'is not a known key',
    }));
  const message = issue.input === undefined ? 'is required' : issue.message;
  return [{ offset: startOf(node), path: issue.path, message }];
}

function toSyntaxFault({ code, message, pos: [offset] }: YAMLError, { contents }: Document.Parsed): Fault {
  if (code === 'DUPLICATE_KEY') return { offset, path: pathTo(offset, contents), message: 'is given twice' };
  return { offset, path: [], message: code === 'MULTIPLE_DOCS' ? 'only one document is allowed' : message };
}

/** The library names an alias without an anchor at the end of its message; its other complaint is that aliases multiply. */
function toAliasFault({ message }: Error, document: Document.Parsed): Fault {
  let offset: number | undefined;
  visit(document, {
    Alias(_key, alias) {
      if (!message.endsWith(`: ${alias.source}`)) return undefined;
      offset = startOf(alias);
      return visit.BREAK;
    },
  });
  if (offset === undefined) return { offset: 0, path: [], message: 'too many aliases' };
  const path = pathTo(offset, document.contents);
  return { offset, path, message: 'is an alias without an anchor; put text that begins with * in quotes' };
}

const startOf = (node: unknown): number => (node as Node | null | undefined)?.range?.[0] ?? 0;

// Where a key is given twice, the last one counts.
const pairOf = (map: YAMLMap, key: PropertyKey) => map.items.findLast((pair) => String(pair.key) === String(key));

/** The node at a path, aliases followed, or the last one there is on the way. */
function nodeAt(path: Path, document: Document.Parsed): unknown {
  let node: unknown = document.contents;
  for (const step of path) {
    const next = isMap(node) ? pairOf(node, step)?.value : isSeq(node) ? node.items[Number(step)] : undefined;
    if (!next) break;
    node = isAlias(next) ? next.resolve(document) : next;
  }
  return node;
}

/** The path to what stands at an offset. */
function pathTo(offset: number, node: unknown): Path {
  if (isMap(node)) {
    const pair = node.items.findLast(({ key }) => startOf(key) <= offset);
    return pair ? [String(pair.key), ...(startOf(pair.key) === offset ? [] : pathTo(offset, pair.value))] : [];
  }
  if (!isSeq(node)) return [];
  const index = node.items.findLastIndex((item) => startOf(item) <= offset);
  return [index, ...pathTo(offset, node.items[index])];
}

const toText = (path: Path): string =>
  path
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return /^[\w$-]+$/.test(String(step)) ? `.${String(step)}` : `[${JSON.stringify(step)}]`;
    })
    .join('')
    .replace(/^\./, '');
