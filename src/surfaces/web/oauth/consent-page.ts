import { html } from 'hono/html';
import { hasDocument } from '../../../model/oauth/client-name.ts';
import { toVisible } from '../../../model/visible-text.ts';
import { capitalize } from '../format.ts';
import type { Html, Page } from '../page.ts';
import { targetOf } from './redirect-target.ts';
import { candidateOf, clientOf, keptFor, type RequestPage, toPage } from './request-page.ts';

interface ConsentPage extends RequestPage {
  readonly address: string;
}

/** The last page of a request: what the client asks for, where it sends the visitor back to, and the decision. */
export function consentPage(shown: ConsentPage): Page {
  const { pending, action, formToken, address, keepReads, privacyPath } = shown;
  const target = targetOf(pending.redirectUri);
  const mayWrite = pending.scopes.includes('contact:write');
  const who = candidateOf(shown);
  return {
    ...toPage(shown, {
      title: `Allow ${pending.clientName}?`,
      heading: html`${clientOf(shown)} asks to read this profile${mayWrite ? html`, and to write to ${who}` : ''}`,
      body: html`<form method="post" action="${action}">
${formToken}
<input type="hidden" name="address" value="${address}">
<dl>
${row(
  'You are',
  html`<bdi>${toVisible(address)}</bdi>`,
  html`${
    pending.isVerified ? 'Confirmed by the code that was sent to it.' : 'Nobody has checked that it is yours.'
  } <button class="plain" name="step" value="back">Use another address</button>`,
)}
${row(
  'It may',
  html`read the profile and its PDF${mayWrite ? html`, and write to ${who} in your name` : ''}`,
  mayWrite ? null : html`It cannot write to ${who}.`,
)}
${row('You go back to', html`<strong>${toVisible(target.shown)}</strong>`, html`The program chose its name itself.${target.warning === null ? ' This address is what is known of it.' : ''}`)}
${hasDocument(pending.clientId) ? row('Describes itself at', html`${toVisible(new URL(pending.clientId).host)}`, null) : ''}
${row(
  html`${candidateOf(shown, 'The candidate')} sees`,
  html`your address, “${clientOf(shown)}”${keepReads === null ? '' : ', and what it reads'}`,
  html`${keepReads === null ? '' : `${capitalize(keptFor(keepReads))}. `}<a href="${privacyPath}">What is kept</a>`,
)}
</dl>
${target.warning === null ? '' : html`<p class="notice attention">${target.warning}</p>`}
<p class="actions"><button name="step" value="allow">Allow</button> <button class="secondary" name="step" value="deny">Don’t allow</button></p>
</form>`,
    }),
    // Browsers apply form-action to the redirects that follow the form, too.
    formTarget: target.source,
  };
}

const row = (term: Html | string, description: Html, more: Html | null): Html =>
  html`<div><dt>${term}</dt><dd>${description}${more === null ? '' : html`<p class="small soft">${more}</p>`}</dd></div>`;
