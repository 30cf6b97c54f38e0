import { toEmailAddress } from 'resume-profile/email-address';
import type { DraftLink } from '../../draft/draft.ts';
import type { Block } from '../../source/blocks.ts';
import { changed, exclude, type Value } from '../../source/value.ts';
import type { Texts } from './texts.ts';
import { isJobTitle, isLabel, isPlace, labelReason } from './wording.ts';

export interface Contacts {
  email?: Value;
  phone?: Value;
  location?: Value;
  /** The person's title, if it stands beside an address. */
  title?: Value;
  links: DraftLink[];
  /** The lines that are none of these. */
  others: Block[];
}

const email = /[^\s@<>|,;:()]+@[^\s@<>|,;:()]+\.[\p{L}]{2,}/u;
const phone = /^\+?[\d(][\d\s()./-]{5,20}\d$/;
const address = /^(?:https?:\/\/\S+|(?:www\.)?[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}(?:\/\S*)?)$/iu;
const separator = /\s+[|•·∙⋄◆–—]\s*|\s*[|•·∙⋄◆]\s+|\s{3,}|\s*;\s*/;
const prefix =
  /^(?:\(?(?:e-?mail|mail|phone|tel(?:efon|éfono|efone|éphone)?|mobile?|cell|handy|t|m|e|p|web(?:site)?|linkedin|github|twitter|address|adresse|location)\)?)(?:\s*:\s*|\.\s+)/iu;

/** Reads addresses, phone numbers, links and the place in lines; the rest of such a line is `others` of its own. */
export function toContacts(blocks: readonly Block[], texts: Texts): Contacts {
  const found: Contacts = { links: [], others: [] };
  for (const block of blocks) {
    const pieces = block.cells.flatMap(({ spans }) => piecesOf(spans));
    const hasContact = pieces.some((piece) => isContact(piece));
    const isPlaceAlone = pieces.length === 1 && isPlace(pieces[0]!.text) && !found.location;
    if (!hasContact && !isPlaceAlone && !pieces.every(({ text }) => isLabel(text))) {
      found.others.push(block);
      continue;
    }
    for (const piece of pieces) take(piece, block);
  }
  return found;

  function take({ text, url }: Piece, block: Block): void {
    const [label = ''] = prefix.exec(text) ?? [];
    const [, number, kind] = /^(\+?[\d(][\d\s()./-]{5,20}\d)\s*(\(\p{L}+\))$/u.exec(text) ?? [];
    if (number !== undefined && !found.phone) {
      found.phone = texts.valueOf(number, block);
      exclude(texts.valueOf(kind!, block), labelReason);
      return;
    }
    // A label may follow an address in parentheses.
    const last = found.links.at(-1);
    const [, name] = /^\((\p{L}[\p{L}\s]*)\)$/u.exec(text) ?? [];
    if (name !== undefined && last && !last.label) {
      found.links.splice(-1, 1, { ...last, label: texts.valueOf(name, block) });
      return;
    }
    if (label !== '') exclude(texts.valueOf(label.trim(), block), labelReason);
    const own = text.slice(label.length).trim();
    const value = texts.valueOf(own, block);
    const mail = email.exec(own)?.[0];
    const links = url !== undefined && /^https?:/.test(url);
    // Icons are letters in some fonts.
    if ((isLabel(own) || /^\p{sc=Latin}$/u.test(own)) && !links) exclude(value, labelReason);
    else if (mail !== undefined && mail === own && !found.email) found.email = value;
    else if (phone.test(own) && !found.phone) found.phone = value;
    else if (links) {
      const isShown = url.toLowerCase().includes(own.toLowerCase().replace(/^@|\/$/g, ''));
      const target = changed(value, `written as the address ${url}`, url);
      const same = found.links.find((link) => link.url?.text === url);
      if (!same) found.links.push(isShown ? { url: target } : { label: value, url: target });
      // An address may be divided between lines.
      else if (isShown) same.url = { text: url, parts: [...same.url!.parts, ...target.parts] };
    } else if (address.test(own)) found.links.push({ url: value });
    else if (isPlace(own) && !found.location) found.location = value;
    else if (isJobTitle(own) && !found.title) found.title = value;
    // The text is a leaf already; what else it is remains a note.
  }
}

interface Piece {
  readonly text: string;
  readonly url: string | undefined;
}

const isContact = ({ text, url }: Piece) => {
  const own = text
    .replace(prefix, '')
    .replace(/\s*\(\p{L}+\)$/u, '')
    .trim();
  return (
    (email.test(own) && toEmailAddress(email.exec(own)![0]) !== null) ||
    phone.test(own) ||
    address.test(own) ||
    (url !== undefined && own.length < 60)
  );
};

function piecesOf(spans: Block['cells'][number]['spans']): Piece[] {
  const joined: Piece[] = [];
  for (const { text, url } of spans) {
    const last = joined.at(-1);
    if (last && (last.url === url || !/[\p{L}\p{N}]/u.test(text)))
      joined.splice(-1, 1, { url: last.url, text: last.text + text });
    else joined.push({ text, url });
  }
  return joined.flatMap(({ text, url }) =>
    text
      .split(separator)
      .map((part) => part.replace(/^[\s|•·∙,–—-]+|[\s|•·∙,–—-]+$/g, '').replace(/\s+/g, ' '))
      .flatMap((part) => (/[\p{L}\p{N}]/u.test(part) ? { text: part, url } : [])),
  );
}
