import { html } from 'hono/html';
import type { Contact } from '../../../../model/contact.ts';
import type { Grant, StoredToken } from '../../../../model/grant.ts';
import { pluralize } from '../../../../model/pluralize.ts';
import type { ReadEvent, Reader } from '../../../../model/reader.ts';
import { toVisible } from '../../../../model/visible-text.ts';
import { toBrowserName } from '../../format.ts';
import { type Html, type Site, statusMessage } from '../../page.ts';
import { unreachable } from '../erasure.ts';
import type { DeskPage } from '../router.ts';
import { timeElement, toExact, zoneNote } from '../time.ts';
import { grantsSection } from './grants-table.ts';
import type { Readers } from './ports.ts';
import { readingWords } from './readers-table.ts';
import { maxTokens, revokeForm } from './revoke-form.ts';
import { timeline } from './timeline.ts';

interface Shown {
  readonly site: Site;
  readonly readers: Readers;
  readonly reader: Reader;
  readonly tokens: readonly StoredToken[];
  /** Also those that have ended. */
  readonly grants: readonly Grant[];
  readonly reads: readonly ReadEvent[];
  readonly messages: readonly Contact[];
  /** What was done just now; null if nothing. */
  readonly done: string | null;
  /** A note that was not saved, and why. */
  readonly refused: { readonly note: string; readonly fault: string } | undefined;
  readonly formToken: Html;
  readonly now: Date;
}

/** The page of one reader. */
export function readerPage(page: Shown): DeskPage {
  const { site, readers, reader, messages, done, now } = page;
  const { address, firstSeenAt, lastSeenAt, erasedAt, client } = reader;
  const grants = validGrantsOf(page);
  return {
    title: address,
    section: 'Readers',
    body: html`<p class="small"><a href="${site.path('/desk/readers')}">Readers</a></p>
<div class="head">
<h1><bdi>${toVisible(address)}</bdi></h1>
${
  grants.some(({ isVerified }) => isVerified)
    ? html`<p class="small">verified: a client was connected with a code that was sent to it</p>`
    : html`<p class="attention small">not verified</p>`
}
</div>
${done === null ? '' : statusMessage('good', done)}
${erasedAt === null ? '' : html`<p class="notice">Record erased by the visitor on ${toExact(erasedAt)}.</p>`}
<dl class="facts">
<div><dt>First seen</dt><dd>${timeElement(firstSeenAt, now)}</dd></div>
<div><dt>Last seen</dt><dd>${timeElement(lastSeenAt, now)}</dd></div>
${
  readers.isRecorded
    ? html`<div><dt>With</dt><dd>${client === null ? html`<span class="soft">not known</span>` : toVisible(toBrowserName(client))}</dd></div>
<div><dt>Read</dt><dd>${readingWords(reader, readers)}</dd></div>`
    : html`<div><dt>Read</dt><dd class="soft">not recorded: READER_RECORD is off</dd></div>`
}
<div><dt>Messages</dt><dd>${messages.length === 0 ? html`<span class="soft">none</span>` : html`<a href="${site.path(`/desk/inbox?state=all&q=${encodeURIComponent(address)}`)}">${pluralize(messages.length, 'message')}</a>`}</dd></div>
</dl>
${noteForm(page)}
${grantsSection({ grants, action: `${pathOf(page)}/revoke`, address, formToken: page.formToken, now })}
${tokenSection(page)}
<h2>What happened</h2>
${timeline(page, site, now)}
${eraseForm(page)}
${zoneNote(now)}`,
  };
}

const pathOf = ({ site, readers, reader }: Shown): string =>
  site.path(`/desk/readers/${readers.idOf(reader.canonicalAddress)}`);

const validGrantsOf = ({ grants, now }: Shown): Grant[] => grants.filter(({ expiresAt }) => expiresAt > now);

function noteForm(page: Shown): Html {
  const { reader, refused, formToken } = page;
  return html`<form class="reader-note-form" id="note" method="post" action="${pathOf(page)}/note">
${formToken}
<label for="note-text">Your note</label>
${refused === undefined ? '' : html`<p class="bad small" id="note-fault">${refused.fault}</p>`}
<textarea id="note-text" name="note" rows="2" dir="auto"${refused === undefined ? html` maxlength="2000"` : html` aria-invalid="true" aria-describedby="note-fault"`}>
${refused?.note ?? reader.note}</textarea>
<button class="secondary">Save the note</button>
</form>`;
}

function tokenSection(page: Shown): Html {
  const { readers, reader, tokens, formToken, now } = page;
  const isValid = (token: StoredToken) => token.expiresAt > now && !readers.isRevoked(token);
  const { address } = reader;
  const count = tokens.filter(isValid).length;
  const clients = validGrantsOf(page).length;
  const action = `${pathOf(page)}/revoke`;
  // A client's token ends with its grant, under Clients.
  function stateOf(token: StoredToken): Html {
    if (!isValid(token)) return html`<span class="soft">${readers.isRevoked(token) ? 'revoked' : 'expired'}</span>`;
    if (token.grantId !== null) return html`<span class="soft">ends with the client</span>`;
    return revokeForm({ action, label: 'Revoke', address, count, clients: 0, formToken, jti: token.jti });
  }
  const revokeAll =
    count + clients > 1
      ? html`<p class="at-start">${revokeForm({ action, label: labelOf(count, clients), address, count, clients, formToken })}</p>`
      : html``;
  if (tokens.length === 0)
    return html`<h2>Tokens</h2><p class="empty">No token of this address is kept: the last one has expired.</p>${revokeAll}`;
  return html`<h2>Tokens</h2>
<table class="tokens">
<thead><tr><th scope="col">Issued</th><th scope="col">Expires</th><th scope="col">Token id</th><th scope="col"><span class="unseen">Revoke</span></th></tr></thead>
<tbody>
${tokens.map(
  (token) => html`<tr>
<td>${timeElement(token.issuedAt, now)}</td>
<td>${timeElement(token.expiresAt, now)}</td>
<td><code>${toVisible(token.jti)}</code>${token.clientName === null ? '' : html` <span class="soft small clipped">issued to <bdi>${toVisible(token.clientName)}</bdi></span>`}</td>
<td class="number">${stateOf(token)}</td>
</tr>`,
)}
</tbody>
</table>
${tokens.length < maxTokens ? '' : html`<p class="small">These are the ${maxTokens} issued last.</p>`}
<p class="soft small">The network addresses from which a token was used are not kept.</p>
${revokeAll}`;
}

function labelOf(count: number, clients: number): string {
  if (clients > 0) return 'Revoke all access';
  return count < maxTokens ? `Revoke all ${count}` : 'Revoke all';
}

function eraseForm(page: Shown): Html {
  const { reader, tokens, grants, messages, formToken } = page;
  const clients =
    grants.length === 0 ? '' : `${grants.length < maxTokens ? pluralize(grants.length, 'client') : 'all clients'}, `;
  const what = `${pluralize(messages.length, 'message')}, ${tokens.length < maxTokens ? pluralize(tokens.length, 'token') : 'all tokens'}, ${clients}your note and what was read`;
  return html`<details class="in-place at-start">
<summary class="danger">Erase everything of this visitor</summary>
<form method="post" action="${pathOf(page)}/erase">
${formToken}
<p>Erases all that is kept of <bdi>${toVisible(reader.address)}</bdi>: ${what}. The tokens${grants.length === 0 ? '' : ', and the access of clients,'} end. This cannot be undone. ${unreachable}</p>
<button class="danger">Erase for good</button>
</form>
</details>`;
}
