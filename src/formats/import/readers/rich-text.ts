import { Parser } from 'htmlparser2';
import { toSentences } from '../source/normalize.ts';
import { changed, exclude, omit, type Value } from '../source/value.ts';

/** Converts rich text to plain text: HTML since version 4, Markdown before; people also paste Markdown into HTML. */
export const toText = (value: Value | undefined): Value | undefined => toPlain(withoutHtml(value));

/** Writes rich text as sentences, for a field that has no bullets. */
export const toProseOf = (value: Value | undefined): Value | undefined => toProse(toText(value));

// The parser searches the elements that are open at each tag, which takes quadratic time if none is closed.
const maxLength = 30_000;

/**
 * Converts HTML to plain text: a line for each paragraph, a line with a bullet for each list item. Text without markup
 * is returned as it is. Undefined, with the reason noted, if no text remains or the markup exceeds 30,000 characters.
 */
export function withoutHtml(value: Value | undefined): Value | undefined {
  if (!value || !/<[/!a-z]|&#?\w+;/i.test(value.text)) return value;
  if (value.text.length > maxLength) return omit(value, 'It is rich text of more than 30,000 characters');
  const { text, urls } = parseHtml(value.text);
  if (!/\S/.test(text)) return exclude(value, 'It has no text');
  if (text === value.text) return value;
  const how = /<(script|style)\b/i.test(value.text) ? 'HTML removed, its scripts and styles with it' : 'HTML removed';
  const plain = changed(value, how, text);
  const lost = urls.filter((url) => !text.includes(url));
  return lost.length === 0 ? plain : changed(plain, `its link to ${lost.join(' and ')} left out`);
}

const block = /^(p|div|br|hr|h[1-6]|blockquote|pre|section|article|table|tr)$/;
const list = /^(ul|ol)$/;
const hidden = /^(script|style)$/;

// They stand for the beginning of a list within an item and for its further items; text has no control characters.
const nestedStart = '\u0001';
const nestedNext = '\u0002';

function parseHtml(html: string): { text: string; urls: string[] } {
  const urls: string[] = [];
  let text = '';
  let listDepth = 0;
  let hiddenDepth = 0;
  let nestedItems = 0;
  const addListItem = () => {
    if (listDepth > 1) text += nestedItems++ === 0 ? nestedStart : nestedNext;
    else {
      nestedItems = 0;
      text += '\n• ';
    }
  };
  const breakLine = () => {
    text += listDepth > 0 ? ' ' : '\n';
  };
  const parser = new Parser({
    onopentag(name, { href = '' }) {
      const [url] = /^(?:https?:|mailto:)\S+/i.exec(href.trim()) ?? [];
      if (url) urls.push(url);
      if (list.test(name) && ++listDepth === 1) text += '\n';
      if (hidden.test(name)) hiddenDepth++;
      if (name === 'li') addListItem();
      if (block.test(name)) breakLine();
    },
    ontext(part) {
      if (hiddenDepth === 0) text += part.replace(/[ \t\r\n\f]+/g, ' ').replace(/\p{Cc}/gu, '');
    },
    onclosetag(name) {
      if (list.test(name) && --listDepth === 0) text += '\n';
      if (hidden.test(name)) hiddenDepth--;
      if (block.test(name)) breakLine();
    },
  });
  parser.end(withoutUnclosedTags(html));
  return {
    text: joinNestedItems(text.replace(/ {2,}/g, ' '))
      .replace(/\n[ \n]*/g, '\n')
      .trim(),
    urls,
  };
}

/** Escapes each `<` that no `>` follows before the next `<`: the parser would drop the text after it. */
const withoutUnclosedTags = (html: string) => html.replace(/<(?!!--)(?=[a-z/!?][^<>]*(?:<|$))/gi, '&lt;');

/** Puts a list within an item on the line of the item: `Papers: one; another`. */
const joinNestedItems = (text: string) =>
  text
    .replace(new RegExp(`(\\p{P}?) ?${nestedStart} ?`, 'gu'), (_, punctuation: string) =>
      punctuation ? `${punctuation} ` : ': ',
    )
    .replace(new RegExp(` ?${nestedNext} ?`, 'g'), '; ');

const raw = String.raw;
const link = raw`(?<!\\)!?\[(?<nested>(?:[^[\]\\]|\\.|\[(?:[^[\]\\]|\\.)*\])*)\]\(\s?<?(?<url>(?:[^\s()<>]|\([^\s()<>]*\))*)>?(?:\s(?:"[^"]*"|'[^']*'))?\s?\)`;
const address = raw`<(?<plain>(?:https?:\/\/|mailto:)[^\s<>]+)>`;
const inline = [
  raw`\\(?<plain>[!-/:-@[-\x60{-~])`,
  raw`(?<!\x60)(?<fence>\x60{1,3})(?<plain>[^\x60]+)\k<fence>(?!\x60)`,
  link,
  address,
  // The length of spans is bounded so that a text full of lone asterisks takes linear time.
  raw`(?<mark>\*\*\*?|~~)(?=\S)(?<nested>.{1,300}?)(?<=\S)\k<mark>(?!\*)`,
  raw`\*(?=[^\s*])(?<nested>.{1,300}?)(?<=[^\s*])\*(?!\*)`,
  raw`(?<![\p{L}\p{N}_])(?<mark>_{1,3})(?=\S)(?<nested>.{1,300}?)(?<=\S)\k<mark>(?![\p{L}\p{N}_])`,
];
const markup = new RegExp(inline.join('|'), 'gsu');
const links = new RegExp(`${link}|${address}`, 'gsu');

/** Removes inline Markdown from a text, and records the addresses of links as left out. */
export function toPlain(value: Value | undefined): Value | undefined {
  const plain = withoutMarkdown(value);
  const lost = linksIn(value).filter(({ text }) => !plain?.text.includes(text.replace(/^https?:\/\/|\/$/g, '')));
  if (!plain || lost.length === 0) return plain;
  return changed(plain, `its link to ${lost.map(({ text }) => text).join(' and ')} left out`);
}

/** Removes inline Markdown from a text whose links are read with `linksIn`. */
export function withoutMarkdown(value: Value | undefined): Value | undefined {
  if (!value) return undefined;
  const text = plainOf(value.text);
  return text === value.text ? value : changed(value, 'Markdown removed', text);
}

/** The addresses of the links in a Markdown text. */
export const linksIn = (value: Value | undefined): Value[] =>
  [...(value?.text.matchAll(links) ?? [])].flatMap(({ groups }) => {
    const url = groups!.url ?? groups!.plain;
    return url ? [changed(value!, 'the address of its link used', url)] : [];
  });

const plainOf = (text: string): string =>
  text.replace(markup, (...found) => {
    const { plain, nested = '', url = '' } = found.at(-1) as Record<string, string | undefined>;
    return plain ?? (plainOf(nested) || url);
  });

const bullet = /^(?:[•●▪◦‣]\s*|[*–-](?:\s+|$))/;
// If a text is on one line, a bullet follows another bullet or the end of a sentence.
const beforeBullet = /(?<!\s)\s+(?=[•●▪◦‣]\s)/;
const afterSentence = /(?<=[.;:!?])\s+(?=[•●▪◦‣*–-]\s)/;

/** Splits a plain text into lines and bullets. On one line, `A • B • C` is three bullets. */
export function toItems(value: Value | undefined): { item: Value; isBullet: boolean }[] {
  if (value === undefined) return [];
  const parts = value.text.split('\n').flatMap((line) => partsOf(line.trim()));
  const how = parts.length > 1 ? `split into its ${parts.length} lines and bullets` : 'its bullet removed';
  return parts.map(({ text, isBullet }) => ({
    item: text === value.text ? value : changed(value, how, text),
    isBullet,
  }));
}

function partsOf(line: string): { text: string; isBullet: boolean }[] {
  const inline = line.split(beforeBullet);
  const parts = (inline.length > 2 || /^[•●▪◦‣]/.test(line) ? inline : line.split(afterSentence)).map((part) => {
    const text = part.replace(bullet, '');
    return { text, isBullet: text !== part };
  });
  // Only what ends like a sentence introduces the bullets after it.
  if (inline.length > 2 && !/[.:!?]$/.test(parts[0]!.text)) parts[0]!.isBullet = true;
  return parts.filter(({ text }) => text !== '');
}

/** Divides a plain text into its paragraphs and its bullets. Without bullets it is the summary as it is. */
export function toSummaryAndHighlights(text: Value | undefined): { summary: Value | undefined; highlights: Value[] } {
  const items = toItems(text);
  const highlights = items.flatMap(({ item, isBullet }) => (isBullet ? item : []));
  if (highlights.length === 0) return { summary: text, highlights };
  const paragraphs = items.flatMap(({ item, isBullet }) => (isBullet ? [] : item));
  return { summary: toSentences(paragraphs, 'joined with the other paragraphs'), highlights };
}

/** Divides several plain texts into one summary, joined as `how` says, and their bullets. */
export function toDescription(texts: readonly (Value | undefined)[], how: string) {
  const parts = texts.map(toSummaryAndHighlights);
  const summaries = parts.map(({ summary }) => summary);
  return { summary: toSentences(summaries, how), highlights: parts.flatMap(({ highlights }) => highlights) };
}

/** Writes the bullets of a plain text as sentences, for a field that has no bullets. */
function toProse(text: Value | undefined): Value | undefined {
  const items = toItems(text);
  if (!items.some(({ isBullet }) => isBullet)) return text;
  return toSentences(
    items.map(({ item }) => item),
    'its bullets joined',
  );
}
