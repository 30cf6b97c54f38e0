import { countCodePoints } from './text.ts';
import type { Path } from './yaml/yaml.ts';

/** Returns every string in a value with its path, in its order. */
export function textsOf(value: unknown, path: Path = []): { readonly path: Path; readonly text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsOf(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, [...path, key]));
}

const maxHeadingLength = 300;
export const maxWordLength = 1_000;

/** The fields that head an entry or stand on a line of their own, by their names. */
const headings =
  /^(name|title|section|location|company|role|institution|area|degree|issuer|publisher|awarder|organization|language|label|phone)$/;

/** The fields whose texts can have marks, by their names. */
const prose = /^(summary|accomplishments|highlights|details|text|bullet|reference)$/;

/** Whether the text at a path can have marks: `**strong**`, `*emphasis*`, `` `code` ``, links and bullets. */
export const isProse = (path: Path): boolean =>
  prose.test(String(path.findLast((step) => typeof step === 'string'))) && path.at(-2) !== 'links';

/** Returns why a text cannot be a heading, as a predicate; null if it can. White space around it is ignored. */
export function headingFaultOf(text: string): string | null {
  const line = text.trim();
  if (/[\n\v\f\r\u0085\u2028\u2029]/.test(line)) return 'must be on one line';
  const length = countCodePoints(line);
  return length > maxHeadingLength ? `has ${length} characters; at most ${maxHeadingLength} are allowed` : null;
}

// Scripts that put no space between words end a word, because a line can end there.
const betweenWords =
  /[\s\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]+/u;

/** Returns, as a predicate, that a word of a text is too long to be laid out; null if none is. */
export const wordFaultOf = (text: string): string | null =>
  text.split(betweenWords).some((word) => word.length > maxWordLength && countCodePoints(word) > maxWordLength)
    ? `has a word of more than ${maxWordLength} characters`
    : null;

/** Returns the fault of each text in a profile that is too long to be printed, with its path; PDF links are not. */
export const textFaultsOf = (profile: unknown): { path: (string | number)[]; message: string }[] =>
  textsOf(profile).flatMap(({ path, text }) => {
    const key = path.at(-1);
    const isHeading = headings.test(String(key)) || path.at(-2) === 'titles';
    const message = (isHeading ? headingFaultOf(text) : null) ?? (key === 'pdf_url' ? null : wordFaultOf(text));
    return message === null ? [] : [{ path: [...path], message }];
  });
