import { html } from 'hono/html';
import { longestAddress } from '../../../model/email-address.ts';
import type { Page } from '../page.ts';
import { candidateOf, clientOf, keptFor, type RequestPage, toPage } from './request-page.ts';

interface AddressPage extends RequestPage {
  readonly typed: string;
  readonly fault?: string;
  /** Whether a code is sent to the address. */
  readonly sendsCode: boolean;
}

/** The first page of a request: who asks, and for the visitor's address. */
export function addressPage(shown: AddressPage): Page {
  const { pending, action, formToken, typed, fault, privacyPath, keepReads, sendsCode } = shown;
  return toPage(shown, {
    title: `${fault === undefined ? '' : 'Error: '}Connect ${pending.clientName}`,
    heading: html`Connect ${clientOf(shown)}`,
    body: html`<p>${clientOf(shown)} asks for access to the profile of ${candidateOf(shown)}. An e-mail address opens it.${
      sendsCode ? ' A code is sent to it, which you enter on the next page.' : ''
    }</p>
<form method="post" action="${action}">
${formToken}
<label for="email">Your e-mail address</label>
${fault === undefined ? '' : html`<p class="bad small" id="email-fault">${fault}</p>`}
<p class="ask"><input type="email" id="email" name="email" required maxlength="${longestAddress}" autocomplete="email" value="${typed}"${
      fault === undefined ? '' : html` aria-invalid="true" aria-describedby="email-fault" autofocus`
    }><button name="step" value="address">Continue</button></p>
<p class="small soft">${candidateOf(shown, 'The candidate')} is told your address and which program you connect${
      keepReads === null ? '' : `, and sees what it reads, ${keptFor(keepReads)}`
    }. <a href="${privacyPath}">What is kept</a></p>
</form>`,
  });
}
