import { html } from 'hono/html';
import { firstLineOf, type StoredContact } from '../../../../model/contact.ts';
import { toVisible } from '../../../../model/visible-text.ts';
import { type Html, type Site, statusMessage } from '../../page.ts';
import type { DeskPage } from '../router.ts';
import { timeElement } from '../time.ts';
import { filters, type ListQuery, pathOf } from './view.ts';

/** How many contact requests a page lists. */
export const pageSize = 200;

interface List {
  readonly query: ListQuery;
  /** Those of the page and, if there are older ones, one more. */
  readonly contacts: readonly StoredContact[];
  readonly unread: number;
  readonly now: Date;
  /** What was done just now. */
  readonly done: string | undefined;
}

/** The page that lists contact requests. */
export function listPage({ query, contacts, unread, now, done }: List, site: Site): DeskPage {
  const { filter, search } = query;
  return {
    title: 'Inbox',
    section: 'Inbox',
    body: html`<div class="head">
<h1>Inbox</h1>
<p class="soft small">${unread === 0 ? 'Nothing unread' : `${unread} unread`}</p>
</div>
${done === undefined ? '' : statusMessage('good', done)}
<div class="tools">
<nav class="filters" aria-label="Filter">${filters.map(
      (one) =>
        html`<a href="${site.path(pathOf({ filter: one, search, page: 1 }))}"${one === filter ? html` aria-current="true"` : ''}>${one.title}</a>`,
    )}</nav>
<form class="search" role="search" action="${site.path('/desk/inbox')}">
${filter === filters[0] ? '' : html`<input type="hidden" name="state" value="${filter.name}">`}
<label class="unseen" for="q">Name, company, address or text</label>
<input id="q" type="search" name="q" value="${search}" placeholder="Name, company, address or text" maxlength="200">
<button class="secondary">Search</button>
</form>
</div>
${contacts.length === 0 ? emptyList(query, site) : rows(contacts.slice(0, pageSize), now, site)}
${pageLinks(query, contacts.length > pageSize, site)}
${contacts.length === 0 ? '' : html`<p class="small"><a href="${site.path(pathOf({ ...query, page: 1 }, '/desk/inbox/export'))}" download>Export this list as JSON</a></p>`}`,
  };
}

const rows = (contacts: readonly StoredContact[], now: Date, site: Site): Html =>
  html`<ul class="rows messages">${contacts.map(
    ({ id, name, company, message, state, receivedAt }) => html`
<li class="row message-row${state === 'unread' ? ' unread' : ''}">
<span class="mark${state === 'unread' ? ' new' : ''}"></span>
<a class="who" href="${site.path(`/desk/inbox/${id}`)}">${state === 'unread' ? html`<span class="unseen">Unread: </span>` : ''}<bdi class="name">${toVisible(name)}</bdi>, <bdi>${toVisible(company)}</bdi></a>
<span class="first-line" dir="auto">${toVisible(firstLineOf(message, 100))}</span>
<span class="row-end soft small">${state === 'unread' || state === 'read' ? '' : `${state} · `}${timeElement(receivedAt, now)}</span>
</li>`,
  )}
</ul>`;

function emptyList(query: ListQuery, site: Site): Html {
  const { filter, search } = query;
  const all = filters.at(-1)!;
  if (search !== '')
    return html`<p class="empty">No message here has “${toVisible(search)}”. ${
      filter === all
        ? ''
        : html`<a href="${site.path(pathOf({ filter: all, search, page: 1 }))}">Search all messages</a>`
    }</p>`;
  if (filter === filters[0] || filter === all)
    return html`<p class="empty">No messages. When somebody writes to you, the message is here, and an e-mail tells you.</p>`;
  return html`<p class="empty">No ${filter.name} messages.</p>`;
}

function pageLinks(query: ListQuery, hasOlder: boolean, site: Site): Html {
  const { page } = query;
  if (page === 1 && !hasOlder) return html``;
  const link = (to: number, title: string) => html`<a href="${site.path(pathOf({ ...query, page: to }))}">${title}</a>`;
  return html`<nav class="actions" aria-label="Pages">${page > 1 ? link(page - 1, 'Newer') : ''}${hasOlder ? link(page + 1, 'Older') : ''}</nav>`;
}
