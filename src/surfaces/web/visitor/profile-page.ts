import { html } from 'hono/html';
import { contactLimits } from '../../../model/contact.ts';
import { directionOf, toVisible } from '../../../model/text.ts';
import { cutField, faultOf, hidden } from '../form.ts';
import { formatDay } from '../format.ts';
import { type Html, pageResponse, type Site } from '../page.ts';
import { headingOf } from '../public/public-profile.ts';
import { useIt } from './connections.ts';
import { resumeOf, type ShownProfile } from './resume.ts';
import type { VisitorSession } from './visitor-sessions.ts';

const fields = ['name', 'email', 'company', 'message'] as const;

/** A message as typed into the form, field by field. */
export type MessageDraft = Readonly<Record<(typeof fields)[number], string>>;

const toDraft = (textOf: (field: keyof MessageDraft) => string) =>
  Object.fromEntries(fields.map((field) => [field, textOf(field)])) as MessageDraft;

/** Reads the draft of a form; fields that it lacks are empty. */
export const draftOf = (form: URLSearchParams): MessageDraft =>
  // Forms send every line break as two characters, but the limit on the page counts one (HTML, form control value).
  toDraft((field) => (form.get(field) ?? '').replaceAll('\r\n', '\n'));

/** Returns a draft cut to the lengths that a page shows again. */
export function shownDraftOf(form: URLSearchParams): MessageDraft {
  const draft = draftOf(form);
  return toDraft((field) => cutField(draft[field], contactLimits[field]));
}

/** Whether the visitor has typed a message. */
export const isTyped = ({ message }: MessageDraft): boolean => message.trim() !== '';

/** Hidden fields that carry a draft through another form. */
export const hiddenDraft = ({ name, company, message }: MessageDraft): Html =>
  html`${Object.entries({ name, company, message }).map(([field, value]) =>
    value === '' ? '' : hidden(field, value),
  )}`;

const labels = { name: 'Your name', email: 'Your e-mail address', company: 'Company', message: 'Message' };

/** A fault of one field, as the operation reports it: `company is required`. */
interface FieldFault {
  readonly field: string;
  readonly text: string;
}

/** Returns the field that a message of `BAD_REQUEST` names first, and the message with the field's label. */
export function toFieldFault(message: string): FieldFault {
  const field = fields.find((name) => message.startsWith(`${name} `)) ?? 'message';
  return { field, text: message.replace(field, labels[field]) };
}

/** The page of the profile for a visitor with access. */
export interface ProfilePage {
  readonly profile: ShownProfile;
  readonly visit: VisitorSession;
  /** Null until the visitor has asked to see it. */
  readonly token: string | null;
  readonly idempotencyKey: string;
  readonly draft: MessageDraft;
  readonly fault: FieldFault | null;
  /** A line on the action just taken or refused. */
  readonly notice?: Html;
  readonly status: number;
  /** Whether what visitors read is recorded. */
  readonly isRecorded: boolean;
}

/** Responds with the profile, the ways to use it from programs, and the form for a message. */
export function profileResponse(page: ProfilePage, site: Site): Promise<Response> {
  const { profile, visit, token, fault, notice, status, isRecorded } = page;
  const { name, title } = profile.candidate;
  const heading = headingOf(profile.candidate);
  return pageResponse(
    {
      title: `${fault === null ? '' : 'Not sent: '}${heading}`,
      layout: 'visitor',
      scripts: ['page.js'],
      hasCode: true,
      status,
      body: html`<header class="masthead" dir="${directionOf(heading)}">
<div><h1 dir="auto">${toVisible(heading)}</h1>
${title === '' ? '' : html`<p class="title" dir="auto">${toVisible(title)}</p>`}</div>
<div class="actions no-print">
<a class="button secondary" href="${site.path('/profile/pdf')}">Download PDF</a>
<a class="button" href="#write">Write a message</a>
</div>
</header>
<div class="sheet">
<main id="main">
${notice ?? ''}
${resumeOf(profile)}
</main>
<aside>
${writeForm(page, site)}
${useIt(site, name, { ...visit, token, isRecorded })}
${visitSection(page, site)}
</aside>
</div>
${footer(site)}`,
    },
    site,
  );
}

/** Who the visitor is here, for how long, and how to leave. */
function visitSection({ visit: { session, formToken }, profile }: ProfilePage, site: Site): Html {
  const stay = session.isRemembered ? `until ${formatDay(session.expiresAt)}` : 'until you close it';
  return html`<section class="visit small no-print" aria-labelledby="visit">
<h2 class="small" id="visit">You are here as <bdi>${toVisible(session.token.subject)}</bdi></h2>
<p class="soft">The profile stays open in this browser ${stay}.</p>
<p><a href="${site.path('/profile/record')}">What ${toVisible(profile.candidate.name || 'the candidate')} sees of you</a></p>
<form method="post" action="${site.path('/profile/leave')}">${formToken}<button class="plain">Leave</button></form>
</section>`;
}

/** The form that sends a message; `fault` stands by its field. */
function writeForm({ profile, visit, idempotencyKey, draft, fault }: ProfilePage, site: Site): Html {
  const field = (name: keyof MessageDraft, control: (attributes: Html) => Html): Html => {
    const { line, attributes } = faultOf(`write-${name}`, fault?.field === name ? `${fault.text}.` : undefined);
    return html`<div class="field field-${name}"><label for="write-${name}">${labels[name]}</label>
${line}
${control(html`id="write-${name}" name="${name}" required${attributes}`)}</div>`;
  };
  return html`<section class="write no-print" aria-labelledby="write">
<h2 id="write">Write to ${toVisible(profile.candidate.name || 'the candidate')}</h2>
<form method="post" action="${site.path('/profile/write')}">
${visit.formToken}${hidden('idempotency_key', idempotencyKey)}
${field('name', (attributes) => html`<input ${attributes} maxlength="${contactLimits.name}" autocomplete="name" value="${draft.name}">`)}
${field('company', (attributes) => html`<input ${attributes} maxlength="${contactLimits.company}" autocomplete="organization" value="${draft.company}">`)}
${field('email', (attributes) => html`<input ${attributes} type="email" maxlength="${contactLimits.email}" autocomplete="email" value="${draft.email}">`)}
${field('message', (attributes) => html`<textarea ${attributes} rows="6" maxlength="${contactLimits.message}">${draft.message}</textarea>`)}
<p class="send"><span class="small soft">The answer comes by e-mail, to the address above.</span> <button>Send message</button></p>
</form>
</section>`;
}

/** The addresses for programs, at the end of each page for visitors. */
export const footer = (site: Site): Html => html`<footer class="foot small no-print">
<nav aria-label="For programs"><span class="soft">For programs</span>
<a href="${site.path('/docs')}">Reference</a>
<a href="${site.path('/openapi.json')}">OpenAPI</a>
<a href="${site.path('/docs/mcp')}">MCP</a>
<a href="${site.path('/llms.txt')}">llms.txt</a></nav>
<a href="${site.path('/privacy')}">Privacy</a>
</footer>`;
