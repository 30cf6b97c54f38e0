import { html } from 'hono/html';
import { longestAddress } from '../../../model/email-address.ts';
import { pluralize, toVisible } from '../../../model/text.ts';
import { faultOf } from '../form.ts';
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
  /** The typed message, kept when something went wrong. */
  readonly draft: MessageDraft;
  readonly fault?: string;
  readonly notice?: Html;
  /** A token that may still be used. */
  readonly token?: string;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/** Responds with the page before access: the candidate, as far as public, and the form that opens the rest. */
export function landingResponse(landing: Landing, site: Site): Promise<Response> {
  const { profile, formToken, draft, fault, notice, token, status = 200, headers = {}, keepReads } = landing;
  const { name, title } = profile;
  const emailFault = faultOf('email', fault);
  const who = toVisible(name ?? 'The candidate');
  return pageResponse(
    {
      title: `${fault === undefined ? '' : 'Error: '}${headingOf(profile)}`,
      layout: 'visitor',
      scripts: ['page.js'],
      hasCode: site.hasOauth,
      status,
      headers,
      head: publicHead(profile, site),
      body: html`<main id="main" class="column landing"${token === undefined && notice === undefined ? html` data-open-kept` : ''}${status === 401 ? html` data-drop-kept` : ''}>
<h1 dir="auto">${toVisible(headingOf(profile))}</h1>
${title === undefined ? '' : html`<p class="title" dir="auto">${toVisible(title)}</p>`}
${factsOf(profile)}
${notice ?? ''}
<p class="lead">This is a profile to read, to print, and to hand to your assistant. An e-mail address opens all of it.</p>
<form method="post" action="${site.path('/')}">
${formToken}${hiddenDraft(draft)}
<label for="email">Your e-mail address</label>
${emailFault.line}
<p class="ask"><input type="email" id="email" name="email" required maxlength="${longestAddress}" autocomplete="email" value="${draft.email}"${emailFault.attributes}><button>Get access</button></p>
<p class="small soft">${who} is told your address${
        keepReads === null ? '' : html` and sees what you read, for ${formatDuration(keepReads)}`
      }. Nothing is sent to you, and nobody else is told. <a href="${site.path('/privacy')}">What is kept</a></p>
${isTyped(draft) ? html`<p class="small soft">Your message is kept, and is on the next page.</p>` : ''}
</form>
<details class="small"${token === undefined ? '' : html` open`}>
<summary>I have a token already</summary>
<form method="post" action="${site.path('/profile')}" id="open">
${formToken}${hiddenDraft(draft)}
<label for="token">Your token</label>
<p class="ask"><input id="token" name="token" required autocomplete="off" spellcheck="false" value="${token ?? ''}"><button class="secondary">Open the profile</button></p>
</form>
</details>
${site.hasOauth ? useIt(site, name ?? '', null) : ''}
</main>
${footer(site)}`,
    },
    site,
  );
}

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
