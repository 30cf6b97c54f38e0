import { toEmailAddress } from '../../../model/email-address.ts';
import { Project } from '../../../model/profile.ts';
import { changed, joined, leave, type Value } from './value.ts';

/** A text for a field of one line, without what cannot be printed; undefined where nothing is left of it. */
export const toLine = (value: Value | undefined): Value | undefined =>
  trimmed(step(plain(value), 'put on one line', toOneLine));

/** The same for a field that may have several lines. */
export const toParagraphs = (value: Value | undefined): Value | undefined => trimmed(plain(value));

/** An http or https address, `https://` put before one that lacks it. */
export function toWebAddress(value: Value | undefined): Value | undefined {
  const line = toLine(value);
  if (line === undefined || isWebAddress(line.text)) return line;
  const completed = `https://${line.text.replace(/^\/\//, '')}`;
  if (/^(\/\/)?(?=[^\s:/?#@]+?\.[^\s:/?#@]{2})[^\s:/?#@]+(:\d+)?([/?#]|$)/.test(line.text) && isWebAddress(completed))
    return changed(line, 'https:// put before it', completed);
  return leave(line, 'It is not a web address');
}

export function toEmail(value: Value | undefined): Value | undefined {
  const line = toLine(value);
  if (line === undefined) return undefined;
  const address = toEmailAddress(line.text);
  if (address === null) return leave(line, 'It is not an e-mail address');
  return address === line.text ? line : changed(line, `written as ${address}`, address);
}

/** Texts as sentences one after the other. */
export const toSentences = (values: readonly Value[], how: string): Value | undefined =>
  joined(
    values.map((value, index) =>
      index === values.length - 1 || /[.!?…:;,]$/.test(value.text) ? value : { ...value, text: `${value.text}.` },
    ),
    ' ',
    how,
  );

/** Each text once, with the leaves of all that say it. */
export function distinct(values: readonly Value[]): Value[] {
  const groups = Map.groupBy(values, ({ text }) => text);
  return [...groups].map(([text, same]) => ({
    text,
    parts: same.flatMap(({ parts }) => parts),
  }));
}

/** Line by line, because one expression over blanks and breaks takes quadratic time. */
const toOneLine = (text: string) =>
  /[\n\t]/.test(text)
    ? text
        .split(/[\n\t]/)
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join(' ')
    : text;

const isWebAddress = (text: string) => text.length <= 2048 && Project.shape.links.shape.live.safeParse(text).success;

function plain(value: Value | undefined): Value | undefined {
  const unified = step(value, 'line ends unified', (text) => text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n'));
  return step(unified, 'control characters removed', (text) => text.toWellFormed().replace(/(?![\n\t])\p{Cc}/gu, ''));
}

const trimmed = (value: Value | undefined) => {
  const result = step(value, 'surrounding blanks removed', (text) => text.trim());
  return result?.text === '' ? leave(result, 'Nothing of it can be shown') : result;
};

function step(value: Value | undefined, how: string, edit: (text: string) => string): Value | undefined {
  if (value === undefined) return undefined;
  const text = edit(value.text);
  return text === value.text ? value : changed(value, how, text);
}
