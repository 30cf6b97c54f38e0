import { Parser } from 'htmlparser2';
import { toMarkedText } from 'resume-profile/marked-text';
import { linkFaultOf, type Run, toRuns } from 'resume-profile/prose';
import { toSentences } from '../source/normalize.ts';
import { changed, exclude, omit, reduced, type Value } from '../source/value.ts';

/** Converts rich text to text with marks: HTML since version 4, Markdown before; people also paste Markdown into HTML. */
export const toText = (value: Value | undefined): Value | undefined => toMarks(withoutHtml(value));

/** Writes rich text as sentences, for a field that has no bullets. */
export function toProse(value: Value | undefined): Value | undefined {
  const text = toText(value);
  const items = toItems(text);
  if (!items.some(({ isBullet }) => isBullet)) return text;
  const sentences = items.map(({ item }) => item);
  return toSentences(sentences, 'its bullets joined');
}

// The parser searches the elements that are open at each tag, which takes quadratic time if none is closed.
const maxLength = 30_000;

/**
 * Converts HTML to text with marks: a line for each paragraph, a line with a bullet for each list item. Text without
 * markup is returned as it is. Undefined, with the reason noted, if no text remains or the markup exceeds 30,000
 * characters.
 */
export function withoutHtml(value: Value | undefined): Value | undefined {
  if (!value || !/<[/!a-z]|&#?\w+;/i.test(value.text)) return value;
  if (value.text.length > maxLength) return omit(value, 'It is rich text of more than 30,000 characters');
  const { text, urls } = parseHtml(value.text);
  if (!/\S/.test(text)) return exclude(value, 'It has no text');
  if (text === value.text) return value;
  const how = /<(script|style)\b/i.test(value.text) ? 'HTML removed, its scripts and styles with it' : 'HTML removed';
  const lost = urls.filter((url) => !text.includes(url));
  return withoutLinks(changed(value, how, text), lost);
}

/** Records addresses that a text no longer has. */
const withoutLinks = (value: Value, urls: readonly string[]): Value =>
  urls.length === 0 ? value : reduced(value, `its link to ${urls.join(' and ')} left out`);

const block = /^(p|div|br|hr|h[1-6]|blockquote|pre|section|article|table|tr)$/;
const list = /^(ul|ol)$/;
const hidden = /^(script|style)$/;
// biome-ignore format: a table
const marks: Readonly<Record<string, Omit<Run, 'text' | 'url'>>> = {
  b: { isStrong: true }, strong: { isStrong: true }, i: { isEmphasis: true }, em: { isEmphasis: true }, code: { isCode: true },
};

function parseHtml(html: string): { text: string; urls: string[] } {
  const urls: string[] = [];
  const runs: Run[] = [];
  const open: { name: string; marks: Omit<Run, 'text'> }[] = [];
  let listDepth = 0;
  let hiddenDepth = 0;
  const add = (text: string) => runs.push({ text });
  const breakLine = () => add(listDepth > 0 ? ' ' : '\n');
  const parser = new Parser({
    onopentag(name, { href = '' }) {
      const [url] = /^(?:https?:|mailto:)\S+/i.exec(href.trim()) ?? [];
      if (url) urls.push(url);
      if (url && linkFaultOf(url) === null) open.push({ name, marks: { url } });
      else if (marks[name]) open.push({ name, marks: marks[name] });
      if (list.test(name) && ++listDepth === 1) add('\n');
      if (hidden.test(name)) hiddenDepth++;
      if (name === 'li') add(listDepth > 1 ? nestedBullet : '\n• ');
      if (block.test(name)) breakLine();
    },
    ontext(part) {
      const text = part.replace(/[ \t\r\n\f]+/g, ' ').replace(/\p{Cc}/gu, '');
      if (hiddenDepth === 0) runs.push(Object.assign({ text }, ...open.map(({ marks }) => marks)));
    },
    onclosetag(name) {
      const opened = open.findLastIndex((each) => each.name === name);
      if (opened !== -1) open.splice(opened, 1);
      if (list.test(name) && --listDepth === 0) add('\n');
      if (hidden.test(name)) hiddenDepth--;
      if (block.test(name)) breakLine();
    },
  });
  // The parser would drop the text after a `<` that no `>` follows before the next `<`.
  parser.end(html.replace(/<(?!!--)(?=[a-z/!?][^<>]*(?:<|$))/gi, '&lt;'));
  return {
    text: linesOf(runs)
      .map(toMarkedLine)
      .join('\n')
      .replace(/ {2,}(?!- )/g, ' ')
      .replace(/\n(?: (?! - )|\n)*/g, '\n')
      .trim(),
    urls,
  };
}

const nestedBullet = '\n  - ';

/** Divides runs into lines. Their spaces have no marks, because a mark stands next to a letter. */
function linesOf(runs: readonly Run[]): Run[][] {
  const lines: Run[][] = [[]];
  for (const { text, ...marks } of runs)
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      const [, before = '', inner = '', after = ''] = /^( *)(.*?)( *)$/s.exec(line)!;
      lines.at(-1)!.push({ text: before }, { text: inner, ...marks }, { text: after });
    }
  return lines.map((line) => line.filter(({ text }) => text !== ''));
}

const textOf = (runs: readonly Run[]) => runs.map(({ text }) => text).join('');

/** Writes a line with its marks; with only its links if other marks would not be read; or without marks. */
function toMarkedLine(runs: readonly Run[]): string {
  const text = textOf(runs);
  const links = runs.map(({ text, url }): Run => ({ text, ...(url !== undefined && { url }) }));
  const notation = { text: (text: string) => text, address: (url: string) => url };
  const written = [runs, links].map((runs) => toMarkedText(runs, notation));
  return written.find((line) => textOf(toRuns(line)) === text) ?? text;
}

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
  const urls = linksIn(value).map(({ text }) => text);
  const lost = urls.filter((url) => !plain?.text.includes(url.replace(/^https?:\/\/|\/$/g, '')));
  return plain && withoutLinks(plain, lost);
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

/** Rewrites inline Markdown with the marks that a profile has, and records the addresses that are left out. */
export function toMarks(value: Value | undefined): Value | undefined {
  if (!value) return undefined;
  const text = unescaped(markedOf(value.text));
  const marked = text === value.text ? value : changed(value, 'Markdown rewritten', text);
  const urls = linksIn(value).map(({ text }) => text);
  const lost = urls.filter((url) => !text.includes(url));
  return withoutLinks(marked, lost);
}

const markedOf = (text: string): string =>
  text.replace(markup, (whole, ...found) => {
    const { plain, nested, mark = '*', url = plain } = found.at(-1) as Record<string, string | undefined>;
    if (whole.startsWith('\\')) return /[*`[]/.test(plain!) ? whole : plain!;
    if (whole.startsWith('`')) return whole;
    if (/^[!<[]/.test(whole)) {
      const label = nested ? markedOf(nested) : url!;
      return linkFaultOf(url!) === null ? `[${label}](${url})` : label;
    }
    const sign = mark === '~~' ? '' : '*'.repeat(mark.length);
    return `${sign}${markedOf(nested!)}${sign}`;
  });

/** Removes the backslashes before characters that would not be read as marks without them. */
function unescaped(text: string): string {
  const bare = text.replace(/\\([*`[])/g, '$1');
  const marksIn = (text: string) => JSON.stringify(toRuns(text).filter((run) => Object.keys(run).length > 1));
  return marksIn(bare) === marksIn(text) ? bare : text;
}

/** The change that `withoutMeaning` makes. */
export const escaped = 'a backslash put before its marks';

/** Escapes what would be read as marks in a text that was not written with them. */
export function withoutMeaning(value: Value | undefined): Value | undefined {
  if (!value || toRuns(value.text).every((run) => Object.keys(run).length === 1)) return value;
  return changed(value, escaped, value.text.replace(/[*`[]/g, '\\$&'));
}

const plainOf = (text: string): string =>
  text.replace(markup, (...found) => {
    const { plain, nested = '', url = '' } = found.at(-1) as Record<string, string | undefined>;
    return plain ?? (plainOf(nested) || url);
  });

const bullet = /^(?:[•●▪◦‣]\s*|[*–-](?:\s+|$))/;
// If a text is on one line, a bullet follows another bullet or the end of a sentence.
const beforeBullet = /(?<!\s)\s+(?=[•●▪◦‣]\s)/;
const afterSentence = /(?<=[.;:!?])\s+(?=[•●▪◦‣*–-]\s)/;

/**
 * Splits a text into lines and bullets. On one line, `A • B • C` is three bullets. Bullets that are indented below
 * another stay with it, each on a line of its own.
 */
export function toItems(value: Value | undefined): { item: Value; isBullet: boolean }[] {
  if (value === undefined) return [];
  const parts: { text: string; isBullet: boolean }[] = [];
  for (const line of value.text.split('\n')) {
    const [, nested] = /^(?: {2,}|\t)\s*[•●▪◦‣*–-]\s+(\S.*)$/.exec(line) ?? [];
    const last = parts.at(-1);
    if (nested !== undefined && last?.isBullet) last.text += `\n- ${nested.trim()}`;
    else parts.push(...partsOf(line.trim()));
  }
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
