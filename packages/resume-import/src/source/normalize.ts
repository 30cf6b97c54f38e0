import { toEmailAddress } from 'resume-profile/email-address';
import { Project, withScheme } from 'resume-profile/profile';
import { isVisible } from 'resume-profile/text';
import { headingFaultOf, maxWordLength, wordFaultOf } from 'resume-profile/texts';
import { toCoarseDate } from './dates.ts';
import { changed, joined, omit, type Value } from './value.ts';

/**
 * Normalizes the text of a single-line field and removes control characters; undefined if nothing remains, or if it has
 * a word that a profile cannot have.
 */
export const toLine = (value: Value | undefined): Value | undefined =>
  trimmed(step(plain(value), 'put on one line', toOneLine));

/** Normalizes the text of a field that may have several lines, in the same way. */
export const toParagraphs = (value: Value | undefined): Value | undefined => trimmed(plain(value));

/** Normalizes a name, a title or another line of its own; undefined if it is longer than a profile can have. */
export const toHeading = (value: Value | undefined): Value | undefined => ifPrintable(toLine(value), headingFaultOf);

/** Reads an http or https address, adds a missing `https://`, and resolves `doi:`; undefined if it is not one. */
export function toWebAddress(value: Value | undefined): Value | undefined {
  const line = toLine(value);
  if (line === undefined || isWebAddress(line.text)) return line;
  if (/^doi:\s*10\./i.test(line.text)) return toDoiAddress(line);
  const completed = withScheme(line.text);
  if (completed !== null && isWebAddress(completed)) return changed(line, 'https:// added', completed);
  return omit(line, 'It is not a web address');
}

/** Writes a DOI, with or without `doi:` or the address of its resolver, as an address. */
export function toDoiAddress(doi: Value): Value {
  const name = doi.text.replace(/^(doi:\s*|(https?:\/\/)?(dx\.)?doi\.org\/)/i, '');
  return changed(doi, `written as the address https://doi.org/${name}`, `https://doi.org/${name}`);
}

export function toEmail(value: Value | undefined): Value | undefined {
  const line = toLine(value);
  if (line === undefined) return undefined;
  const address = toEmailAddress(line.text);
  if (address === null) return omit(line, 'It is not an e-mail address');
  return address === line.text ? line : changed(line, `written as ${address}`, address);
}

/** Puts the text of a bullet on one line, and the bullets below it on a line each. */
export const toBullet = (value: Value | undefined): Value | undefined =>
  trimmed(
    step(plain(value), 'put on one line', (text) =>
      text
        .split(/\n(?=\s*- )/)
        .map(toOneLine)
        .join('\n'),
    ),
  );

/** Joins texts as sentences, and the bullets below each: `Papers: one; another`. */
export function toSentences(values: readonly (Value | undefined)[], how: string): Value | undefined {
  const texts = values.filter((value) => value !== undefined);
  if (texts.length < 2) return texts[0];
  const sentences = texts.map((value, index) => {
    const [lead = '', ...bullets] = value.text.split(/\n\s*- /);
    const colon = /\p{P}$/u.test(lead) ? '' : ':';
    const text = bullets.length === 0 ? value.text : `${lead}${colon} ${bullets.join('; ')}`;
    if (index === texts.length - 1) return { ...value, text };
    return { ...value, text: /[.!?…:;,]$/.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.` };
  });
  return joined(sentences, ' ', how);
}

/** Removes repeated texts; each keeps the leaves of its repetitions. */
export const distinct = (values: readonly Value[]): Value[] =>
  [...Map.groupBy(values, ({ text }) => text)].map(([text, same]) => ({
    text,
    parts: same.flatMap(({ parts }) => parts),
  }));

/** Trims line by line, because one regular expression over spaces and breaks would take quadratic time. */
const toOneLine = (text: string) =>
  /[\n\t]/.test(text)
    ? text
        .split(/[\n\t]/)
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join(' ')
    : text;

const isWebAddress = (text: string) =>
  text.length <= maxWordLength && Project.shape.links.shape.live.safeParse(text).success;

function plain(value: Value | undefined): Value | undefined {
  const unified = step(value, 'line breaks normalized', (text) => text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n'));
  return step(unified, 'control characters removed', (text) => text.toWellFormed().replace(/(?![\n\t])\p{Cc}/gu, ''));
}

const trimmed = (value: Value | undefined) => {
  const result = step(value, 'surrounding spaces removed', (text) => text.trim());
  if (result !== undefined && !isVisible(result.text)) return omit(result, 'It has no visible characters');
  return ifPrintable(result, wordFaultOf);
};

function ifPrintable(value: Value | undefined, faultOf: typeof wordFaultOf): Value | undefined {
  const fault = value && faultOf(value.text);
  return value && fault ? omit(value, `It ${fault}`) : value;
}

function step(value: Value | undefined, how: string, edit: (text: string) => string): Value | undefined {
  if (value === undefined) return undefined;
  const text = edit(value.text);
  return text === value.text ? value : changed(value, how, text);
}

/** The function that normalizes the text of a field, unless it is a heading. */
// biome-ignore format: a table
const normalizers: Readonly<Record<string, typeof toLine>> = {
  about: toParagraphs, reference: toParagraphs, summary: toParagraphs, text: toParagraphs,
  details: toLine, fluency: toLine, level: toLine, score: toLine,
  bullet: toBullet, date: toCoarseDate, url: toWebAddress,
};

/** Normalizes the texts of an entry, and of its lists, each of them without repetitions. */
export function normalized<Fields extends object>(fields: Fields): Fields {
  const members = Object.entries(fields).map(([name, field]: [string, Value | readonly Value[] | undefined]) => {
    if (field === undefined) return [name, undefined];
    if ('parts' in field) return [name, (normalizers[name] ?? toHeading)(field)];
    return [name, toLines(field, /^(details|highlights)$/.test(name) ? toBullet : toLine)];
  });
  return Object.fromEntries(members);
}

export const toLines = (values: readonly Value[] | undefined, normalize = toLine): Value[] =>
  distinct((values ?? []).flatMap((value) => normalize(value) ?? []));
