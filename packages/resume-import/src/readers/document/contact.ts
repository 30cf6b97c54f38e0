import { toEmailAddress } from 'resume-profile/email-address';
import type { Draft, DraftLink } from '../../draft/draft.ts';
import type { Block } from '../../source/blocks.ts';
import { changed, exclude } from '../../source/value.ts';
import { joinSpans, readText } from './entries.ts';
import { isJobTitle, isLabel, isPlace, labelReason } from './wording.ts';

const email = /[^\s@<>|,;:()]+@[^\s@<>|,;:()]+\.[\p{L}]{2,}/u;
const phone = /^\+?[\d(][\d\s()./-]{5,20}\d$/;
const address = /^(?:https?:\/\/\S+|(?:www\.)?[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}(?:\/\S*)?)$/iu;
/** The town and state of an address in the United States, whose street readers need not know. */
const town = /(?:^|, )(\p{Lu}[\p{L}.’' -]{1,40}, \p{Lu}{2}),? \d{5}(?:-\d{4})?$/u;
const separator = /\s+[|•·∙⋄◆–—]\s*|\s*[|•·∙⋄◆]\s+|\s{3,}|\s*;\s*/;
const prefix =
  /^(?:\(?(?:e-?mail|mail|phone|tel(?:efon|éfono|efone|éphone)?|mobile?|cell|handy|t|m|e|p|web(?:site)?|linkedin|github|twitter|address|adresse|location)\)?)(?:\s*:\s*|\.\s+)/iu;

/** Reads addresses, phone numbers, links, the place and a title beside them; `others` are lines with none of these. */
export function toContacts(blocks: readonly Block[]) {
  const contacts: Pick<Draft, 'email' | 'phone' | 'location' | 'title'> & { links: DraftLink[]; others: Block[] } = {
    links: [],
    others: [],
  };
  for (const block of blocks) {
    const pieces = block.cells.flatMap(({ spans }) => piecesOf(spans));
    const hasContact = pieces.some((piece) => isContact(piece));
    const isPlaceAlone = pieces.length === 1 && isPlace(pieces[0]!.text) && !contacts.location;
    if (!hasContact && !isPlaceAlone && !pieces.every(({ text }) => isLabel(text))) {
      contacts.others.push(block);
      continue;
    }
    for (const piece of pieces) take(piece, block);
  }
  return contacts;

  function take({ text, url }: Piece, block: Block): void {
    const [label = ''] = prefix.exec(text) ?? [];
    const [, number, kind] = /^(\+?[\d(][\d\s()./-]{5,20}\d)\s*(\(\p{L}+\))$/u.exec(text) ?? [];
    if (number !== undefined && !contacts.phone) {
      contacts.phone = readText(block, number);
      exclude(readText(block, kind!), labelReason);
      return;
    }
    // A label may follow an address in parentheses.
    const last = contacts.links.at(-1);
    const [, name] = /^\((\p{L}[\p{L}\s]*)\)$/u.exec(text) ?? [];
    if (name !== undefined && last && !last.label) {
      contacts.links.splice(-1, 1, { ...last, label: readText(block, name) });
      return;
    }
    if (label !== '') exclude(readText(block, label.trim()), labelReason);
    const own = text.slice(label.length).trim();
    const value = readText(block, own);
    const mail = email.exec(own)?.[0];
    const links = url !== undefined && /^https?:/.test(url);
    // Icons are letters in some fonts.
    if ((isLabel(own) || /^\p{sc=Latin}$/u.test(own)) && !links) exclude(value, labelReason);
    else if (mail !== undefined && mail === own && !contacts.email) contacts.email = value;
    else if (phone.test(own) && !contacts.phone) contacts.phone = value;
    else if (links) {
      const isShown = url.toLowerCase().includes(own.toLowerCase().replace(/^@|\/$/g, ''));
      const target = changed(value, `written as the address ${url}`, url);
      const same = contacts.links.find((link) => link.url?.text === url);
      if (!same) contacts.links.push(isShown ? { url: target } : { label: value, url: target });
      // An address may be divided between lines.
      else if (isShown) same.url = { text: url, parts: [...same.url!.parts, ...target.parts] };
    } else if (address.test(own)) contacts.links.push({ url: value });
    else if (isPlace(own) && !contacts.location) contacts.location = value;
    else if (town.test(own) && !contacts.location)
      contacts.location = changed(value, 'without the street and the postal code', town.exec(own)![1]!);
    else if (isJobTitle(own) && !contacts.title) contacts.title = value;
    // The text is a leaf already, and so remains a note.
  }
}

type Piece = { readonly text: string; readonly url: string | undefined };

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

const piecesOf = (spans: Block['cells'][number]['spans']): Piece[] =>
  joinSpans(spans, (first, { text, url }) => first.url === url || !/[\p{L}\p{N}]/u.test(text)).flatMap(
    ({ text, url }) =>
      text
        .split(separator)
        .map((part) => part.replace(/^[\s|•·∙,–—-]+|[\s|•·∙,–—-]+$/g, '').replace(/\s+/g, ' '))
        .flatMap((part) => (/[\p{L}\p{N}]/u.test(part) ? { text: part, url } : [])),
  );
