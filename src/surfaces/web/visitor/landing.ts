import { html } from 'hono/html';
import { longestAddress } from 'resume-profile/email-address';
import { directionOf, toVisible } from 'resume-profile/text';
import { faultOf, hidden } from '../form.ts';
import { capitalize } from '../format.ts';
import { type Html, joined, type Page, pageResponse, type Site } from '../page.ts';
import { linkHeaderOf } from '../public/discovery.ts';
import { publicHead } from '../public/head.ts';
import { headingOf, type PublicProfile } from '../public/public-profile.ts';
import { namedPrograms, useIt } from './connections.ts';
import { hiddenDraft, isTyped, type MessageDraft } from './message-form.ts';
import { documentLinks } from './profile-page.ts';
import { fillHtml, type Wording, wordingOf } from './wording.ts';

/** The page before access; framed if it is a preview for the owner. */
export interface Landing extends Pick<Page, 'status' | 'headers' | 'framed'> {
  readonly profile: PublicProfile;
  readonly language: string | undefined;
  /** The number of pages of the PDF; null if unknown. */
  readonly pdfPages: number | null;
  readonly formToken: Html;
  /** Seconds; null if reads are not recorded. */
  readonly keepReads: number | null;
  /** How long a browser is remembered, in seconds. */
  readonly rememberSeconds: number;
  readonly isRemembered: boolean;
  /** The typed message, kept after a fault, and its idempotency key. */
  readonly draft: MessageDraft;
  readonly idempotencyKey: string;
  readonly isAddressWrong?: boolean;
  readonly notice?: Html;
  /** A token that could not be used now, but may be later. */
  readonly token?: string;
}

/** Responds with the page before access: the public facts about the candidate, and the form that opens the rest. */
export function landingResponse(landing: Landing, site: Site): Promise<Response> {
  const { profile, language, draft, isAddressWrong, notice, token, status = 200, headers, framed } = landing;
  const { name, title, summary } = profile;
  const wording = wordingOf(language);
  const { words } = wording;
  const carried = html`${landing.formToken}${hiddenDraft(draft)}${isTyped(draft) ? hidden('idempotency_key', landing.idempotencyKey) : ''}`;
  const emailFault = faultOf('email', isAddressWrong ? `${words.notAnAddress}.` : undefined);
  const ownText = [summary, title, name].join(' ');
  return pageResponse(
    {
      title: `${isAddressWrong ? `${words.problem}: ` : ''}${headingOf(profile)}`,
      layout: 'visitor',
      language: wording.language,
      direction: directionOf(language === undefined ? ownText : words.open),
      skip: words.skip,
      scripts: framed ? [] : ['page.js'],
      hasCode: site.hasOauth,
      status,
      headers: { link: linkHeaderOf(site), ...headers },
      ...(framed ? { framed } : { head: publicHead(profile, site) }),
      body: html`<main id="main" class="column landing">
${introduction(profile, wording)}
${notice ?? ''}
<form class="access" method="post" action="${site.path('/')}">
<p class="lead">${leadOf(landing, wording)}</p>
${carried}
<label for="email">${words.email}</label>
${emailFault.line}
<p class="ask"><input type="email" id="email" name="email" required maxlength="${longestAddress}" autocomplete="email" value="${draft.email}"${emailFault.attributes}><button>${words.open}</button></p>
${rememberBox(landing, wording)}
<p class="small soft">${seenOf(landing, wording)} <a href="${site.path('/privacy')}">${words.kept}</a></p>
${isTyped(draft) ? html`<p class="small soft" lang="en" dir="ltr">Your message is kept, and is sent as soon as the profile is open.</p>` : ''}
</form>
</main>
<footer class="foot spread small no-print">
<div class="for-programs cluster"><strong>${words.forAssistant}</strong> ${site.hasOauth ? html`<span class="soft">${fillHtml(words.addAddress, { url: html`<code>${site.baseUrl}/mcp</code>`, ...namedPrograms(site) })}</span>` : ''}
<details${token === undefined ? '' : html` open`}><summary>${words.how}</summary>
<div lang="en" dir="ltr">
${site.hasOauth ? useIt(site, name ?? '', null) : ''}
<form class="access" method="post" action="${site.path('/profile')}">
${carried}
<label for="token">A token that you have already opens this page, too</label>
<p class="ask"><input id="token" name="token" required autocomplete="off" spellcheck="false" value="${token ?? ''}"><button class="secondary">Open the profile</button></p>
${rememberBox(landing, wordingOf())}
</form>
${documentLinks(site)}
</div>
</details></div>
</footer>`,
    },
    site,
  );
}

/** The name, title and other public facts of the candidate. */
export function introduction(profile: PublicProfile, wording: Wording): Html {
  const { title, summary, domains = [] } = profile;
  return html`<h1 dir="auto">${toVisible(headingOf(profile))}</h1>
${title === undefined ? '' : html`<p class="title" dir="auto">${toVisible(title)}</p>`}
${factsOf(profile, wording)}
${summary === undefined ? '' : html`<p class="summary" dir="auto">${toVisible(summary)}</p>`}
${domains.length === 0 ? '' : html`<p class="soft" dir="auto">${toVisible(domains.join(wording.comma))}</p>`}`;
}

const rememberBox = ({ rememberSeconds, isRemembered }: Landing, { words, duration }: Wording): Html =>
  html`<p class="small"><label class="choice"><input type="checkbox" name="remember"${isRemembered ? html` checked` : ''}> ${words.remember.replace('{time}', duration(rememberSeconds))}</label></p>`;

/** The candidate's place, years of work and availability, as far as public. */
function factsOf(profile: PublicProfile, { words, counted }: Wording): Html {
  const { location, availability, years_experience: years } = profile;
  const facts = [location, years === undefined ? undefined : counted(words.years, years), availability];
  const shown = facts.filter((fact) => fact !== undefined).map((fact) => html`<bdi>${toVisible(fact)}</bdi>`);
  if (shown.length === 0) return html``;
  return html`<p class="soft">${joined(shown, ' · ')}</p>`;
}

/** Describes the content that the address opens, in numbers if they are public. */
function leadOf({ profile, pdfPages }: Landing, { words, inWords, listed }: Wording): string {
  if (profile.counts === undefined) return words.opens;
  const { jobs, projects } = profile.counts;
  const behind = [
    ...(jobs === 0 ? [] : [inWords(words.jobs, jobs)]),
    ...(projects === 0 ? [] : [inWords(words.projects, projects)]),
    pdfPages === null ? words.pdf : inWords(words.pages, pdfPages),
  ];
  return capitalize(words.behind.replace('{what}', listed(behind)));
}

function seenOf({ profile, keepReads }: Landing, { words, duration }: Wording): Html {
  const name = html`<bdi>${toVisible(profile.name ?? capitalize(words.candidate))}</bdi>`;
  const sentence =
    keepReads === null
      ? fillHtml(words.addressSeen, { name })
      : fillHtml(words.readsSeen, { name, time: html`${duration(keepReads)}` });
  return html`${sentence} ${words.nothingSent}`;
}
