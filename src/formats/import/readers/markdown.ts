import { changed, type Value } from '../source/value.ts';

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
