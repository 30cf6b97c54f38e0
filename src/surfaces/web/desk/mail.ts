import { html } from 'hono/html';
import { pluralize, toVisible } from 'resume-profile/text';
import { Failure } from '../../../model/failure.ts';
import {
  dailyHour,
  type MailBudget,
  type MailSchedule,
  reportKinds,
  type UnsentNotice,
  type WaitReason,
} from '../../../model/notice.ts';
import { getMail, retryMail, setMailSchedules } from '../../../operations/owner/mail.ts';
import type { OutputOf } from '../../../operations/owner/operation.ts';
import { codeBlock, type Html, inDetails, statusMessage } from '../page.ts';
import { head } from './elements.ts';
import type { Desk, DeskRequest, DeskRouter } from './router.ts';
import type { Times } from './time.ts';

const maxListed = 200;

export function addMailTo(desk: DeskRouter, { run }: Desk): void {
  desk.page('/desk/mail', async (request) => {
    const { query, times } = request;
    const mail = await run(getMail, {});
    const { unsent } = mail;
    const dead = unsent.filter(({ dueAt }) => dueAt === null);
    const waiting = unsent.filter(({ dueAt }) => dueAt !== null);
    const queued = query.get('queued') ?? '';
    return {
      title: 'Mail',
      section: 'Mail',
      body: html`${head('Mail', unsent.length === 0 ? 'Nothing waits' : countWords(waiting.length, dead.length))}
${/^\d{1,6}$/.test(queued) ? statusMessage('good', queuedWords(Number(queued))) : ''}
${destinationWords(mail)}
<p class="soft">${budgetWords(mail.budget)}</p>
${dead.length === 0 ? '' : deadSection(dead, request)}
${waiting.length === 0 ? '' : waitingSection(waiting, times)}
${unsent.length === 0 ? html`<p class="empty">No e-mail waits. One that cannot be delivered for now waits here, and nothing is lost.</p>` : ''}
${scheduleForm(mail, request)}
${times.zoneNote()}`,
    };
  });

  desk.action('/desk/mail/schedules', async ({ fields }) => {
    const [contact_request, auth_request] = reportKinds.map((kind) => fields.get(kind) as MailSchedule);
    await run(setMailSchedules, { contact_request: contact_request!, auth_request: auth_request! });
    return '/desk/mail?saved#schedules';
  });

  desk.action('/desk/mail/retry', async ({ fields }) => {
    const id = fields.get('id');
    if (id === '') throw new Failure('BAD_REQUEST');
    const { retried } = await run(retryMail, id === null ? {} : { id });
    return `/desk/mail?queued=${retried}`;
  });
}

const countWords = (waiting: number, dead: number): string =>
  [...(waiting > 0 ? [`${waiting} waiting`] : []), ...(dead > 0 ? [`${dead} given up`] : [])].join(', ');

const queuedWords = (count: number): string =>
  count === 0 ? 'Nothing was left to send again.' : `${pluralize(count, 'e-mail')} will be sent again now.`;

function destinationWords({ destination: { kind, name }, address }: OutputOf<typeof getMail>): Html {
  const to = address === undefined ? html`nobody, because no address is set` : html`<bdi>${toVisible(address)}</bdi>`;
  return kind === 'smtp'
    ? html`<p>Notices go to ${to} by the mail server <strong>${toVisible(name)}</strong>.</p>`
    : html`<p>Notices to ${to} are written to files on the machine that this site runs on, because no mail server is set up.</p>
${inDetails(html`<p>The files are in this folder. The setting <code>SMTP_URL</code> names a mail server.</p>${codeBlock('mail-folder', toVisible(name))}`)}`;
}

/** Names the setting of a mail server. */
export const noMailServer: Html = inDetails(html`<p>The setting <code>SMTP_URL</code> names the mail server.</p>`);

const kinds = {
  contact_request: { one: 'A message', many: 'messages' },
  auth_request: { one: 'A request for access', many: 'requests for access' },
  sign_in: { one: 'A link to sign in', many: 'links to sign in' },
  verification_code: { one: 'A code for a visitor', many: 'codes for visitors' },
  reply: { one: 'Your reply', many: 'replies' },
} as const;

function budgetWords({ used, perHour }: MailBudget): string {
  if (!Number.isFinite(perHour)) return 'Each is an e-mail of its own: nothing limits how many.';
  return `E-mails within the hour: ${used} of ${perHour}. The last one has all that waits.`;
}

const scheduleForm = (
  { schedules, next_daily_mail: nextAt }: OutputOf<typeof getMail>,
  { site, query, formToken, times }: DeskRequest,
): Html => html`<h2 id="schedules">When notices are sent</h2>
${query.has('saved') ? statusMessage('good', 'Saved.') : ''}
<form class="form" method="post" action="${site.path('/desk/mail/schedules')}">
${formToken}
${reportKinds.map(
  (kind) => html`<fieldset>
<legend>About ${kinds[kind].many}</legend>
<label class="choice"><input type="radio" name="${kind}" value="at_once"${schedules[kind] === 'at_once' ? html` checked` : ''}> <span>At once</span></label>
<label class="choice"><input type="radio" name="${kind}" value="daily"${schedules[kind] === 'daily' ? html` checked` : ''}> <span>Once a day, in one e-mail</span></label>
</fieldset>`,
)}
<p class="soft small">The daily e-mail is sent at ${String(dailyHour).padStart(2, '0')}:00 in the time zone of the server, next ${times.toDayAndTime(nextAt)}. The desk shows everything in it before. Links to sign in, codes and your replies are sent at once.</p>
<button class="secondary no-print">Save</button>
</form>`;

const deadSection = (
  dead: readonly UnsentNotice[],
  { site, formToken, times }: DeskRequest,
): Html => html`<h2>Given up</h2>
<p class="soft">These could not be sent, and are not tried again unless you say so. Nothing is lost: messages are in the inbox, requests for access under Readers, and a reply is under its message.</p>
<ul class="rows">
${dead.slice(0, maxListed).map(
  ({ id, kind, createdAt, attempts, lastError }) => html`<li class="row"><span class="mark bad"></span>
<p>${kinds[kind].one}, ${times.timeElement(createdAt)}. ${reasonWords(lastError)} <span class="soft">${pluralize(attempts, 'attempt')}.</span></p>
<form class="row-end" method="post" action="${site.path('/desk/mail/retry')}">${formToken}<input type="hidden" name="id" value="${id}"><button class="plain">Try again</button></form></li>
`,
)}
</ul>
${moreNote(dead)}
${dead.length > 1 ? html`<form method="post" action="${site.path('/desk/mail/retry')}">${formToken}<button class="secondary">Try all ${dead.length} again</button></form>` : ''}`;

const waitingSection = (waiting: readonly UnsentNotice[], times: Times): Html => html`<h2>Waiting</h2>
<ul class="rows">
${waiting.slice(0, maxListed).map(
  (notice) => html`<li class="row"><span class="mark${notice.waitsFor === 'retry' ? ' attention' : ''}"></span>
<p>${kinds[notice.kind].one}, ${times.timeElement(notice.createdAt)}. ${waitWords(notice, times)} ${reasonWords(notice.lastError)}</p></li>
`,
)}
</ul>
${moreNote(waiting)}`;

const moreNote = ({ length }: readonly unknown[]): Html | '' =>
  length > maxListed ? html`<p class="soft small">and ${length - maxListed} more</p>` : '';

function waitWords({ waitsFor, waitsUntil }: UnsentNotice, { toRelative }: Times): string {
  const at = waitsUntil === null ? 'soon' : toRelative(waitsUntil);
  const words: Record<WaitReason, string> = {
    being_sent: 'It is being sent.',
    retry: `The last attempt failed; the next is ${at}.`,
    hour_used_up: `The e-mails of this hour are used up; it follows ${at}.`,
    daily_mail: `It is sent with the daily e-mail, ${at}.`,
    due: 'It is sent next.',
  };
  return words[waitsFor!];
}

/** Explains the code of a failed attempt, and names it; '' for null. */
export function reasonWords(code: string | null): Html | '' {
  if (code === null) return '';
  const known = reasons.find(([pattern]) => pattern.test(code));
  return html`${known?.[1] ?? 'The mail server could not take it'} (<code>${toVisible(code)}</code>).`;
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^EMESSAGE .*5\d\d|^EMESSAGE 5/, 'The mail server refused the e-mail'],
  [/^(EMESSAGE|EENVELOPE) 4/, 'The mail server asked to try again later'],
  [/^EENVELOPE 5/, 'The mail server refused the sender or the recipient'],
  [/^EAUTH/, 'The mail server refused the password of this site'],
  [/^(ECONNECTION|ECONNREFUSED|ESOCKET|EDNS|ENOTFOUND)/, 'The mail server cannot be reached'],
  [/^(ETIMEDOUT|ETIMEOUT|AbortError|TimeoutError)/, 'The mail server did not answer in time'],
  [/^the owner has no address/, 'No address for notices is set'],
  [/^(ENOSPC|EACCES|EROFS|ENOTDIR)/, 'The file could not be written'],
];
