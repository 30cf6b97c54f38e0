import { changed, leave, type Value } from '../source/value.ts';

const comment = '<!--[^]*?(?:-->|$)';
const unseen = String.raw`<(?<unseen>script|style)\b[^]*?(?:</\k<unseen>\s*>|$)`;
const element = `<(?<slash>/?)(?<name>[a-z][a-z0-9]*)(?![a-z0-9])(?<attributes>(?:"[^"<]*"|'[^'<]*'|[^<>"'])*)>`;
const token = new RegExp(`${comment}|${unseen}|${element}|(?<text><?[^<]*)`, 'gi');
const breaking = /^(p|div|br|hr|h[1-6]|blockquote|pre|section|article|table|tr)$/;
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml';
const others = 'amp& lt< gt> quot" apos\' ndash– mdash— hellip… bull• lsquo‘ rsquo’ ldquo“ rdquo” trade™ euro€';
const entities = new Map([
  ...latin1.split(' ').map((name, index) => [name, String.fromCodePoint(0xa0 + index)] as const),
  ...others.split(' ').map((entity) => [entity.slice(0, -1), entity.slice(-1)] as const),
]);

/**
 * Rich text as plain text, a line a paragraph or list item, the latter with a bullet; a plain text stays as it is.
 * Nothing of it is run or loaded. Undefined where no text is left.
 */
export function withoutHtml(value: Value | undefined): Value | undefined {
  if (!value || !/<[/!a-z]|&#?\w+;/i.test(value.text)) return value;
  const { text, urls } = withoutTags(value.text);
  if (!/\S/.test(text)) return leave(value, 'It holds no text');
  if (text === value.text) return value;
  const how = /<(script|style)\b/i.test(value.text) ? 'HTML removed, its scripts and styles with it' : 'HTML removed';
  const plain = changed(value, how, text);
  const lost = urls.filter((url) => !text.includes(url));
  return lost.length === 0 ? plain : changed(plain, `its link to ${lost.join(' and ')} left out`);
}

// Where a list within an item begins and goes on: the text itself is without control characters.
const lead = '\u0001';
const next = '\u0002';

function withoutTags(html: string): { text: string; urls: string[] } {
  const urls: string[] = [];
  let depth = 0;
  let nested = 0;
  const toBreak = (name: string, isEnd: boolean): string => {
    if (name === 'ul' || name === 'ol') {
      depth = Math.max(0, depth + (isEnd ? -1 : 1));
      return depth === (isEnd ? 0 : 1) ? '\n' : '';
    }
    if (name === 'li' && !isEnd) {
      if (depth > 1) return nested++ === 0 ? lead : next;
      nested = 0;
      return '\n• ';
    }
    if (!breaking.test(name)) return '';
    return depth > 0 ? ' ' : '\n';
  };
  const text = html.replace(token, (...found) => {
    const { text, slash, name, attributes } = found.at(-1) as Record<string, string | undefined>;
    if (text !== undefined) return toText(text);
    const [, url] = /\bhref\s?=\s?["']?((?:https?:|mailto:)[^\s"']+)/i.exec(attributes ?? '') ?? [];
    if (url) urls.push(toText(url));
    return name === undefined ? '' : toBreak(name.toLowerCase(), slash === '/');
  });
  return {
    text: withNested(text.replace(/ {2,}/g, ' '))
      .replace(/\n[ \n]*/g, '\n')
      .trim(),
    urls,
  };
}

/** A list within an item on the line of the item: `Papers: one; another`. */
const withNested = (text: string) =>
  text
    .replace(new RegExp(`(\\p{P}?) ?${lead} ?`, 'gu'), (_, punctuation: string) =>
      punctuation ? `${punctuation} ` : ': ',
    )
    .replace(new RegExp(` ?${next} ?`, 'g'), '; ');

const toText = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .replace(
      /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi,
      (whole, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return entities.get(name) ?? whole;
        const point = decimal ? Number(decimal) : Number.parseInt(hex!, 16);
        return point < 0x20 || point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point);
      },
    );
