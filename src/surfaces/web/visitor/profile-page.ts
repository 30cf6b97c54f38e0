import { html } from 'hono/html';
import { directionOf, toVisible } from '../../../model/text.ts';
import { formatDay } from '../format.ts';
import { type Html, pageResponse, type Site } from '../page.ts';
import { headingOf } from '../public/public-profile.ts';
import { resumeOf, type ShownProfile } from './resume.ts';
import { copyButton, useIt } from './use-it.ts';
import { type MessageDraft, type toFieldFault, writeForm } from './write-form.ts';

/** The page of the profile for a visitor with a token. */
export interface ProfilePage {
  readonly profile: ShownProfile;
  readonly token: string;
  readonly expiresAt: Date;
  /** The hidden fields that each form needs. */
  readonly hidden: Html;
  readonly idempotencyKey: string;
  readonly draft: MessageDraft;
  readonly fault: ReturnType<typeof toFieldFault> | null;
  /** A line on what was done or went wrong. */
  readonly notice?: Html;
  readonly status: number;
  /** The origin of the PDF if it is not ours. */
  readonly pdfOrigin?: string;
  /** Whether what visitors read is recorded. */
  readonly isRecorded: boolean;
}

/** Responds with the profile, what to use it with, and the form for a message. */
export function profileResponse(page: ProfilePage, site: Site): Promise<Response> {
  const { profile, token, hidden, draft, fault, notice, status, pdfOrigin, idempotencyKey } = page;
  const { name, title } = profile.candidate;
  const heading = headingOf(profile.candidate);
  return pageResponse(
    {
      title: `${fault === null ? '' : 'Not sent: '}${heading}`,
      layout: 'visitor',
      scripts: ['page.js'],
      hasCode: true,
      status,
      ...(pdfOrigin !== undefined && { formTarget: pdfOrigin }),
      body: html`<header class="masthead" dir="${directionOf(heading)}">
<div><h1 dir="auto">${toVisible(heading)}</h1>
${title === '' ? '' : html`<p class="title" dir="auto">${toVisible(title)}</p>`}</div>
<div class="actions no-print">
<form method="post" action="${site.path('/profile/pdf')}">${hidden}<button class="secondary">Download PDF</button></form>
<a class="button" href="#write">Write a message</a>
</div>
</header>
<div class="sheet">
<main id="main">
${notice ?? ''}
${resumeOf(profile)}
</main>
<aside>
${useIt(site, name, token)}
${tokenSection(page, site)}
${writeForm({
  action: site.path('/profile/write'),
  hidden: html`${hidden}<input type="hidden" name="idempotency_key" value="${idempotencyKey}">`,
  draft,
  fault,
  to: name || 'the candidate',
})}
</aside>
</div>
${footer(site)}`,
    },
    site,
  );
}

const tokenSection = ({ token, expiresAt, hidden, profile, isRecorded }: ProfilePage, site: Site): Html => html`<section
  class="token no-print" aria-labelledby="token-title">
<h2 class="small" id="token-title">Your token <span class="soft">works until ${formatDay(expiresAt)}</span></h2>
<p class="token-box"><code class="masked" id="token" data-keep tabindex="0">${token}</code> ${copyButton('token')}
<button type="button" class="plain" data-forget="${site.path('/')}" data-needs-script>Forget</button></p>
<p class="small" data-needs-script><label class="inline"><input type="checkbox" id="keep"> Keep it in this browser, so that this page opens by itself</label></p>
<p class="small soft">It opens everything here, from any program; treat it as a password.
${isRecorded ? html`${toVisible(profile.candidate.name || 'The candidate')} sees what you read with it.` : ''}</p>
<form method="post" action="${site.path('/profile/record')}">${hidden}<button class="plain small">What your token did</button></form>
</section>`;

/** The addresses for programs, at the end of each page for visitors. */
export const footer = (site: Site): Html => html`<footer class="foot small no-print">
<nav aria-label="For programs"><span class="soft">For programs</span>
<a href="${site.path('/docs')}">Reference</a>
<a href="${site.path('/openapi.json')}">OpenAPI</a>
<a href="${site.path('/docs/mcp')}">MCP</a>
<a href="${site.path('/llms.txt')}">llms.txt</a></nav>
<a href="${site.path('/privacy')}">Privacy</a>
</footer>`;
