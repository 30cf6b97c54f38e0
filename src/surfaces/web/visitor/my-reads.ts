import { html } from 'hono/html';
import { pluralize } from '../../../model/pluralize.ts';
import { toVisible } from '../../../model/visible-text.ts';
import { operations } from '../../../operations/index.ts';
import { formatDuration, formatInstant, toBrowserName } from '../format.ts';
import { type Html, type Page, type Site, statusMessage } from '../page.ts';
import type { Calls } from './calls.ts';
import { footer } from './profile-page.ts';

interface Options {
  readonly record: Awaited<ReturnType<Calls['readsOf']>>;
  /** The candidate, who sees the same. */
  readonly name: string;
  /** The hidden fields that each form needs. */
  readonly hidden: Html;
}

const titles: ReadonlyMap<string, string> = new Map(operations.map(({ name, title }) => [name, title]));

/** The page that shows a visitor what their token did, and erases it. */
export function myReadsPage({ record, name, hidden }: Options, site: Site): Page {
  const { total, reads, erased_at: erasedAt, kept_seconds: keptSeconds, is_recorded: isRecorded } = record;
  const who = toVisible(name || 'The candidate');
  return {
    title: 'What your token did',
    layout: 'visitor',
    body: html`<main id="main" class="column reads">
<h1>What your token did</h1>
${
  isRecorded
    ? html`<p>${who} sees this list. Each line is kept for ${formatDuration(keptSeconds)}. It is about this token alone, not about
others for the same address.</p>`
    : html`<p>What visitors read is not recorded here.</p>`
}
${erasedAt === null ? '' : statusMessage('good', `The record was erased on ${formatInstant(new Date(erasedAt))} UTC. ${who} sees that, and when.`)}
${reads.length === 0 ? (isRecorded ? html`<p class="soft">Nothing has been recorded ${erasedAt === null ? 'yet. A read appears here a second or two later' : 'since'}.</p>` : '') : list(record)}
${total > reads.length ? html`<p class="soft small">And ${total - reads.length} more before.</p>` : ''}
${
  total === 0
    ? ''
    : html`<details><summary>Erase it</summary>
<form method="post" action="${site.path('/profile/record/erase')}">${hidden}
<p class="small soft">This ends ${total === 1 ? 'the record of one read' : `the record of ${pluralize(total, 'read')}`} for good. ${who} then sees that you erased it, and when. Your token and your
messages stay.</p>
<button class="danger">Erase the record</button></form></details>`
}
<form method="post" action="${site.path('/profile')}">${hidden}<button class="secondary">Back to the profile</button></form>
<p class="small"><a href="${site.path('/privacy')}">What else is kept of you</a></p>
</main>
${footer(site)}`,
  };
}

const list = ({ reads }: Options['record']): Html => html`<table class="small">
<thead><tr><th scope="col">When (UTC)</th><th scope="col">What</th><th scope="col">With</th></tr></thead>
<tbody>
${reads.map(
  ({
    operation,
    item,
    client,
    read_at: readAt,
  }) => html`<tr><td><time datetime="${readAt}">${formatInstant(new Date(readAt))}</time></td>
<td>${titles.get(operation) ?? operation}${item === null ? '' : html` <span class="soft">${toVisible(item)}</span>`}</td>
<td class="client">${client === null ? html`<span class="soft">unnamed</span>` : toVisible(toBrowserName(client))}</td></tr>`,
)}
</tbody></table>`;
