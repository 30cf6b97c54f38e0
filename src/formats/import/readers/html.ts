import { Parser } from 'htmlparser2';
import { changed, exclude, omit, type Value } from '../source/value.ts';

// The parser searches the elements that are open at each tag, which takes quadratic time if none is closed.
const maxLength = 30_000;

/**
 * Makes plain text of rich text: a line for each paragraph, a line with a bullet for each list item. Text without markup is
 * returned as it is. Undefined, with the reason noted, if no text remains or the markup is longer than 30,000 characters.
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
