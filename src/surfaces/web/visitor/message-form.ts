import { html } from 'hono/html';
import { toVisible } from 'resume-profile/text';
import { ContactRequest, contactLimits } from '../../../model/contact.ts';
import { cutField, faultOf } from '../form.ts';
import type { Html } from '../page.ts';
import { fill, fillHtml, type PageWords } from './wording.ts';

const fields = ['name', 'email', 'company', 'message'] as const;
type Field = (typeof fields)[number];

/** A message as typed into the form, field by field. */
export type MessageDraft = Readonly<Record<Field, string>>;

const toDraft = (textOf: (field: Field) => string) =>
  Object.fromEntries(fields.map((field) => [field, textOf(field)])) as MessageDraft;

/** Reads the draft of a form; missing fields are empty. */
export const draftOf = (form: URLSearchParams): MessageDraft =>
  // Forms send every line break as two characters, but the limit on the page counts one (HTML, form control value).
  toDraft((field) => (form.get(field) ?? '').replaceAll('\r\n', '\n'));

/** Returns a draft cut to the lengths that a page shows again. */
export const shownDraftOf = (form: URLSearchParams): MessageDraft => cutDraft(form, 0);

/** Returns a draft to be stored: a field that was too long stays one character too long, so that it has that fault again. */
export const keptDraftOf = (form: URLSearchParams): MessageDraft => cutDraft(form, 1);

function cutDraft(form: URLSearchParams, excess: number): MessageDraft {
  const draft = draftOf(form);
  return toDraft((field) => cutField(draft[field], contactLimits[field] + excess));
}

export const isTyped = ({ message }: MessageDraft): boolean => message.trim() !== '';

/** Hidden fields that pass a draft through another form. */
export const hiddenDraft = ({ name, company, message }: MessageDraft): Html =>
  html`${Object.entries({ name, company, message }).map(([field, value]) =>
    value === '' ? '' : html`<input type="hidden" name="${field}" value="${value}">`,
  )}`;

/** The faults of a draft, one a field, each as a sentence without its full stop. */
export type DraftFaults = ReadonlyMap<Field, string>;

/** Returns all faults of a draft; the operation reports only the first. */
export function faultsOf(draft: MessageDraft, words: PageWords): DraftFaults {
  const issues = ContactRequest.safeParse(draft).error?.issues ?? [];
  return new Map(
    issues.map(({ path: [name], message }) => {
      const field = name as Field;
      const pattern =
        message === 'is required'
          ? words.missing
          : field === 'email'
            ? words.notAnAddress
            : message.startsWith('must be at most')
              ? words.tooLong
              : words.unreadable;
      return [field, fill(pattern, { field: words[field], n: `${contactLimits[field]}` })];
    }),
  );
}

interface MessageForm {
  readonly action: string;
  readonly hidden: Html;
  readonly draft: MessageDraft;
  readonly faults: DraftFaults;
  /** Whether the visitor has no known address. */
  readonly asksEmail: boolean;
  /** The candidate's name; empty if it is unwritten. */
  readonly name: string;
  readonly words: PageWords;
}

/** The height of the form, in lines of text. */
export const formLines = 19;

/** The form that sends a message to the candidate; the answer goes to the visitor's address. */
export function messageForm({ action, hidden, draft, faults, asksEmail, name, words }: MessageForm): Html {
  const hasEmail = asksEmail || faults.has('email');
  const field = (name: Field, control: (attributes: Html) => Html): Html => {
    const fault = faults.get(name);
    const { line, attributes } = faultOf(`write-${name}`, fault === undefined ? undefined : `${fault}.`);
    return html`<div><label for="write-${name}">${words[name]}</label>
${line}
${control(html`id="write-${name}" name="${name}" required${attributes}`)}</div>`;
  };
  const { email } = draft;
  const answer = fillHtml(words.answer, { email: html`<bdi>${toVisible(email)}</bdi>` });
  return html`<section class="write no-print" aria-labelledby="write">
<h2 id="write">${name === '' ? words.write : fillHtml(words.writeTo, { name: html`<bdi>${toVisible(name)}</bdi>` })}</h2>
<form method="post" action="${action}">
${hidden}
<p class="small soft">${words.required}</p>
${field('name', (attributes) => html`<input ${attributes} maxlength="${contactLimits.name}" autocomplete="name" value="${draft.name}">`)}
${field('company', (attributes) => html`<input ${attributes} maxlength="${contactLimits.company}" autocomplete="organization" value="${draft.company}">`)}
${
  hasEmail
    ? field('email', (attributes) => html`<input ${attributes} type="email" autocomplete="email" value="${email}">`)
    : html`<input type="hidden" name="email" value="${email}">`
}
${field('message', (attributes) => html`<textarea ${attributes} rows="6" maxlength="${contactLimits.message}">${draft.message}</textarea>`)}
<p class="actions"><button>${words.send}</button> <span class="small soft">${hasEmail ? '' : answer}</span></p>
</form>
</section>`;
}

/** The summary of the faults above a form, with links to the fields. */
export const faultSummary = (faults: DraftFaults, words: PageWords): Html =>
  html`<div class="notice bad" role="alert" aria-labelledby="problem" tabindex="-1" autofocus>
<h2 id="problem">${words.problem}</h2>
<ul>${[...faults].map(([field, text]) => html`<li><a href="#write-${field}">${text}</a></li>`)}</ul>
</div>`;
