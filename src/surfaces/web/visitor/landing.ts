import { html } from 'hono/html';
import { longestAddress } from '../../../model/email-address.ts';
import { pluralize, toVisible } from '../../../model/text.ts';
import { faultOf, hidden } from '../form.ts';
import { formatDuration } from '../format.ts';
import { type Html, pageResponse, type Site } from '../page.ts';
import { publicHead } from '../public/head.ts';
import { headingOf, type PublicProfile } from '../public/public-profile.ts';
import { useIt } from './connections.ts';
import { footer, hiddenDraft, isTyped, type MessageDraft } from './profile-page.ts';

/** The page before access. */
export interface Landing {
  readonly profile: PublicProfile;
  readonly formToken: Html;
  /** Seconds; null if reads are not recorded. */
  readonly keepReads: number | null;
  /** For how long a browser is remembered, in seconds. */
  readonly rememberSeconds: number;
  readonly isRemembered: boolean;
  /** The typed message, kept when something went wrong, and the key under which it is sent. */
  readonly draft: MessageDraft;
  readonly idempotencyKey: string;
  readonly fault?: string;
  readonly notice?: Html;
  /** A token that could not be used, and may still be. */
  readonly token?: string;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/** Responds with the page before access: the candidate, as far as public, and the form that opens the rest. */
export function landingResponse(landing: Landing, site: Site): Promise<Response> {
  const {
    profile,
    formToken,
    draft,
    idempotencyKey,
    fault,
    notice,
    token,
    status = 200,
    headers = {},
    keepReads,
  } = landing;
  const { name, title } = profile;
  const emailFault = faultOf('email', fault);
  const who = toVisible(name ?? 'The candidate');
  const carried = html`${formToken}${hiddenDraft(draft)}${isTyped(draft) ? hidden('idempotency_key', idempotencyKey) : ''}`;
  return pageResponse(
    {
      title: `${fault === undefined ? '' : 'Error: '}${headingOf(profile)}`,
      layout: 'visitor',
      scripts: ['page.js'],
      hasCode: site.hasOauth,
      status,
      headers,
      head: publicHead(profile, site),
      body: html`<main id="main" class="column landing">
<h1 dir="auto">${toVisible(headingOf(profile))}</h1>
${title === undefined ? '' : html`<p class="title" dir="auto">${toVisible(title)}</p>`}
${factsOf(profile)}
${notice ?? ''}
<p class="lead">This is a profile to read, to print, and to hand to your assistant. An e-mail address opens all of it.</p>
<form method="post" action="${site.path('/')}">
${carried}
<label for="email">Your e-mail address</label>
${emailFault.line}
<p class="ask"><input type="email" id="email" name="email" required maxlength="${longestAddress}" autocomplete="email" value="${draft.email}"${emailFault.attributes}><button>Get access</button></p>
${rememberBox(landing)}
<p class="small soft">${who} is told your address${
        keepReads === null ? '' : html` and sees what you read, for ${formatDuration(keepReads)}`
      }. Nothing is sent to you, and nobody else is told. <a href="${site.path('/privacy')}">What is kept</a></p>
${isTyped(draft) ? html`<p class="small soft">Your message is kept, and is sent as soon as the profile is open.</p>` : ''}
</form>
<details class="small"${token === undefined ? '' : html` open`}>
<summary>I have a token already</summary>
<form method="post" action="${site.path('/profile')}" id="open">
${carried}
<label for="token">Your token</label>
<p class="ask"><input id="token" name="token" required autocomplete="off" spellcheck="false" value="${token ?? ''}"><button class="secondary">Open the profile</button></p>
${rememberBox(landing)}
</form>
</details>
${site.hasOauth ? useIt(site, name ?? '', null) : ''}
</main>
${footer(site)}`,
    },
    site,
  );
}

const rememberBox = ({ rememberSeconds, isRemembered }: Landing): Html =>
  html`<p class="small"><label class="inline"><input type="checkbox" name="remember"${isRemembered ? html` checked` : ''}> Remember me on this device for ${formatDuration(rememberSeconds)}</label></p>`;

/** The other public fields, if there are any. */
function factsOf({ location, summary, years_experience: years, domains = [] }: PublicProfile): Html {
  const facts = [
    ...(location === undefined ? [] : [toVisible(location)]),
    ...(years === undefined ? [] : [`${pluralize(years, 'year')} of experience`]),
  ];
  return html`${facts.length === 0 ? '' : html`<p class="soft" dir="auto">${facts.join(' · ')}</p>`}
${summary === undefined ? '' : html`<p class="summary" dir="auto">${toVisible(summary)}</p>`}
${domains.length === 0 ? '' : html`<p class="soft" dir="auto">${toVisible(domains.join(', '))}</p>`}`;
}
