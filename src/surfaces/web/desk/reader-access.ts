import { html } from 'hono/html';
import { pluralize, toVisible } from 'resume-profile/text';
import { publicView, wholeView } from 'resume-profile/view-fields';
import { type Grant, hasDocument, type StoredGrant } from '../../../model/oauth.ts';
import type { Scope } from '../../../model/token.ts';
import type { Visitor } from '../../../model/visitor.ts';
import type { OutputOf } from '../../../operations/owner/operation.ts';
import { type getReader, maxTokens } from '../../../operations/owner/readers.ts';
import { hidden } from '../form.ts';
import { targetOf } from '../oauth/pages.ts';
import type { Html } from '../page.ts';
import { askInPlace } from './elements.ts';
import { visitorName } from './reading.ts';
import type { DeskRequest } from './router.ts';

/** The page of a reader. */
export interface ReaderPage extends DeskRequest, OutputOf<typeof getReader> {
  /** The path of the page. */
  readonly path: string;
  /** A note that was not saved, and why. */
  readonly refused: { readonly note: string; readonly fault: string } | undefined;
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
export function viewForm(
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
export function grantsSection(page: ReaderPage, grants: readonly StoredGrant[]): Html | '' {
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
