import { CalendarDate } from 'resume-profile/profile';
import { type Path, parseYaml, toLocatedValue, YamlFault } from 'resume-profile/yaml/yaml';
import { LineCounter } from 'yaml';
import { z } from 'zod';
import { type Line, prose } from './outline/part.ts';

/** A letter to print: below the head of a resume, the date, the lines of the recipient, the subject and the text. */
export interface Letter {
  readonly date: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly blocks: readonly Line[];
}

const Text = z
  .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be a text') })
  .regex(/\S/, 'must not be empty');
const LetterDate = Text.refine(
  (date) => !/^\d{4}-\d\d-\d\d$/.test(date) || CalendarDate.safeParse(date).success,
  'must be a date that exists',
);
const Front = z.strictObject(
  { to: Text, subject: Text, date: LetterDate },
  { error: ({ code }) => (code === 'invalid_type' ? 'must be the lines to, subject and date' : undefined) },
);

/** A letter, or null and its faults, as `LINE: message`. */
export interface LetterReading {
  readonly letter: Letter | null;
  readonly faults: readonly string[];
}

interface Fault {
  readonly line: number;
  readonly message: string;
}

/** Reads a letter in Markdown with YAML at its top, for a resume in a language. Placeholders are faults. */
export function readLetter(text: string, language: string): LetterReading {
  const [head, front = '', body = ''] =
    /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)([\s\S]*)/.exec(text) ?? [];
  if (head === undefined)
    return refused([
      { line: 1, message: 'must begin with ---, the lines to, subject and date, and ---; letter new writes them' },
    ]);
  const { value, faults } = readFront(front);
  const blocks = toBlocks(body);
  const empty =
    blocks.length > 0 ? [] : [{ line: text.trimEnd().split('\n').length, message: 'the letter has no text' }];
  const all = [...faults, ...placeholdersIn(text), ...empty];
  if (value === null || all.length > 0) return refused(all);
  const lines = value.to.split('\n').flatMap((line) => line.trim() || []);
  return { letter: { ...value, to: lines, date: toDate(value.date, language), blocks }, faults: [] };
}

const refused = (faults: readonly Fault[]): LetterReading => ({
  letter: null,
  faults: faults.toSorted((one, other) => one.line - other.line).map(({ line, message }) => `${line}: ${message}`),
});

function readFront(text: string): { value: z.output<typeof Front> | null; faults: Fault[] } {
  const lines = new LineCounter();
  // The first line of the file is ---.
  const toFault = (offset: number, path: Path, message: string): Fault => ({
    line: lines.linePos(offset).line + 1,
    message: [...path, message].join(': '),
  });
  try {
    const { value, faults, offsetOf } = toLocatedValue(parseYaml(text, lines));
    const { data, error } = Front.safeParse(value ?? {});
    const wrong = (error?.issues ?? []).flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => toFault(offsetOf([key]), [key], 'is not one of to, subject, date'))
        : toFault(offsetOf(issue.path as Path), issue.path as Path, issue.message),
    );
    return { value: data ?? null, faults: [...faults.map((it) => toFault(it.offset, it.path, it.message)), ...wrong] };
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    return { value: null, faults: [toFault(error.offset, error.path, error.message)] };
  }
}

/** Placeholders for missing text: [Company], {{name}}, <your name>, TODO, XXX, ___. */
const placeholder =
  /\[[^\][\n]*\](?!\()|\{\{?[^{}\n]*\}\}?|<\p{L}(?![^<>\s]*[:@])[^<>\n]*>|\b(?:TODO|TBD|TBC|FIXME)\b|\bX{3,}\b|_{3,}|\blorem ipsum\b/giu;

const placeholdersIn = (text: string): Fault[] =>
  text.split('\n').flatMap((line, index) =>
    [...line.replace(/`[^`]*`/g, '').matchAll(placeholder)]
      .filter(([match]) => /[\p{L}_]/u.test(match))
      .map(([match]) => ({
        line: index + 1,
        message: `${match} is a placeholder: write what belongs there, or take it out`,
      })),
  );

/** The paragraphs and lists of a text, which have an empty line between them. */
const toBlocks = (text: string): Line[] =>
  text
    .replaceAll('\r', '')
    .split(/\n\s*\n/)
    .map(unwrapped)
    .filter((block) => block !== '')
    .flatMap((block) => prose(block));

/** A paragraph with a line break only before a bullet, and after a line that ends in a backslash or two spaces. */
const unwrapped = (block: string): string =>
  block
    .trim()
    .replace(/(?<!\\| {2})\n(?!\s*- )\s*/g, ' ')
    .replace(/\\\n|(?<! ) {2,}\n/g, '\n');

/** A calendar date as written in a language; any other text unchanged. */
function toDate(date: string, language: string): string {
  if (!CalendarDate.safeParse(date).success) return date;
  return new Intl.DateTimeFormat([language, 'en'], { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date));
}

/** A template of a letter; its placeholders must be replaced before it can be printed. */
export const newLetter = (today: Date, name: string): string => `---
to: |
  [Name]
  [Company]
  [Address]
subject: "[Application as …]"
date: ${today.toISOString().slice(0, 10)}
---

[Dear …,]

[Why you write to them: the position, and where you have heard of it.]

[What you have done that they need.]

[Kind regards,]

${name === '' ? '[Your name]' : name}
`;
