import { html } from 'hono/html';
import { pluralize, toVisible } from 'resume-profile/text';
import type { ContactState, StoredContact } from '../../../model/contact.ts';
import { toVisitorText } from '../../../model/visitor.ts';
import { visitorsIn } from '../../../operations/owner/contacts.ts';
import type { Html } from '../page.ts';
import { head } from './elements.ts';
import { unreachable } from './erasure.ts';
import { visitorName } from './reading.ts';
import { type MessagePage, replySection } from './reply.ts';
import type { DeskPage } from './router.ts';

/** The page with one contact request. */
export function messagePage(page: MessagePage): DeskPage {
  const { site, contact, path, times, formToken, unsent } = page;
  const { name, email, company, message, state, receivedAt } = contact;
  const { timeElement, toExact, zoneNote } = times;
  return {
    title: unsent === undefined ? `${name} wrote` : 'Not sent: your reply',
    section: 'Inbox',
    status: unsent?.status ?? 200,
    body: html`<p class="small"><a href="${site.path('/desk/inbox')}">Inbox</a></p>
${head(html`<bdi>${toVisible(name)}</bdi>`, stateWords[state])}
<dl class="facts">
<div><dt>Reply to</dt><dd><bdi>${toVisible(email)}</bdi> <span class="attention small">not verified</span></dd></div>
<div><dt>Company</dt><dd><bdi>${toVisible(company)}</bdi></dd></div>
<div><dt>Received</dt><dd>${toExact(receivedAt)} <span class="soft small">(${timeElement(receivedAt)})</span></dd></div>
<div><dt>Token</dt><dd>${tokenWords(contact)}</dd></div>
</dl>
<div class="message" dir="auto">${toVisible(message.replaceAll('\r\n', '\n'))}</div>
${replySection(page)}
<form class="actions" method="post" action="${path}/state">
${formToken}
${transitions.map(([to, title]) => (to === state ? '' : html`<button class="secondary" name="state" value="${to}">${title}</button>`))}
</form>
<p class="actions small">Export it: <a href="${path}/export.csv" download>CSV</a> <a href="${path}/export" download>JSON</a></p>
${erasing(page)}
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
  if (visitorsIn(contact).length === 1)
    return html`Issued to the same address. Nobody has checked that the sender reads mail there.`;
  if (subject.kind === 'link')
    return html`Sent through your link for ${visitorName(subject)}. Nobody has checked that the sender reads mail at the address.`;
  return html`<strong class="attention">Issued to another address</strong>, ${visitorName(subject)}. Neither is verified: reply with care.`;
}

const erasing = ({ visitors, path, formToken }: MessagePage): Html => html`<details class="erase">
<summary class="danger small">Erase …</summary>
<form class="form" method="post" action="${path}/erase">
${formToken}
<fieldset>
<legend>What to erase</legend>
<label class="choice"><input type="radio" name="what" value="message" checked> <span>Only this message, and the notice about it</span></label>
${visitors.map(
  ({ visitor, contacts, tokens }) =>
    html`<label class="choice"><input type="radio" name="what" value="${toVisitorText(visitor)}"> <span>Everything of ${visitorName(visitor)}: ${pluralize(contacts, 'message')}, ${pluralize(tokens, 'token')}, and the record of what they have read.${tokens > 0 ? ' Their tokens end.' : ''}</span></label>`,
)}
</fieldset>
<p class="soft small">This cannot be undone. ${unreachable}</p>
<button class="danger">Erase for good</button>
</form>
</details>`;
