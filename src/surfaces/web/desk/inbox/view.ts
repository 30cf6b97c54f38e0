import type { ContactState, InboxView } from '../../../../model/contact.ts';

interface Filter {
  /** The query parameter `state`; the first filter needs none. */
  readonly name: string;
  readonly title: string;
  readonly states: readonly ContactState[];
}

/** What the list may be reduced to, the default first. */
export const filters: readonly Filter[] = [
  { name: 'inbox', title: 'Inbox', states: ['unread', 'read', 'replied'] },
  { name: 'unread', title: 'Unread', states: ['unread'] },
  { name: 'read', title: 'Read', states: ['read'] },
  { name: 'replied', title: 'Replied', states: ['replied'] },
  { name: 'archived', title: 'Archived', states: ['archived'] },
  { name: 'spam', title: 'Spam', states: ['spam'] },
  { name: 'all', title: 'All', states: ['unread', 'read', 'replied', 'archived', 'spam'] },
];

/** What a list shows, as its address says. */
export interface ListQuery {
  readonly filter: Filter;
  readonly search: string;
  /** From 1, the page of the latest. */
  readonly page: number;
}

const maxSearchLength = 200;
const maxPage = 10_000;

/** Reads the query parameters `state`, `q` and `page`; what has no meaning counts as absent. */
export function readListQuery(query: URLSearchParams): ListQuery {
  const page = /^[1-9]\d{0,4}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;
  return {
    filter: filters.find(({ name }) => name === query.get('state')) ?? filters[0]!,
    search: (query.get('q') ?? '').trim().slice(0, maxSearchLength).toWellFormed(),
    page: Math.min(page, maxPage),
  };
}

export const viewOf = ({ filter: { states }, search }: ListQuery): InboxView => ({ states, search });

/** Returns the address of a list, or of another path with the same parameters. */
export function pathOf({ filter, search, page }: ListQuery, path = '/desk/inbox'): string {
  const query = new URLSearchParams();
  if (filter !== filters[0]) query.set('state', filter.name);
  if (search !== '') query.set('q', search);
  if (page > 1) query.set('page', String(page));
  return query.size === 0 ? path : `${path}?${query}`;
}
