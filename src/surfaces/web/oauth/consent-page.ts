import { html } from 'hono/html';
import type { Scope } from '../../../model/grant.ts';
import { toVisible } from '../../../model/visible-text.ts';
import type { Pending } from '../../oauth/authorization-server.ts';
import type { Html, Page } from '../page.ts';

interface Shown {
  readonly pending: Pending;
  /** The candidate's name if it is public. */
  readonly name: string | undefined;
  readonly action: string;
  readonly privacyPath: string;
  readonly formToken: Html;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/** The first page of a request: who asks, and for the visitor's address. */
export function addressPage(
  shown: Shown & { readonly typed: string; readonly fault?: string; readonly notice?: Html },
): Page {
  const { pending, name, action, formToken, typed, fault, notice, privacyPath } = shown;
  const client = toVisible(pending.clientName);
  const who = toVisible(name ?? 'the candidate');
  return {
    ...frameOf(shown, `${fault === undefined ? '' : 'Error: '}Connect ${client}`),
    body: html`<main id="main" class="column landing">
<h1 dir="auto">Connect ${client}</h1>
${notice ?? ''}
<p class="lead">${client} asks for access to the profile of ${who}. An e-mail address opens it.</p>
<form method="post" action="${action}">
${formToken}
<label for="email">Your e-mail address</label>
${fault === undefined ? '' : html`<p class="bad small" id="email-fault">${fault}</p>`}
<p class="ask"><input type="email" id="email" name="email" required maxlength="254" autocomplete="email" value="${typed}"${
      fault === undefined ? '' : html` aria-invalid="true" aria-describedby="email-fault" autofocus`
    }><button name="step" value="address">Continue</button></p>
<p class="small soft">${who} is told your address and which client you connect, and sees what it reads. <a href="${privacyPath}">What is kept</a></p>
</form>
</main>`,
  };
}

const permissions: Record<Scope, string> = {
  'profile:read': 'Read the profile, and get the resume as a PDF',
  'contact:write': 'Send messages in your name',
};

/** The second page of a request: what the client asks for, where it sends the visitor back to, and the decision. */
export function consentPage(shown: Shown & { readonly address: string; readonly notice?: Html }): Page {
  const { pending, action, formToken, address, notice } = shown;
  const client = toVisible(pending.clientName);
  const target = targetOf(pending.redirectUri);
  return {
    ...frameOf(shown, `Allow ${client}?`),
    // Browsers apply form-action to the redirects that follow the form, too.
    formTarget: target.source,
    body: html`<main id="main" class="column landing">
<h1 dir="auto">Allow ${client}?</h1>
${notice ?? ''}
<dl>
<dt>Client</dt><dd dir="auto">${client} <span class="soft">(it chose this name itself)</span></dd>
${URL.canParse(pending.clientId) ? html`<dt>Describes itself at</dt><dd>${toVisible(new URL(pending.clientId).host)}</dd>` : ''}
<dt>Sends you back to</dt><dd><strong>${toVisible(target.shown)}</strong></dd>
<dt>Your address</dt><dd>${toVisible(address)} ${pending.isVerified ? '' : html`<span class="soft">(not verified)</span>`}</dd>
</dl>
<p>It will be able to:</p>
<ul>${pending.scopes.map((scope) => html`<li>${permissions[scope]}</li>`)}</ul>
${target.warning === null ? '' : html`<p class="notice attention">${target.warning}</p>`}
<form method="post" action="${action}">
${formToken}
<p class="ask"><button name="step" value="allow">Allow</button> <button class="secondary" name="step" value="deny">Refuse</button> <button class="secondary" name="step" value="back">Use another address</button></p>
</form>
</main>`,
  };
}

/** The page of a request that has expired, was answered, or was begun in another browser. */
export const expiredRequestPage: Page = {
  title: 'This request has ended',
  layout: 'visitor',
  status: 404,
  body: html`<main id="main" class="column">
<h1>This request has ended</h1>
<p>It has been answered already, was open for more than half an hour, or was begun in another browser. Nothing was allowed here. Go back to your client, and connect again.</p>
</main>`,
};

/** The page of a request that cannot be answered with a redirect, because it is not known to come from the client. */
export const wrongRequestPage = (reason: string, status: number, wayBack: Html | '' = ''): Page => ({
  title: 'This request to connect is not valid',
  layout: 'visitor',
  status,
  body: html`<main id="main" class="column">
<h1>This request to connect is not valid</h1>
<p>The client that sent you here made a mistake, or somebody else sent you here. Nothing was allowed. Go back to your client, and connect again; if it stays, remove the connection there and add it anew.</p>
${wayBack}<p class="small soft">For its developers: ${toVisible(reason)}</p>
</main>`,
});

/** The page of a request that is refused before the visitor was asked: the redirect to the client is a link on it. */
export function refusedRequestPage(location: string): Page {
  const { search, hash } = new URL(location);
  const answer = new URLSearchParams(search || hash.slice(1));
  const wayBack = html`<p><a href="${location}" rel="noreferrer">Go back to ${toVisible(targetOf(location).shown)}</a></p>
`;
  return wrongRequestPage(`${answer.get('error')}: ${answer.get('error_description')}`, 400, wayBack);
}

const frameOf = ({ status = 200, headers = {} }: Shown, title: string) =>
  ({ title, layout: 'visitor', status, headers }) as const;

/** Describes where a redirect leads: as shown, as a source of a Content-Security-Policy, and what is to be said of it. */
function targetOf(redirectUri: string): { shown: string; source: string; warning: string | null } {
  const { protocol, hostname, host, origin } = new URL(redirectUri);
  if (protocol === 'http:')
    return {
      shown: `a program on this computer (${host})`,
      // A source of a policy can't be an IPv6 address (CSP Level 3, section 2.3.1): browsers would not follow the redirect.
      source: hostname.startsWith('[') ? protocol : origin,
      warning: `Only allow this if you have just connected a program on this computer yourself: any program here could answer at ${hostname}.`,
    };
  if (protocol === 'https:') return { shown: host, source: origin, warning: null };
  return {
    shown: `the program that opens ${protocol} links`,
    source: protocol,
    warning: 'Only allow this if you have just connected a program on this device yourself.',
  };
}
