import { html } from 'hono/html';
import { toVisible } from 'resume-profile/text';
import type { z } from 'zod';
import { type ContactState, excerptOf, type StoredContact } from '../../../model/contact.ts';
import { readVisitor } from '../../../model/visitor.ts';
import { exportContacts, listInbox, openContact, setContactState } from '../../../operations/owner/contacts.ts';
import { countPending } from '../../../operations/owner/desk.ts';
import { eraseContact, eraseVisitor } from '../../../operations/owner/visitors.ts';
import { type Html, type Site, statusMessage } from '../page.ts';
import { downloadOf } from './download.ts';
import { head } from './elements.ts';
import { addScrubTo, erased } from './erasure.ts';
import { addReplyTo, messagePage, type UnsentReply } from './message.ts';
import type { Desk, DeskRequest, DeskRouter } from './router.ts';
import type { Times } from './time.ts';

/** The messages after an action, by the query parameter `done`. */
const notices: ReadonlyMap<string, string> = new Map([
  ['erased', erased],
  ['unread', 'Marked as unread.'],
  ['archived', 'Archived. You find it under Archived.'],
  ['spam', 'Marked as spam. You find it under Spam.'],
]);

const exportedColumns = ['id', 'received_at', 'name', 'email', 'company', 'message', 'subject', 'state'] as const;

export function addInboxTo(desk: DeskRouter, services: Desk): void {
  const { site, run } = services;
  const afterErasing = addScrubTo(desk, { site, section: 'Inbox', path: '/desk/inbox', run });

  desk.page('/desk/inbox', async (request) => {
    const list = readListQuery(request.query);
    const part = { offset: (list.page - 1) * pageSize, limit: pageSize + 1 };
    const contacts = await run(listInbox, { ...viewOf(list), ...part });
    const { unread } = await run(countPending, {});
    const body = listBody(request, list, contacts, unread);
    return { title: 'Inbox', section: 'Inbox', body };
  });

  for (const format of ['json', 'csv'] as const) {
    const ending = format === 'json' ? '' : '.csv';
    const exported = async (which: z.input<typeof exportContacts.input>) =>
      downloadOf({ format, name: 'contact-requests', columns: exportedColumns }, await run(exportContacts, which));
    desk.page(`/desk/inbox/export${ending}`, ({ query }) => exported({ view: viewOf(readListQuery(query)) }));
    desk.page(`/desk/inbox/:id/export${ending}`, ({ params }) => exported({ id: params.id! }));
  }

  const show = async (request: DeskRequest, unsent?: UnsentReply) => {
    const { params, isOpened } = request;
    const opened = await run(openContact, { id: params.id!, is_seen: isOpened });
    return messagePage({ ...request, ...opened, path: site.path(`/desk/inbox/${params.id}`), unsent });
  };
  desk.page('/desk/inbox/:id', (request) => show(request));
  addReplyTo(desk, services, show);

  desk.action('/desk/inbox/:id/state', async ({ params, fields }) => {
    const state = await run(setContactState, { id: params.id!, state: fields.get('state') ?? '' });
    return state === 'replied' ? `/desk/inbox/${params.id}` : `/desk/inbox?done=${state}`;
  });

  desk.action('/desk/inbox/:id/erase', async ({ params, fields, formToken }) => {
    const id = params.id!;
    const what = fields.get('what') ?? '';
    const { left } = await (what === 'message'
      ? run(eraseContact, { id })
      : run(eraseVisitor, { contact: id, visitor: readVisitor(what) }));
    return afterErasing(left, formToken);
  });
}

/** The filters of the list by the query parameter `state`, the default first. */
const filters: readonly { readonly name: string; readonly title: string; readonly states: ContactState[] }[] = [
  { name: 'inbox', title: 'Inbox', states: ['unread', 'read', 'replied'] },
  { name: 'unread', title: 'Unread', states: ['unread'] },
  { name: 'read', title: 'Read', states: ['read'] },
  { name: 'replied', title: 'Replied', states: ['replied'] },
  { name: 'archived', title: 'Archived', states: ['archived'] },
  { name: 'spam', title: 'Spam', states: ['spam'] },
  { name: 'all', title: 'All', states: ['unread', 'read', 'replied', 'archived', 'spam'] },
];

interface ListQuery {
  readonly filter: (typeof filters)[number];
  readonly search: string;
  /** The number of the page; page 1 has the latest. */
  readonly page: number;
}

const maxSearchLength = 200;
const maxPage = 10_000;

/** Reads the query parameters `state`, `q` and `page`; invalid values count as absent. */
function readListQuery(query: URLSearchParams): ListQuery {
  const page = /^[1-9]\d{0,4}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;
  return {
    filter: filters.find(({ name }) => name === query.get('state')) ?? filters[0]!,
    search: (query.get('q') ?? '').trim().slice(0, maxSearchLength).toWellFormed(),
    page: Math.min(page, maxPage),
  };
}

const viewOf = ({ filter: { states }, search }: ListQuery) => ({ states, search });

/** Returns the address of a list, or of another path with the same parameters. */
function pathOf({ filter, search, page }: ListQuery, path = '/desk/inbox'): string {
  const query = new URLSearchParams();
  if (filter !== filters[0]) query.set('state', filter.name);
  if (search !== '') query.set('q', search);
  if (page > 1) query.set('page', String(page));
  return query.size === 0 ? path : `${path}?${query}`;
}

const pageSize = 200;

/** The list of the contact requests of a page and, if there are older ones, one more. */
function listBody(
  { site, query, times }: DeskRequest,
  list: ListQuery,
  contacts: readonly StoredContact[],
  unread: number,
): Html {
  const { filter, search } = list;
  const done = notices.get(query.get('done') ?? '');
  const exportLink = (ending: '' | '.csv', words: string) =>
    html`<a href="${site.path(pathOf({ ...list, page: 1 }, `/desk/inbox/export${ending}`))}" download>${words}</a>`;
  return html`${head('Inbox', unread === 0 ? 'Nothing unread' : `${unread} unread`)}
${done === undefined ? '' : statusMessage('good', done)}
<div class="tools spread no-print">
<nav class="tabs" aria-label="Filter">${filters.map(
    (one) =>
      html`<a href="${site.path(pathOf({ filter: one, search, page: 1 }))}"${one === filter ? html` aria-current="true"` : ''}>${one.title}</a>`,
  )}</nav>
<form class="search compact" role="search" action="${site.path('/desk/inbox')}">
${filter === filters[0] ? '' : html`<input type="hidden" name="state" value="${filter.name}">`}
<label class="unseen" for="q">Name, company, address or text</label>
<input id="q" type="search" name="q" value="${search}" placeholder="Name, company, address or text" maxlength="200">
<button class="secondary">Search</button>
</form>
</div>
${contacts.length === 0 ? emptyList(list, site) : rows(contacts.slice(0, pageSize), times, site)}
${pageLinks(list, contacts.length > pageSize, site)}
${contacts.length === 0 ? '' : html`<p class="small actions">Export this list: ${exportLink('.csv', 'CSV')} ${exportLink('', 'JSON')}</p>`}`;
}

const rows = (contacts: readonly StoredContact[], { timeElement }: Times, site: Site): Html =>
  html`<ul class="rows messages">${contacts.map(
    ({ id, name, company, message, state, receivedAt }) => html`
<li class="row${state === 'unread' ? ' unread' : ''}">
<span class="mark${state === 'unread' ? ' new' : ''}"></span>
<a class="who" href="${site.path(`/desk/inbox/${id}`)}">${state === 'unread' ? html`<span class="unseen">Unread: </span>` : ''}<bdi class="name">${toVisible(name)}</bdi>, <bdi>${toVisible(company)}</bdi></a>
<span class="excerpt" dir="auto">${toVisible(excerptOf(message, 100))}</span>
<span class="row-end soft small">${state === 'unread' || state === 'read' ? '' : `${state} · `}${timeElement(receivedAt)}</span>
</li>`,
  )}
</ul>`;

function emptyList({ filter, search }: ListQuery, site: Site): Html {
  const all = filters.at(-1)!;
  const searchAll = site.path(pathOf({ filter: all, search, page: 1 }));
  if (search !== '')
    return html`<p class="empty">No message here has “${toVisible(search)}”. ${filter === all ? '' : html`<a href="${searchAll}">Search all messages</a>`}</p>`;
  if (filter === filters[0] || filter === all)
    return html`<p class="empty">No messages. When somebody writes to you, the message is here, and an e-mail tells you.</p>`;
  return html`<p class="empty">No ${filter.name} messages.</p>`;
}

function pageLinks(list: ListQuery, hasOlder: boolean, site: Site): Html | '' {
  const { page } = list;
  if (page === 1 && !hasOlder) return '';
  const link = (to: number, title: string) => html`<a href="${site.path(pathOf({ ...list, page: to }))}">${title}</a>`;
  return html`<nav class="actions" aria-label="Pages">${page > 1 ? link(page - 1, 'Newer') : ''}${hasOlder ? link(page + 1, 'Older') : ''}</nav>`;
}
