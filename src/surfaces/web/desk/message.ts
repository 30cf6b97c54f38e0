import { html } from 'hono/html';
import { pluralize, toVisible } from 'resume-profile/text';
import { type ContactState, contactLimits, type StoredContact } from '../../../model/contact.ts';
import { Failure } from '../../../model/failure.ts';
import type { StoredReply } from '../../../model/reply.ts';
import { toVisitorText } from '../../../model/visitor.ts';
import { type openContact, replyToContact, visitorsIn } from '../../../operations/owner/contacts.ts';
import { retryMail } from '../../../operations/owner/mail.ts';
import type { OutputOf } from '../../../operations/owner/operation.ts';
import type { Html } from '../page.ts';
import { head } from './elements.ts';
import { unreachable } from './erasure.ts';
import { noMailServer, reasonWords } from './mail.ts';
import { visitorName } from './reading.ts';
import type { Desk, DeskForm, DeskPage, DeskRequest, DeskRouter } from './router.ts';

/** A reply that was not stored, with the reason. */
export interface UnsentReply {
  readonly text: string;
  /** Kept, because a commit whose answer is lost may have stored the reply. */
  readonly key: string;
  readonly fault: string;
  readonly status: number;
}

interface MessagePage extends DeskRequest, OutputOf<typeof openContact> {
  readonly path: string;
  /** The reply of the form that was just refused. */
  readonly unsent: UnsentReply | undefined;
}

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

/** Adds the forms of replies; `show` shows the page of the contact request again. */
export function addReplyTo(
  desk: DeskRouter,
  { run }: Desk,
  show: (request: DeskRequest, unsent: UnsentReply) => Promise<DeskPage>,
): void {
  // Also a reply that is too long, which may be shortened.
  const keptFields = { reply: { limit: 2 * contactLimits.message }, key: { limit: 36, isHidden: true } };
  const reply = async (form: DeskForm) => {
    const [id, text, key] = [form.params.id!, form.fields.get('reply') ?? '', form.fields.get('key') ?? ''];
    try {
      await run(replyToContact, { id, reply: text, key });
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'NOT_FOUND') throw error;
      return show(form, { text, key, fault: faultWords(error), status: error.status });
    }
    return `/desk/inbox/${id}#replies`;
  };
  desk.action('/desk/inbox/:id/reply', reply, { keptFields });

  desk.action('/desk/inbox/:id/reply/retry', async ({ params, fields }) => {
    const id = fields.get('reply') ?? '';
    if (id === '') throw new Failure('BAD_REQUEST');
    await run(retryMail, { id });
    return `/desk/inbox/${params.id}#replies`;
  });
}

function faultWords({ code, message, retryAfterSeconds }: Failure): string {
  if (code === 'BAD_REQUEST') return `The ${message}`;
  if (code !== 'RATE_LIMITED') return `Nothing was sent, and your text is still here. ${message}`;
  const minutes = Math.ceil((retryAfterSeconds ?? 0) / 60);
  return `Nothing was sent, and your text is still here. No more replies are sent within the hour; try again in ${minutes} min.`;
}

/** The replies to a contact request, and the form for another; without a mail server, a link to a mail program. */
function replySection(page: MessagePage): Html {
  const { contact, replies, times, has_mail_server: hasMailServer } = page;
  const program = replyLink(contact, times.toExact(contact.receivedAt));
  return html`${replies.length === 0 ? '' : html`<h2 id="replies">${replies.length === 1 ? 'Your reply' : 'Your replies'}</h2>`}
${replies.map((reply) => replyItem(reply, page))}
${
  hasMailServer || page.unsent !== undefined
    ? replyForm(page, program)
    : html`<p id="reply"><a class="button" href="${program}">Reply</a></p>
<p class="soft small">Reply opens your mail program with the message quoted. It cannot tell this page, so mark the message when you have replied. Once this site has a mail server, you write replies here.</p>
${noMailServer}`
}`;
}

function replyItem(reply: StoredReply, { path, formToken, times: { timeElement, toRelative } }: MessagePage): Html {
  const { id, text, writtenAt, state, sentAt, lastError, nextTryAt } = reply;
  const words = {
    sent: () => html`Sent ${timeElement(sentAt ?? writtenAt)}.`,
    waiting: () =>
      nextTryAt === null
        ? html`<span class="mark new"></span> Written ${timeElement(writtenAt)}. It is sent next; reload this page to see that it was.`
        : html`<span class="mark attention"></span> Not sent yet. ${reasonWords(lastError)} The next attempt is ${toRelative(nextTryAt)}; attempts go on for a day.`,
    failed: () => html`<span class="mark bad"></span> Not sent. ${reasonWords(lastError)}`,
  };
  return html`<div class="reply">
<p class="reply-state small">${words[state]()}</p>
<div class="reply-text" dir="auto">${toVisible(text)}</div>
${
  state === 'failed'
    ? html`<form method="post" action="${path}/reply/retry">${formToken}<input type="hidden" name="reply" value="${id}"><button class="secondary">Try again</button></form>`
    : ''
}
</div>`;
}

function replyForm({ contact, replies, path, formToken, unsent }: MessagePage, program: string): Html {
  return html`<form class="form no-print" id="reply" method="post" action="${path}/reply">
${formToken}
<input type="hidden" name="key" value="${unsent?.key ?? crypto.randomUUID()}">
<label for="reply-text">${replies.length === 0 ? 'Your reply' : 'Reply again'}</label>
<p class="hint" id="reply-hint">It goes to <bdi>${toVisible(contact.email)}</bdi> by e-mail, with their message quoted below it. Their answer goes to your own address.</p>
${unsent === undefined ? '' : html`<p class="bad small" id="reply-fault" role="alert">${unsent.fault}</p>`}
<textarea id="reply-text" name="reply" rows="${replies.length === 0 ? 8 : 4}" dir="auto" required${unsent === undefined ? html` maxlength="10000" aria-describedby="reply-hint"` : html` aria-invalid="true" aria-describedby="reply-fault reply-hint" autofocus`}>
${unsent?.text ?? ''}</textarea>
<p class="actions"><button>Send the reply</button> <a class="small" href="${program}">Write it in your mail program instead</a></p>
</form>`;
}

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

/** Encodes a text for a URL in at most `length` characters; an ellipsis stands for the part that is cut. */
function encodedWithin(text: string, length: number): string {
  const encoded = encodeURIComponent(text);
  if (encoded.length <= length) return encoded;
  const ellipsis = encodeURIComponent('…');
  let prefix = '';
  for (const character of text) {
    const next = prefix + encodeURIComponent(character);
    if (next.length + ellipsis.length > length) break;
    prefix = next;
  }
  return prefix + ellipsis;
}
