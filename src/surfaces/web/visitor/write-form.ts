import { html } from 'hono/html';
import { contactLimits } from '../../../model/contact.ts';
import { toVisible } from '../../../model/text.ts';
import { cutField, faultOf } from '../form.ts';
import type { Html } from '../page.ts';

const fields = ['name', 'email', 'company', 'message'] as const;

/** A message as typed into the form, field by field. */
export type MessageDraft = Readonly<Record<(typeof fields)[number], string>>;

const toDraft = (textOf: (field: keyof MessageDraft) => string) =>
  Object.fromEntries(fields.map((field) => [field, textOf(field)])) as MessageDraft;

/** Reads the draft of a form; fields that it lacks are empty. */
export const draftOf = (form: URLSearchParams): MessageDraft =>
  // Forms send every line break as two characters, but the limit on the page counts one (HTML, form control value).
  toDraft((field) => (form.get(field) ?? '').replaceAll('\r\n', '\n'));

/** Returns what a page shows again of a draft. */
export function shownDraftOf(form: URLSearchParams): MessageDraft {
  const draft = draftOf(form);
  return toDraft((field) => cutField(draft[field], contactLimits[field]));
}

/** Whether the visitor has typed a message. */
export const isTyped = ({ message }: MessageDraft): boolean => message.trim() !== '';

/** Hidden fields that carry a draft through another form. */
export const hiddenDraft = ({ name, company, message }: MessageDraft): Html =>
  html`${Object.entries({ name, company, message }).map(([field, value]) =>
    value === '' ? '' : html`<input type="hidden" name="${field}" value="${value}">`,
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

interface Options {
  readonly action: string;
  /** The hidden fields: form token, bearer token and idempotency key. */
  readonly hidden: Html;
  readonly draft: MessageDraft;
  readonly fault: FieldFault | null;
  /** The name of the recipient on the page. */
  readonly to: string;
}

/** The form that sends a message; `fault` stands by its field. */
export function writeForm({ action, hidden, draft, fault, to }: Options): Html {
  const field = (name: keyof MessageDraft, control: (attributes: Html) => Html): Html => {
    const { line, attributes } = faultOf(`write-${name}`, fault?.field === name ? `${fault.text}.` : undefined);
    return html`<div class="field field-${name}"><label for="write-${name}">${labels[name]}</label>
${line}
${control(html`id="write-${name}" name="${name}" required${attributes}`)}</div>`;
  };
  return html`<section class="write no-print" aria-labelledby="write">
<h2 id="write">Write to ${toVisible(to)}</h2>
<form method="post" action="${action}">
${hidden}
${field('name', (attributes) => html`<input ${attributes} maxlength="${contactLimits.name}" autocomplete="name" value="${draft.name}">`)}
${field('company', (attributes) => html`<input ${attributes} maxlength="${contactLimits.company}" autocomplete="organization" value="${draft.company}">`)}
${field('email', (attributes) => html`<input ${attributes} type="email" maxlength="${contactLimits.email}" autocomplete="email" value="${draft.email}">`)}
${field('message', (attributes) => html`<textarea ${attributes} rows="6" maxlength="${contactLimits.message}">${draft.message}</textarea>`)}
<p class="send"><span class="small soft">The answer comes by e-mail, to the address above.</span> <button>Send message</button></p>
</form>
</section>`;
}
