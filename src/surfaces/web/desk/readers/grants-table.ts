import { html } from 'hono/html';
import type { Grant, Scope } from '../../../../model/grant.ts';
import { hasDocument } from '../../../../model/oauth/client-name.ts';
import { toVisible } from '../../../../model/visible-text.ts';
import { targetOf } from '../../oauth/pages.ts';
import type { Html } from '../../page.ts';
import { timeElement } from '../time.ts';
import { endGrantForm, maxTokens } from './revoke-form.ts';

interface Shown {
  /** Those that have not ended. */
  readonly grants: readonly Grant[];
  readonly action: string;
  readonly address: string;
  readonly formToken: Html;
  readonly now: Date;
}

const permissions: Record<Scope, string> = {
  'profile:read': 'read the profile',
  'contact:write': 'send messages',
};

/** The clients that a reader has allowed access, each with the form that ends it; empty if there are none. */
export function grantsSection({ grants, action, address, formToken, now }: Shown): Html {
  if (grants.length === 0) return html``;
  return html`<h2>Clients</h2>
<table class="tokens">
<thead><tr><th scope="col">Client</th><th scope="col">May</th><th scope="col">Address</th><th scope="col">Since</th><th scope="col">Until</th><th scope="col"><span class="unseen">End</span></th></tr></thead>
<tbody>
${grants.map(
  (grant) => html`<tr>
<td><bdi>${toVisible(grant.clientName)}</bdi> <span class="soft small clipped">${originOf(grant)}</span></td>
<td>${grant.scopes.map((scope) => permissions[scope]).join(', ')}${grant.isForMcp ? ' (MCP alone)' : ''}</td>
<td>${grant.isVerified ? 'verified' : html`<span class="attention">not verified</span>`}</td>
<td>${timeElement(grant.createdAt, now)}</td>
<td>${timeElement(grant.expiresAt, now)}</td>
<td class="number">${endGrantForm({ action, id: grant.id, clientName: grant.clientName, address, formToken })}</td>
</tr>`,
)}
</tbody>
</table>
${grants.length < maxTokens ? '' : html`<p class="small">These are among the ${maxTokens} connected last.</p>`}
<p class="soft small">Clients choose their names themselves. A client renews its tokens until the date under Until, which each renewal puts off.</p>`;
}

/** Says where a client is: where its visitors are sent back to, and the host of its document if its id is an address. */
function originOf({ redirectUri, clientId }: Grant): string {
  const target = `sends back to ${targetOf(redirectUri).shown}`;
  return toVisible(hasDocument(clientId) ? `${target}; described at ${new URL(clientId).host}` : target);
}
