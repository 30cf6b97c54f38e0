import { html } from 'hono/html';
import { toVisible } from 'resume-profile/text';
import { type Contact, excerptOf } from '../../../model/contact.ts';
import type { KeptData } from '../../../model/reader.ts';
import { toCurrentEvents, type VisitEvent, visitsOf } from '../../../model/visit.ts';
import type { OwnRecord } from '../../../operations/me.ts';
import { capitalize, formatDuration, formatInstant, toKnownName } from '../format.ts';
import { type Html, type Page, type Site, statusMessage, table } from '../page.ts';
import { actsOf, toList } from '../visit-words.ts';
import { footer } from './profile-page.ts';

/** Seconds for which data caused by visitors is kept. */
export interface Retention {
  /** The lifetime of a token. */
  readonly tokens: number;
  /** The longest time for which a browser keeps the session. */
  readonly sessions: number;
  /** Infinite if messages are kept until they are erased. */
  readonly messages: number;
  /** The owner's note about a visitor, after the last visit, if nothing else is stored. */
  readonly notes: number;
  readonly mail: number;
  readonly audit: number;
  /** A code that verifies an address; null if none is sent. */
  readonly codes: number | null;
}

interface PrivacyPageOptions {
  readonly keep: Retention;
  /** Seconds; null if reads are not recorded. */
  readonly keepReads: number | null;
  /** The candidate's public name, if there is one. */
  readonly name: string | undefined;
  /** The name of the session cookie. */
  readonly cookie: string;
}

/** The page that tells visitors what data about them is stored, for how long, and how to see and erase it. */
export function privacyPage({ keep, keepReads, name, cookie }: PrivacyPageOptions, site: Site): Page {
  const who = toVisible(name ?? 'the candidate');
  const lines: Record<KeptData | 'log', readonly [what: string, howLong: string] | null> = {
    tokens: [
      `Your e-mail address, or the link of ${who} that you opened and a keyed hash of your network and the hour, and when you asked for access`,
      `${formatDuration(keep.tokens)}, as long as your token works`,
    ],
    sessions: [
      'That the profile is open in your browser: a hash of the cookie, and the id of your token; and a message that came back to you, until you send it',
      `${formatDuration(keep.sessions)}, or until you leave`,
    ],
    grants: site.hasOauth
      ? [
          'Which clients you connected, when, and what they may do',
          `${formatDuration(keep.tokens)} after a client last got a token`,
        ]
      : null,
    reads:
      keepReads === null
        ? null
        : [
            'What you read with your token: which part, when, and the name that your program gives itself',
            formatDuration(keepReads),
          ],
    messages: [
      `What you write: name, company, e-mail address, message; and what ${who} replies`,
      Number.isFinite(keep.messages) ? formatDuration(keep.messages) : `until ${who} erases it`,
    ],
    notes: [
      `What ${who} notes about you`,
      `as long as anything of the above is kept, and until ${formatDuration(keep.notes)} after you were last here`,
    ],
    mail: [
      `The e-mails that tell ${who} of your request for access, with the network address that it came from, that a link was opened for the first time, and of what you write`,
      `${formatDuration(keep.mail)} after they were sent; in the mailbox, until ${who} deletes them`,
    ],
    codes:
      keep.codes === null
        ? null
        : [
            'If you connect a program, or somebody else types your address: a hash of the code that is sent to it, and the e-mail with it',
            `${formatDuration(keep.codes)}, or until you enter it, and up to an hour more`,
          ],
    log: ['A log of tokens issued and refused; addresses in it are keyed hashes', formatDuration(keep.audit)],
  };
  const rows = Object.values(lines).filter((line) => line !== null);
  return {
    title: 'What is kept of you',
    layout: 'visitor',
    body: html`<main id="main" class="column privacy">
<h1>What is kept of you</h1>
<p>This site belongs to one person: ${who}. What it keeps is for that person alone. The
pages make no request to another site.</p>
<p>The page of a link keeps nothing until you open the profile with it. When you open the profile, it sets one cookie, <code>${cookie}</code>, which keeps the profile open: until you leave or close the
browser, or, if you ask to be remembered, for ${formatDuration(keep.sessions)}. It holds a random number, and nothing of you. An address
that was mistyped is in a second one, for ten minutes or until the profile is open.${
      site.hasOauth ? ' There are two more for half an hour while you allow a program to connect.' : ''
    }</p>
${table(['What', 'How long'], rows)}
<h2>See it, and erase it</h2>
<p>Once you have opened the profile, <a href="${site.path('/profile/record')}">What ${who} sees of you</a> lists what you read, and
erases it. From a program, with its token:</p>
<pre tabindex="0">curl ${site.baseUrl}/me \\
  -H "Authorization: Bearer $TOKEN"
curl -X DELETE ${site.baseUrl}/me \\
  -H "Authorization: Bearer $TOKEN"</pre>
<p>A token shows only what was done with it, not with other tokens for your address: nobody has verified the address, so
somebody else may have typed it. For all the rest, messages included, write to ${who}, who can export and erase everything that is
kept under your address, or of those who opened a link${site.hasOauth ? ', and end the access of clients that you connected' : ''}.</p>
</main>
${footer(site)}`,
  };
}

interface MyReads {
  readonly record: OwnRecord;
  /** The messages sent with the token, the latest first. */
  readonly messages: readonly Contact[];
  /** The names of the operations that visitors can call. */
  readonly offered: readonly string[];
  /** The name of the candidate, who sees the same. */
  readonly name: string;
  readonly formToken: Html;
}

/** The page that shows a visitor what the owner sees of one token, visit by visit, and erases its record. */
export function myReadsPage(page: MyReads, site: Site): Page {
  const { record, messages, name, formToken } = page;
  const { total, reads, erased_at: erasedAt, kept_seconds: keptSeconds, is_recorded: isRecorded } = record;
  const who = toVisible(name || 'The candidate');
  const title = `What ${name || 'the candidate'} sees of you`;
  return {
    title,
    layout: 'visitor',
    body: html`<main id="main" class="column reads">
<h1>${toVisible(title)}</h1>
${
  isRecorded
    ? html`<p>${who} sees this list. What you read is kept for ${formatDuration(keptSeconds)}. It is about your access here
alone, not about what others do with the same address.</p>`
    : html`<p>What visitors read is not recorded here.</p>`
}
${erasedAt === null ? '' : statusMessage('good', `The record was erased on ${formatInstant(new Date(erasedAt))} UTC. ${who} sees that, and when.`)}
${total > 0 || messages.length > 0 ? visitList(page) : ''}
${total === 0 && isRecorded ? html`<p class="soft">Nothing that you read has been recorded ${erasedAt === null ? 'yet. It appears here a second or two later' : 'since'}.</p>` : ''}
${total > reads.length ? html`<p class="soft small">And what was read before, which is not shown here.</p>` : ''}
${
  total === 0
    ? ''
    : html`<details><summary>Erase it</summary>
<form method="post" action="${site.path('/profile/record/erase')}">${formToken}
<p class="small soft">This ends the record of what you read with this token for good. ${who} then sees that you erased it, and when. Your token and your
messages stay.</p>
<button class="danger">Erase the record</button></form></details>`
}
${messages.length === 0 ? '' : messageList(messages)}
<p><a class="button secondary" href="${site.path('/')}">Back to the profile</a></p>
<p class="small"><a href="${site.path('/privacy')}">What else is kept of you</a></p>
</main>
${footer(site)}`,
  };
}

const toEvents = ({ record, messages }: MyReads): VisitEvent[] =>
  [
    ...record.reads.map(({ read_at, ...read }) => ({ ...read, at: new Date(read_at) })),
    ...messages.map(({ id, receivedAt: at }) => ({
      ...{ operation: 'message', item: id, surface: null, client: null, at },
    })),
  ]
    .map((event) => ({ ...event, until: event.at, count: 1 }))
    .sort((one, other) => one.at.getTime() - other.at.getTime());

const timeOf = (instant: Date): Html =>
  html`<time datetime="${instant.toISOString()}">${formatInstant(instant)}</time>`;

function visitList(page: MyReads): Html {
  const rows = visitsOf(toEvents(page))
    .toReversed()
    .map((visit) => {
      const clients = [...new Set(visit.flatMap(({ client }) => (client === null ? [] : [toKnownName(client)])))];
      return html`<tr><td>${timeOf(visit[0]!.at)}</td>
<td>${toVisible(capitalize(toList(actsOf(toCurrentEvents(visit), page.offered))))}</td>
<td class="client soft">${clients.length === 0 ? html`unnamed` : toVisible(toList(clients))}</td></tr>\n`;
    });
  return html`<table class="small">
<thead><tr><th scope="col">Visit (UTC)</th><th scope="col">What you did</th><th scope="col">With</th></tr></thead>
<tbody>
${rows}</tbody></table>`;
}

const messageList = (messages: readonly Contact[]): Html => html`<h2>What you wrote</h2>
<ul class="sent">
${messages.map(
  ({ name, email, receivedAt, message }) =>
    html`<li><q dir="auto">${toVisible(excerptOf(message, 200))}</q><br>
<span class="soft small">${timeOf(receivedAt)}, as <bdi>${toVisible(name)}</bdi>, <bdi>${toVisible(email)}</bdi></span></li>\n`,
)}</ul>`;
