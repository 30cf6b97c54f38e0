import { html } from 'hono/html';
import { longestAddress } from 'resume-profile/email-address';
import { toVisible } from 'resume-profile/text';
import type { Failure } from '../../../model/failure.ts';
import { type CodeFault, codeSeconds, codeTries, hasDocument, type PendingRequest } from '../../../model/oauth.ts';
import { type AddressVisitor, toVisitorText, type Visitor } from '../../../model/visitor.ts';
import { faultOf } from '../form.ts';
import { capitalize, formatDuration, formatWait } from '../format.ts';
import { columnPage, type Html, type Page, type Site, statusMessage } from '../page.ts';
import type { PublicProfile } from '../public/public-profile.ts';

export interface RequestPage extends Pick<Page, 'status' | 'headers'> {
  readonly pending: Omit<PendingRequest, 'visitor'>;
  readonly profile: PublicProfile;
  /** How long reads are kept, in seconds; null if they are not recorded. */
  readonly keepReads: number | null;
  readonly action: string;
  readonly privacyPath: string;
  readonly formToken: Html;
  readonly notice?: Html;
}

/** The client's chosen name, whose direction may differ from the surrounding text. */
const clientOf = ({ pending }: RequestPage): Html => html`<bdi>${toVisible(pending.clientName)}</bdi>`;

/** The candidate's name, if it is public. */
const candidateOf = ({ profile }: RequestPage, unnamed = 'the candidate'): Html =>
  profile.name === undefined ? html`${unnamed}` : html`<bdi>${toVisible(profile.name)}</bdi>`;

/** The time for which the candidate sees a client's reads. */
const keptFor = (keepReads: number): string => `for ${formatDuration(keepReads)}`;

/** Returns the page of a request; above its heading, it names the profile. */
function toPage(
  shown: RequestPage,
  { title, heading, body }: { readonly title: string; readonly heading: Html; readonly body: Html },
): Page {
  const { profile, status = 200, headers = {}, notice = '' } = shown;
  const about = [profile.name, profile.title].filter((text) => text !== undefined);
  return {
    title,
    layout: 'visitor',
    status,
    headers,
    body: html`<main id="main" class="column request">
${about.length === 0 ? '' : html`<p class="small soft" dir="auto">${toVisible(about.join(', '))}</p>`}
<h1>${heading}</h1>
${notice}
${body}
</main>`,
  };
}

interface AddressPage extends RequestPage {
  readonly typed: string;
  readonly fault?: string;
  readonly sendsCode: boolean;
}

/** The first page of a request: shows who asks, and asks for the visitor's address. */
export function addressPage(shown: AddressPage): Page {
  const { pending, action, formToken, typed, fault, privacyPath, keepReads, sendsCode } = shown;
  const emailFault = faultOf('email', fault);
  return toPage(shown, {
    title: `${fault === undefined ? '' : 'Error: '}Connect ${pending.clientName}`,
    heading: html`Connect ${clientOf(shown)}`,
    body: html`<p>${clientOf(shown)} asks for access to the profile of ${candidateOf(shown)}. An e-mail address opens it.${
      sendsCode ? ' A code is sent to it, which you enter on the next page.' : ''
    }</p>
<form method="post" action="${action}">
${formToken}
<label for="email">Your e-mail address</label>
${emailFault.line}
<p class="ask"><input type="email" id="email" name="email" required maxlength="${longestAddress}" autocomplete="email" value="${typed}"${emailFault.attributes}><button name="step" value="address">Continue</button></p>
<p class="small soft">${candidateOf(shown, 'The candidate')} is told your address and which program you connect${
      keepReads === null ? '' : `, and sees what it reads, ${keptFor(keepReads)}`
    }. <a href="${privacyPath}">What is kept</a></p>
</form>`,
  });
}

interface CodePage extends RequestPage {
  readonly visitor: AddressVisitor;
  readonly fault?: string;
}

const validity = formatDuration(codeSeconds);

/** The second page of a request: asks for the code that was sent to the address. */
export function codePage(shown: CodePage): Page {
  const { visitor, action, formToken, fault } = shown;
  const codeFault = faultOf('code', fault);
  return toPage(shown, {
    title: `${fault === undefined ? '' : 'Error: '}Enter the code`,
    heading: html`Enter the code`,
    body: html`<p>An e-mail with six digits was sent to <strong><bdi>${toVisible(visitor.address)}</bdi></strong>. Enter them to connect ${clientOf(shown)}.</p>
<form method="post" action="${action}">
${formToken}
<label for="code">The code</label>
${codeFault.line}
<p class="ask"><input class="code" id="code" name="code" required maxlength="40" inputmode="numeric" autocomplete="one-time-code" spellcheck="false"${codeFault.attributes}><button name="step" value="code">Continue</button></p>
</form>
<form method="post" action="${action}">
${formToken}
<p class="small soft">A code works once, for ${validity}. If none has come, look among the spam too.</p>
<p class="small actions"><button class="plain" name="step" value="new_code">Send a new code</button> <button class="plain" name="step" value="back">Use another address</button></p>
</form>`,
  });
}

/** The fault of an input other than six digits, which is not counted as a try. */
export const wrongDigits = 'Enter the six digits from the e-mail.';

export const newCodeSent = statusMessage('good', 'A new code was sent. The ones before it do not work any more.');

/** Reports that no new code could be sent; the previous one may still work. */
export function codeNotSent({ code, message, retryAfterSeconds: seconds }: Failure): Html {
  const isLimit = code === 'RATE_LIMITED' && seconds !== null;
  const reason = isLimit ? `There were too many within the hour. Try again in ${formatWait(seconds)}.` : message;
  return statusMessage('bad', `No new code was sent. ${reason}`);
}

/** Explains why a code is not accepted: below its label if another try may succeed, otherwise above the form. */
export function toOutcome(fault: CodeFault): Pick<CodePage, 'fault' | 'notice'> {
  if (typeof fault === 'object')
    return {
      fault: `This is not the code that was sent last. ${
        fault.triesLeft === 1 ? 'One try is' : `${fault.triesLeft} tries are`
      } left.`,
    };
  return {
    notice: statusMessage(
      'bad',
      fault === 'used up'
        ? `The code was entered wrongly ${codeTries} times, and does not work any more. Send a new one.`
        : `This code does not work any more: it works once, for ${validity}. Send a new one.`,
    ),
  };
}

interface ConsentPage extends RequestPage {
  readonly visitor: Visitor;
}

/** The last page of a request: what the client asks for, where it sends the visitor back to, and the decision. */
export function consentPage(shown: ConsentPage): Page {
  const { pending, action, formToken, visitor, keepReads, privacyPath } = shown;
  const target = targetOf(pending.redirectUri);
  const mayWrite = pending.scopes.includes('contact:write');
  const who = candidateOf(shown);
  return {
    ...toPage(shown, {
      title: `Allow ${pending.clientName}?`,
      heading: html`${clientOf(shown)} asks to read this profile${mayWrite ? html`, and to write to ${who}` : ''}`,
      body: html`<form method="post" action="${action}">
${formToken}
<input type="hidden" name="address" value="${toVisitorText(visitor)}">
<dl class="facts ruled">
${visitor.kind === 'link' ? row('You are', html`here through a link`, html`No address is asked for.`) : addressRow(visitor, pending.isVerified)}
${row(
  'It may',
  html`read the profile and its PDF${mayWrite ? html`, and write to ${who} in your name` : ''}`,
  mayWrite ? null : html`It cannot write to ${who}.`,
)}
${row('You go back to', html`<strong>${toVisible(target.shown)}</strong>`, html`The program chose its name itself.${target.warning === null ? ' This address is what is known of it.' : ''}`)}
${hasDocument(pending.clientId) ? row('Describes itself at', html`${toVisible(new URL(pending.clientId).host)}`, null) : ''}
${row(
  html`${candidateOf(shown, 'The candidate')} sees`,
  html`${visitor.kind === 'link' ? 'that you came through this link' : 'your address'}, “${clientOf(shown)}”${keepReads === null ? '' : ', and what it reads'}`,
  html`${keepReads === null ? '' : `${capitalize(keptFor(keepReads))}. `}<a href="${privacyPath}">What is kept</a>`,
)}
</dl>
${target.warning === null ? '' : html`<p class="notice attention">${target.warning}</p>`}
<p class="actions"><button name="step" value="allow">Allow</button> <button class="secondary" name="step" value="deny">Don’t allow</button></p>
</form>`,
    }),
    // Browsers also apply form-action to the redirects after the form.
    formTarget: target.source,
  };
}

const addressRow = ({ address }: AddressVisitor, isVerified: boolean): Html =>
  row(
    'You are',
    html`<bdi>${toVisible(address)}</bdi>`,
    html`${
      isVerified ? 'Confirmed by the code that was sent to it.' : 'Nobody has checked that it is yours.'
    } <button class="plain" name="step" value="back">Use another address</button>`,
  );

const row = (term: Html | string, description: Html, more: Html | null): Html =>
  html`<div><dt>${term}</dt><dd>${description}${more === null ? '' : html`<p class="small soft">${more}</p>`}</dd></div>`;

/** Describes the target of a redirect: as shown, as a source of a Content-Security-Policy, and a warning, if any. */
export function targetOf(redirectUri: string): { shown: string; source: string; warning: string | null } {
  const { protocol, hostname, host, origin } = new URL(redirectUri);
  if (protocol === 'http:')
    return {
      shown: `a program on this computer (${host})`,
      // A policy's source can't be an IPv6 address (CSP Level 3, 2.3.1): browsers would not follow the redirect.
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

/** The page of a request that has expired, was answered, or began in another browser. */
export const expiredRequestPage: Page = {
  ...columnPage(
    'This request has ended',
    html`<p>It has been answered already, was open for more than half an hour, or was begun in another browser. Go back to your program: if it is not connected, connect again.</p>`,
  ),
  status: 404,
};

/** The page of a request that may not come from the client, so that no redirect can answer it. */
export const wrongRequestPage = (reason: string, status: number, wayBack: Html | '' = ''): Page => ({
  ...columnPage(
    'This request to connect is not valid',
    html`<p>The program that sent you here made a mistake, or somebody else sent you here. Nothing was allowed. Go back to your program, and connect again; if it stays, remove the connection there and add it anew.</p>
${wayBack}<p class="small soft">For its developers: ${toVisible(reason)}</p>`,
  ),
  status,
});

/** The page of a request that is refused before the visitor was asked: it links to the client's redirect. */
export function refusedRequestPage(location: string): Page {
  const { searchParams: answer } = new URL(location);
  const wayBack = html`<p><a href="${location}" rel="noreferrer">Go back to ${toVisible(targetOf(location).shown)}</a></p>
`;
  return wrongRequestPage(`${answer.get('error')}: ${answer.get('error_description')}`, 400, wayBack);
}

/** The page of a request of a client whose document could not be fetched. */
export const unreachableClientPage = (site: Site): Page => ({
  ...columnPage(
    'Your program cannot be looked up at the moment',
    html`<p>The program that sent you here describes itself at an address of its own, and this site could not reach that address, or was refused there. Nothing was allowed. Connect again in a minute.</p>
<p>If it stays so, this site may not be able to reach other sites. Then <a href="${site.path('/')}">open the profile with your e-mail address</a>: you get a token, with what to paste into your program.</p>`,
  ),
  status: 400,
});
