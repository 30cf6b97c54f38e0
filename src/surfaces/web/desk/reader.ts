import { html } from 'hono/html';
import { pluralize, toVisible } from 'resume-profile/text';
import { publicView, wholeView } from 'resume-profile/view-fields';
import { Failure } from '../../../model/failure.ts';
import { type Grant, hasDocument, type StoredGrant } from '../../../model/oauth.ts';
import type { Scope } from '../../../model/token.ts';
import { toVisitorText, type Visitor } from '../../../model/visitor.ts';
import type { OutputOf } from '../../../operations/owner/operation.ts';
import { getReader, maxTokens, noteReader } from '../../../operations/owner/readers.ts';
import { revoke, setView } from '../../../operations/owner/tokens.ts';
import { eraseVisitor } from '../../../operations/owner/visitors.ts';
import { hidden } from '../form.ts';
import { targetOf } from '../oauth/pages.ts';
import { type Html, inDetails, statusMessage } from '../page.ts';
import { askInPlace } from './elements.ts';
import { addScrubTo, unreachable } from './erasure.ts';
import { inPeriod, readPeriod } from './period.ts';
import { actsIn, clientNamesOf, timeline, visitorName, visitorWords } from './reading.ts';
import type { Desk, DeskForm, DeskPage, DeskRequest, DeskRouter } from './router.ts';

interface ReaderPage extends DeskRequest, OutputOf<typeof getReader> {
  readonly path: string;
  /** A note that was not saved, and why. */
  readonly refused: { readonly note: string; readonly fault: string } | undefined;
}

type Token = OutputOf<typeof getReader>['tokens'][number];

export function addReaderTo(desk: DeskRouter, { site, run }: Desk): void {
  const afterErasing = addScrubTo(desk, { site, section: 'Readers', path: '/desk/readers', run });

  async function show(request: DeskRequest, refused?: ReaderPage['refused']) {
    const id = request.params.id!;
    const details = await run(getReader, { id });
    return readerPage({ ...request, ...details, path: site.path(`/desk/readers/${id}`), refused });
  }

  desk.page('/desk/readers/:id', (request) => show(request));

  const targetIn = ({ params, fields }: DeskForm) => ({
    reader: params.id!,
    jti: fields.get('jti') ?? undefined,
    grant: fields.get('grant') ?? undefined,
  });
  desk.action('/desk/readers/:id/revoke', async (form) => {
    const { tokens, grants } = await run(revoke, targetIn(form));
    return `/desk/readers/${form.params.id}?ended=${tokens}${grants === 0 ? '' : `&clients=${grants}`}`;
  });

  desk.action('/desk/readers/:id/view', async (form) => {
    await run(setView, { ...targetIn(form), view: form.fields.get('view') ?? '' });
    return `/desk/readers/${form.params.id}?done=view`;
  });

  desk.action('/desk/readers/:id/note', async (form) => {
    const note = (form.fields.get('note') ?? '').replaceAll('\r\n', '\n').trim();
    try {
      await run(noteReader, { id: form.params.id!, note });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'BAD_REQUEST') throw error;
      return { ...(await show(form, { note, fault: `The ${error.message}` })), status: 400 };
    }
    return `/desk/readers/${form.params.id}?done=noted#note`;
  });

  desk.action('/desk/readers/:id/erase', async ({ params, formToken }) =>
    afterErasing((await run(eraseVisitor, { reader: params.id! })).left, formToken),
  );
}

function readerPage(page: ReaderPage): DeskPage {
  const { site, query, reader, visits, messages, times } = page;
  const { timeElement } = times;
  const { visitor, firstSeenAt, lastSeenAt, erasedAt } = reader;
  const acts = actsIn(visits, page.offered);
  const grants = validGrantsOf(page);
  const done = doneWords(query);
  return {
    title: visitorWords(visitor),
    section: 'Readers',
    body: html`<p class="small"><a href="${site.path(inPeriod('/desk/readers', readPeriod(query)))}">Readers</a></p>
<div class="head spread">
<h1>${visitorName(visitor)}</h1>
${
  visitor.kind === 'link'
    ? html`<p class="soft small">everybody who opened this <a href="${site.path(`/desk/share/${visitor.id}`)}">link</a></p>`
    : grants.some(({ isVerified }) => isVerified)
      ? html`<p class="small">verified: a client was connected with a code that was sent to it</p>`
      : html`<p class="attention small">not verified</p>`
}
</div>
${done === null ? '' : statusMessage('good', done)}
${erasedAt === null ? '' : html`<p class="notice">Record erased by the visitor on ${times.toExact(erasedAt)}.</p>`}
<dl class="facts">
<div><dt>First seen</dt><dd>${timeElement(firstSeenAt)}</dd></div>
<div><dt>Last seen</dt><dd>${timeElement(lastSeenAt)}</dd></div>
${
  page.is_recorded
    ? html`<div><dt>With</dt><dd>${clientNamesOf(visits)}</dd></div>
<div><dt>Visits</dt><dd>${acts.length === 0 ? html`<span class="soft">none</span>` : html`${visits.length}: ${toVisible(acts.join(', '))}`}</dd></div>`
    : html`<div><dt>Visits</dt><dd class="soft">not recorded</dd></div>`
}
<div><dt>Messages</dt><dd>${messages.length === 0 ? html`<span class="soft">none</span>` : html`<a href="${site.path(`/desk/inbox?state=all&q=${encodeURIComponent(toVisitorText(visitor))}`)}">${pluralize(messages.length, 'message')}</a>`}</dd></div>
</dl>
${noteForm(page)}
${grantsSection(page, grants)}
${tokenSection(page)}
<h2>What happened</h2>
${timeline(page, site, times)}
${eraseForm(page)}
${times.zoneNote()}`,
  };
}

const validGrantsOf = ({ grants, times: { now } }: ReaderPage): StoredGrant[] =>
  grants.filter(({ expiresAt }) => expiresAt > now);

function noteForm({ path, reader, refused, formToken }: ReaderPage): Html {
  return html`<form class="form" id="note" method="post" action="${path}/note">
${formToken}
<label for="note-text">Your note</label>
${refused === undefined ? '' : html`<p class="bad small" id="note-fault">${refused.fault}</p>`}
<textarea id="note-text" name="note" rows="2" dir="auto"${refused === undefined ? html` maxlength="2000"` : html` aria-invalid="true" aria-describedby="note-fault"`}>
${refused?.note ?? reader.note}</textarea>
<button class="secondary no-print">Save the note</button>
</form>`;
}

function tokenSection(page: ReaderPage): Html {
  const { reader, path, tokens, formToken, times } = page;
  const isValid = (token: Token) => token.expiresAt > times.now && !token.isRevoked;
  const { visitor } = reader;
  const count = tokens.filter(isValid).length;
  const clients = validGrantsOf(page).length;
  // A client's token ends with its grant, under Clients.
  function stateOf(token: Token): Html {
    if (!isValid(token)) return html`<span class="soft">${token.isRevoked ? 'revoked' : 'expired'}</span>`;
    if (token.grantId !== null) return html`<span class="soft">ends with the client</span>`;
    return revokeForm({ path, label: 'Revoke', visitor, count, clients: 0, formToken, jti: token.jti });
  }
  const hasViews = page.views.length > 0 || tokens.some(({ view }) => view !== null);
  function viewOf(token: Token): Html {
    if (!isValid(token)) return html``;
    if (token.grantId !== null) return html`<span class="soft">as the client</span>`;
    return viewForm(page, token.view, 'jti', token.jti);
  }
  const revokeAll =
    count + clients > 1
      ? html`<p class="at-start">${revokeForm({ path, label: labelOf(count, clients), visitor, count, clients, formToken })}</p>`
      : '';
  if (tokens.length === 0)
    return html`<h2>Tokens</h2><p class="empty">No token is kept: the last one has expired.</p>${revokeAll}`;
  return html`<h2>Tokens</h2>
<table class="tokens stacked">
<thead><tr><th scope="col">Issued</th><th scope="col">Expires</th><th scope="col">Issued to</th>${hasViews ? html`<th scope="col">Reads</th>` : ''}<th scope="col"><span class="unseen">Revoke</span></th></tr></thead>
<tbody>
${tokens.map(
  (token) => html`<tr>
<td>${times.timeElement(token.issuedAt)}</td>
<td>${times.timeElement(token.expiresAt)}</td>
<td>${token.clientName === null ? html`<span class="soft">the visitor</span>` : html`<bdi class="clipped">${toVisible(token.clientName)}</bdi>`}${inDetails(html`Token id <code>${toVisible(token.jti)}</code>`)}</td>
${hasViews ? html`<td>${viewOf(token)}</td>` : ''}
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

function eraseForm({ path, reader, tokens, grants, messages, formToken }: ReaderPage): Html {
  const clients =
    grants.length === 0 ? '' : `${grants.length < maxTokens ? pluralize(grants.length, 'client') : 'all clients'}, `;
  const what = `${pluralize(messages.length, 'message')}, ${tokens.length < maxTokens ? pluralize(tokens.length, 'token') : 'all tokens'}, ${clients}your note and what was read`;
  return html`<details class="in-place at-start">
<summary class="danger">Erase everything of this visitor</summary>
<form method="post" action="${path}/erase">
${formToken}
<p>Erases all that is kept of ${visitorName(reader.visitor)}: ${what}. The tokens${grants.length === 0 ? '' : ', and the access of clients,'} end. This cannot be undone. ${unreachable}</p>
<button class="danger">Erase for good</button>
</form>
</details>`;
}

/** Returns the message after an action, by the query parameters. */
function doneWords(query: URLSearchParams): string | null {
  if (query.get('done') === 'noted') return 'The note is saved.';
  if (query.get('done') === 'view') return 'The view is set. It counts from the next request on.';
  const [ended, clients] = [query.get('ended') ?? '', query.get('clients') ?? '0'];
  if (![ended, clients].every((count) => /^\d{1,6}$/.test(count))) return null;
  if (Number(ended) + Number(clients) === 0) return 'No valid token was left to end.';
  const what = [
    ...(clients === '0' ? [] : [`the access of ${pluralize(Number(clients), 'client')}`]),
    ...(ended === '0' ? [] : [pluralize(Number(ended), 'token')]),
  ];
  return `Ended ${what.join(' and ')}. Requests with ${ended === '1' && clients === '0' ? 'it' : 'them'} are refused from now on.`;
}

interface Revoking extends Pick<ReaderPage, 'path' | 'formToken'> {
  /** The summary that opens the question. */
  readonly label: string;
  readonly visitor: Visitor;
  /** How many valid tokens there are, `maxTokens` if there may be more. */
  readonly count: number;
  /** How many clients have a grant that has not ended, `maxTokens` if there may be more. */
  readonly clients: number;
  /** The token to end; if absent, all tokens and grants of the visitor end. */
  readonly jti?: string;
}

/** A button that asks in place, naming what ends, before it revokes. */
export function revokeForm({ path, label, visitor, count, clients, formToken, jti }: Revoking): Html {
  const [ends, then, does] =
    jti !== undefined && count > 1
      ? ['this token', 'Their other tokens stay valid.', 'the token']
      : [wordsOf(count, clients), 'A visitor who asks again gets a new one.', namesOf(count, clients)];
  return askInPlace({
    action: `${path}/revoke`,
    label,
    fields: html`${formToken}
${jti === undefined ? '' : hidden('jti', jti)}`,
    question: html`Ends ${ends} of ${visitorName(visitor)}. ${then}`,
    button: `Revoke ${does}`,
  });
}

function wordsOf(count: number, clients: number): string {
  const many = count < maxTokens ? `the ${count}` : 'all';
  const tokens = count === 0 ? [] : [count > 1 ? `${many} valid tokens` : 'the valid token'];
  return [...tokens, ...(clients === 0 ? [] : [`the access of ${clientsOf(clients)}`])].join(' and ');
}

function namesOf(count: number, clients: number): string {
  if (clients > 0) return 'all access';
  return count > 1 ? `${count < maxTokens ? count : 'all'} tokens` : 'the token';
}

const clientsOf = (clients: number): string => (clients < maxTokens ? pluralize(clients, 'client') : 'all clients');

/** A choice of the view that a token, or the tokens of a grant, read; `view` is null for the whole profile. */
function viewForm(
  { path, formToken, views }: ReaderPage,
  view: string | null,
  field: 'jti' | 'grant',
  id: string,
): Html {
  const isGone = view !== null && view !== publicView && !views.includes(view);
  const options = [
    [wholeView, 'the whole profile'],
    ...views.map((name) => [name, name]),
    [publicView, 'the public part'],
  ];
  return html`<form class="view-form cluster" method="post" action="${path}/view">
${formToken}
${hidden(field, id)}
<select name="view" aria-label="View">${
    isGone ? html`<option value="" disabled selected>the public part: ${toVisible(view)} is gone</option>` : ''
  }${options.map(
    ([value, words]) =>
      html`<option value="${value}"${!isGone && value === (view ?? wholeView) ? ' selected' : ''}>${words}</option>`,
  )}</select>
<button class="plain">Set</button>
</form>`;
}

const permissions: Record<Scope, string> = {
  'profile:read': 'read the profile',
  'contact:write': 'send messages',
};

/** The clients that have access for a reader, by grants that have not ended, each with the form that ends it. */
function grantsSection(page: ReaderPage, grants: readonly StoredGrant[]): Html | '' {
  if (grants.length === 0) return '';
  const { reader, path, views, formToken } = page;
  const { visitor } = reader;
  const { timeElement } = page.times;
  const hasViews = views.length > 0 || grants.some(({ view }) => view !== null);
  return html`<h2>Clients</h2>
<table class="tokens stacked">
<thead><tr><th scope="col">Client</th><th scope="col">May</th><th scope="col">Address</th><th scope="col">Since</th><th scope="col">Until</th>${hasViews ? html`<th scope="col">Reads</th>` : ''}<th scope="col"><span class="unseen">End</span></th></tr></thead>
<tbody>
${grants.map(
  (grant) => html`<tr>
<td><bdi>${toVisible(grant.clientName)}</bdi> <span class="soft small clipped">${originOf(grant)}</span></td>
<td>${grant.scopes.map((scope) => permissions[scope]).join(', ')}${grant.isForMcp ? ' (MCP alone)' : ''}</td>
<td>${visitor.kind === 'link' ? 'none' : grant.isVerified ? 'verified' : html`<span class="attention">not verified</span>`}</td>
<td>${timeElement(grant.createdAt)}</td>
<td>${timeElement(grant.expiresAt)}</td>
${hasViews ? html`<td>${viewForm(page, grant.view, 'grant', grant.id)}</td>` : ''}
<td class="number">${askInPlace({
    action: `${path}/revoke`,
    label: 'End',
    fields: html`${formToken}\n${hidden('grant', grant.id)}`,
    question: html`Ends the access of <bdi>${toVisible(grant.clientName)}</bdi> for ${visitorName(visitor)}, with its tokens. Their other clients and tokens stay valid. A visitor who connects it again is asked again.`,
    button: 'End this access',
  })}</td>
</tr>`,
)}
</tbody>
</table>
${grants.length < maxTokens ? '' : html`<p class="small">These are among the ${maxTokens} connected last.</p>`}
<p class="soft small">Clients choose their names themselves. A client renews its tokens until the date under Until, which each renewal puts off.</p>`;
}

/** Says where a client sends its visitors back to, and the host of its document if it has one. */
function originOf({ redirectUri, clientId }: Grant): string {
  const target = `sends back to ${targetOf(redirectUri).shown}`;
  return toVisible(hasDocument(clientId) ? `${target}; described at ${new URL(clientId).host}` : target);
}
