import { isDeepStrictEqual } from 'node:util';
import { LineCounter } from 'yaml';
import { z } from 'zod';
import { readAsMeant } from './as-meant.ts';
import { byLatestEnd } from './dates.ts';
import type { Warning } from './lint.ts';
import { nearestName } from './nearest-name.ts';
import { type Job, Profile } from './profile-document.ts';
import { documentOfView, type ProfileText } from './view.ts';
import { type Fault, type LocatedValue, type Path, YamlFault } from './yaml/yaml.ts';

/** Something wrong in the text of a profile document. */
export interface DocumentFault {
  /** The path of the value; empty if the fault concerns the whole document. */
  readonly path: readonly (string | number)[];
  /** Counted from 1; null if the fault has no place in the text. */
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** A profile, or null and its faults, one line each: the first 100 in the order of the text, and how many follow. */
export type ProfileReading = ReturnType<typeof readProfileText>;

/** The views of a profile document, each resolved to a profile as if the document had been written so. */
export interface ProfileViews {
  /** In the order of the document. */
  readonly names: ReadonlySet<string>;
  /** Resolves a view anew; null if the document does not have it. */
  resolve(name: string): Profile | null;
}

export const noViews: ProfileViews = { names: new Set(), resolve: () => null };

type Find = (profile: Profile, document: ProfileText) => readonly Warning[];

const maxFaults = 100;
const maxKeyLength = 100;

/**
 * Reads a profile document, YAML 1.2 or JSON, and sorts its experience as it is shown, unless the profile says that it
 * is written so; between equals the order of the text decides. A fault is `LINE:COL: path: what is wrong`, after `FILE:`
 * if a file name is given.
 */
export function readProfileText(text: string, file?: string) {
  const lines = new LineCounter();
  const toLine = (fault: Fault, kind = '') => {
    const { line, col } = lines.linePos(fault.offset);
    return `${file === undefined ? '' : `${file}:`}${line}:${col}: ${kind}${toFaultText(fault)}`;
  };
  const { written, value, document, faults, remarks, offsetOf } = check(text, lines);
  const toLines = (find: Find, kind?: string): string[] =>
    written === null
      ? []
      : inTextOrder(find(written, document).map((warning) => ({ ...warning, offset: offsetOf(warning.path) }))).map(
          (warning) => toLine(warning, kind),
        );
  const first = inTextOrder(faults).slice(0, maxFaults);
  const shown = first.map((fault) => toLine(fault));
  const more = faults.length - shown.length;
  if (more > 0) shown.push(`${file === undefined ? '' : `${file}: `}${more} more faults`);
  return {
    profile: written && toPlain(written),
    /** The same profile with its experience in the order of the text, so that paths match the document. */
    written,
    /** The value that the text means, even with faults; null if it is not YAML. */
    value,
    /** The views of a profile without faults. */
    views: document === null ? noViews : viewsOf(document),
    faults: shown as readonly string[],
    /** The same first 100 faults, each with its place. */
    locatedFaults: first.map(({ offset, path, message }): DocumentFault => {
      const { line, col: column } = lines.linePos(offset);
      return { path, line, column, message };
    }),
    /**
     * Returns the warnings of a linter as `LINE:COL: warning: path: …`. The linter gets the profile in the order of the
     * text, and the document as it is written, unless there are faults.
     */
    warnings: (lint: Find) => toLines(lint, 'warning: '),
    /** Returns other findings about the profile in the same way, as `LINE:COL: path: …`. */
    notes: (find: Find) => toLines(find),
    /** Values that were read differently from what YAML says, and should be rewritten so that they are unambiguous. */
    remarks: remarks.map(({ path, message }): Warning => ({ path, message })),
  };
}

function viewsOf(document: ProfileText): ProfileViews {
  const names = new Set(Object.keys(document.views ?? {}));
  const resolve = (name: string) => (names.has(name) ? toPlain(Profile.parse(documentOfView(document, name))) : null);
  return { names, resolve };
}

/** Returns a profile without its views, and with its experience in the order in which it is shown. */
function toPlain({ views: _, ...profile }: Profile): Profile {
  if (!isSortedByTime(profile.resume)) return profile;
  return { ...profile, experience: profile.experience.toSorted(byLatestJob) };
}

const inTextOrder = <Found extends Pick<Fault, 'offset'>>(faults: readonly Found[]) =>
  faults.toSorted((one, other) => one.offset - other.offset);

/** Orders jobs as a profile shows them. */
export function byLatestJob(...jobs: [one: Job, other: Job]): number {
  const [one, other] = jobs.map(({ company_start_date: from, company_end_date: until }) => ({ from, until }));
  return byLatestEnd(one!, other!);
}

/** Whether companies are shown with the latest first, in whatever order they are written. */
export const isSortedByTime = ({ experience_order }: { readonly experience_order?: unknown }): boolean =>
  experience_order !== 'as_written';

/** Returns the profile in the order of the text and its document as it is written, both null if there are faults. */
function check(text: string, lines: LineCounter) {
  let meant: ReturnType<typeof readAsMeant>;
  try {
    meant = readAsMeant(text, lines);
  } catch (error) {
    if (error instanceof YamlFault) return { ...unwritten, faults: [error], offsetOf: () => 0 };
    throw error;
  }
  const { located, warnings: remarks } = meant;
  const { value, offsetOf } = located;
  if (value === null) return { ...unwritten, faults: [{ offset: 0, path: [], message: 'is empty' }], offsetOf };
  const document = withoutUnwritten(value);
  const { data, error } = Profile.safeParse(document, { error: describe, reportInput: true });
  const faults = [
    ...located.faults,
    ...meant.faults,
    ...(error?.issues.flatMap(chosen).flatMap((issue) => toFaults(issue, located)) ?? []).filter(
      (fault) => !meant.faults.some(({ path }) => isDeepStrictEqual(fault.path.slice(0, path.length), path)),
    ),
  ];
  if (data === undefined || faults.length > 0) return { ...unwritten, value, faults, offsetOf };
  return { written: data, value, document: document as ProfileText, faults, remarks, offsetOf };
}

const unwritten = { written: null, value: null, document: null, remarks: [] };

/** Returns a value without the keys that have no value, except the end date of an ongoing period. */
function withoutUnwritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnwritten);
  if (typeof value !== 'object' || value === null) return value;
  const written = Object.entries(value).filter(([key, inner]) => inner !== null || /(^|_)end_date$/.test(key));
  return Object.fromEntries(written.map(([key, inner]) => [key, withoutUnwritten(inner)]));
}

/** Returns the message of an issue for which the schema has none; a line for each unknown key. */
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') {
    const known = issue.inst instanceof z.core.$ZodObject ? Object.keys(issue.inst._zod.def.shape) : [];
    const missing = known.filter((key) => !Object.hasOwn(issue.input as object, key));
    return issue.keys.map((key) => toUnknownKey(key, missing)).join('\n');
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  const expected = issue.code === 'invalid_type' ? issue.expected : undefined;
  return { object: 'must be an object', array: 'must be a list', string: 'must be a string' }[String(expected)];
}

function toUnknownKey(key: string, known: readonly string[]): string {
  // Only another spelling of a key, not another word: `gitlab` is not a misspelled `github`.
  const nearest = key.length > maxKeyLength ? null : nearestName(key, known, 1);
  return `is not a known key${nearest === null ? '' : `; did you mean ${nearest}?`}`;
}

/** The issues of the union's alternative that takes objects, if the value is one; other unions have a message. */
function chosen(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || typeof issue.input !== 'object') return [issue];
  const alternative = issue.errors.find((issues) => issues[0]?.path.length !== 0 || issues[0].code !== 'invalid_type');
  return alternative?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
}

/** Locates a missing key at its object, and an unknown or invalid key at the key itself. */
function toFaults(issue: z.core.$ZodIssue, { offsetOf, keyOffsetOf }: LocatedValue): Fault[] {
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys') {
    const messages = issue.message.split('\n');
    return issue.keys.map((key, index) => ({
      offset: keyOffsetOf(path, key),
      path: [...path, key],
      message: messages[index]!,
    }));
  }
  if (issue.code === 'invalid_key') {
    const [parent, key] = [path.slice(0, -1), String(path.at(-1))];
    return [{ offset: keyOffsetOf(parent, key), path, message: issue.issues[0]!.message }];
  }
  const isEmpty = issue.input === null && issue.message === 'must be a string';
  const message = isEmpty ? 'must not be empty' : issue.message;
  return [{ offset: offsetOf(path), path, message: issue.input === undefined ? 'is required' : message }];
}

const toPathText = (path: Path): string =>
  path
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      const shown = step.length > maxKeyLength ? `${step.slice(0, maxKeyLength)}…` : step;
      return /^[\w$-]+$/.test(shown) ? `.${shown}` : `[${JSON.stringify(shown)}]`;
    })
    .join('')
    .replace(/^\./, '');

/** Returns a fault as `path: message`, without a path if it concerns the whole document. */
export const toFaultText = ({ path, message }: Warning | DocumentFault): string =>
  path.length === 0 ? message : `${toPathText(path)}: ${message}`;
