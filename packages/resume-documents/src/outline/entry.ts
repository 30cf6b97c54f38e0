import type { Item, Line, List, Part } from './part.ts';

/** An entry in reading order: its head, paragraphs, a list, a line of further details, its roles. */
export interface Entry extends Pick<Part, 'place' | 'dates'> {
  /** Without the publisher if there are authors, beside whom it is set. */
  readonly names: readonly Item[];
  readonly authors: readonly Item[];
  readonly publisher: readonly Item[];
  /** The addresses of a work beside its authors. */
  readonly dois: readonly Item[];
  readonly paragraphs: readonly Item[];
  readonly bullets: List['bullets'];
  readonly tags: readonly string[];
  /** Addresses that no name links to, and the DOIs of a work without authors; the source of a project first. */
  readonly links: readonly Item[];
  readonly roles: readonly Part[];
}

/** Arranges the content of a part that has a head. */
export function toEntry({ names, place, dates, blocks }: Part): Entry {
  const itemsOf = (key: Line['key']) =>
    blocks.flatMap((block) => ('items' in block && block.key === key ? block.items : []));
  const bullets = blocks.flatMap((block) => ('bullets' in block ? block.bullets : []));
  const [score, authors] = [itemsOf('score'), itemsOf('authors')];
  const rankOf = ({ kind }: Item) => Number(kind !== 'github');
  const isBesideAuthors = ({ kind }: Item) => kind === 'doi' && authors.length > 0;
  return {
    names: authors.length > 0 ? names.slice(0, 1) : names,
    place,
    dates,
    authors,
    publisher: authors.length > 0 ? names.slice(1) : [],
    dois: itemsOf('links').filter(isBesideAuthors),
    // A score is a paragraph, or the first of the details if there are any.
    paragraphs: [...(bullets.length === 0 ? score : []), ...itemsOf('company'), ...itemsOf(undefined)],
    bullets: bullets.length === 0 ? [] : [...score.map(({ text }) => text), ...bullets],
    tags: itemsOf('tags').map(({ text }) => text),
    links: itemsOf('links')
      .filter((link) => !isBesideAuthors(link) && (link.kind === 'doi' || names.every(({ url }) => url !== link.url)))
      .toSorted((one, other) => rankOf(one) - rankOf(other)),
    roles: blocks.filter((block) => 'names' in block),
  };
}

/** Returns a URL without its scheme and `www.`, as it is printed. */
export const bareOf = (url: string): string => url.replace(/^https?:\/\/(www\.)?/, '').replace(/(?<!\/)\/+$/, '');

/** Returns the printed text of a link: its address, or its label if the address is too long to be read. */
export function readable({ text, url = text }: Item): string {
  const bare = bareOf(url);
  return text !== url && (bare.length > 45 || url.includes('%')) ? text : bare;
}

/** Returns the address by which a program writes to an e-mail address or calls a phone; undefined for other texts. */
export function contactUrlOf({ text, kind }: Pick<Item, 'text' | 'kind'>): string | undefined {
  if (kind === 'email') return `mailto:${text}`;
  return kind === 'phone' ? `tel:${text.replace(/[^+\d]/g, '')}` : undefined;
}
