import { html } from 'hono/html';
import type { ContactState, StoredContact } from '../../../model/contact.ts';
import { pluralize, toVisible } from '../../../model/text.ts';
import { addressesOf, type openContact } from '../../../operations/owner/contacts.ts';
import type { OutputOf } from '../../../operations/owner/operation.ts';
import type { Html, Site } from '../page.ts';
import { unreachable } from './erasure.ts';
import type { DeskPage } from './router.ts';
import type { Times } from './time.ts';

type Opened = OutputOf<typeof openContact>;
type Visitors = Opened['visitors'];

interface Message extends Opened {
  readonly times: Times;
  readonly formToken: Html;
}

/** The page with one contact request. */
export function messagePage({ contact, visitors, times, formToken }: Message, site: Site): DeskPage {
  const { id, name, email, company, message, state, receivedAt } = contact;
  const { timeElement, toExact, zoneNote } = times;
  const path = site.path(`/desk/inbox/${id}`);
  return {
    title: `${name} wrote`,
    section: 'Inbox',
    body: html`<p class="small"><a href="${site.path('/desk/inbox')}">Inbox</a></p>
<div class="head">
<h1><bdi>${toVisible(name)}</bdi></h1>
<p class="soft small">${stateWords[state]}</p>
</div>
<dl class="facts">
<div><dt>Reply to</dt><dd><bdi>${toVisible(email)}</bdi> <span class="attention small">not verified</span></dd></div>
<div><dt>Company</dt><dd><bdi>${toVisible(company)}</bdi></dd></div>
<div><dt>Received</dt><dd>${toExact(receivedAt)} <span class="soft small">(${timeElement(receivedAt)})</span></dd></div>
<div><dt>Token</dt><dd>${tokenWords(contact)}</dd></div>
</dl>
<div class="message" dir="auto">${toVisible(message.replaceAll('\r\n', '\n'))}</div>
<form class="actions" method="post" action="${path}/state">
${formToken}
<a class="button" href="${replyLink(contact, toExact(receivedAt))}">Reply</a>
${transitions.map(([to, title]) => (to === state ? '' : html`<button class="secondary" name="state" value="${to}">${title}</button>`))}
</form>
<p class="soft small">Reply opens your mail program with the message quoted. It cannot tell this page, so mark the message when you have replied.</p>
<p class="actions small">Export it: <a href="${path}/export.csv" download>CSV</a> <a href="${path}/export" download>JSON</a></p>
${erasing(visitors, path, formToken)}
${zoneNote()}`,
  };
}

const stateWords: Record<ContactState, string> = {
  unread: 'Unread',
  read: 'Read',
  replied: 'You replied',
  archived: 'Archived',
  spam: 'Spam',
};

/** The buttons by the state that they set; opening a message marks it as read. */
const transitions: readonly (readonly [ContactState, string])[] = [
  ['replied', 'Mark as replied'],
  ['unread', 'Mark as unread'],
  ['archived', 'Archive'],
  ['spam', 'Spam'],
];

function tokenWords(contact: StoredContact): Html {
  const { subject } = contact;
  if (subject === null) return html`None: it was sent from your own machine.`;
  return addressesOf(contact).length === 1
    ? html`Issued to the same address. Nobody has checked that the sender reads mail there.`
    : html`<strong class="attention">Issued to another address</strong>, <bdi>${toVisible(subject)}</bdi>. Neither is verified: reply with care.`;
}

const erasing = (visitors: Visitors, path: string, formToken: Html): Html => html`<details class="erase">
<summary class="danger small">Erase …</summary>
<form method="post" action="${path}/erase">
${formToken}
<fieldset>
<legend>What to erase</legend>
<label class="choice"><input type="radio" name="what" value="message" checked> <span>Only this message, and the notice about it</span></label>
${visitors.map(
  ({ email, contacts, tokens }) =>
    html`<label class="choice"><input type="radio" name="what" value="${email}"> <span>Everything of <bdi>${toVisible(email)}</bdi>: ${pluralize(contacts, 'message')}, ${pluralize(tokens, 'token')}, and the record of what they have read.${tokens > 0 ? ' Their tokens end.' : ''}</span></label>`,
)}
</fieldset>
<p class="soft small">This cannot be undone. ${unreachable}</p>
<button class="danger">Erase for good</button>
</form>
</details>`;

// Outlook and browsers on Windows refuse or cut links of more than about 2,000 characters.
const maxLength = 1_900;
const maxNameLength = 60;

/**
 * Returns the link that opens a mail program with a reply to a contact request (RFC 6068); `receivedAt` is its instant
 * in words. The message is quoted as far as mail programs take it.
 */
export function replyLink(
  { name, email, message }: Pick<StoredContact, 'name' | 'email' | 'message'>,
  receivedAt: string,
): string {
  const at = email.lastIndexOf('@');
  const address = `${encodeURIComponent(email.slice(0, at))}@${encodeURIComponent(email.slice(at + 1))}`;
  const shortName = [...toVisible(name)].slice(0, maxNameLength).join('');
  const introduction = `\r\n\r\n${shortName} wrote on ${receivedAt}:\r\n\r\n`;
  const head = `mailto:${address}?subject=${encodeURIComponent('Re: your message')}&body=${encodeURIComponent(introduction)}`;
  const lines = message.trim().split(/\r?\n/);
  const quote = lines.map((line) => `> ${toVisible(line)}`).join('\r\n');
  return head + encodedWithin(quote, maxLength - head.length);
}

/** Encodes a text for a URL, cut so that it has at most so many characters; an ellipsis stands for what is left out. */
function encodedWithin(text: string, length: number): string {
  const encoded = encodeURIComponent(text);
  if (encoded.length <= length) return encoded;
  const ellipsis = encodeURIComponent('…');
  let kept = '';
  for (const character of text) {
    const next = kept + encodeURIComponent(character);
    if (next.length + ellipsis.length > length) break;
    kept = next;
  }
  return kept + ellipsis;
}
