import { html } from 'hono/html';
import type { KeptData } from '../../../model/reader.ts';
import { pluralize, toVisible } from '../../../model/text.ts';
import { operations } from '../../../operations/index.ts';
import { formatDuration, formatInstant, toBrowserName } from '../format.ts';
import { type Html, type Page, type Site, statusMessage, table } from '../page.ts';
import type { Calls } from './calls.ts';
import { footer } from './profile-page.ts';

/** Seconds for which data caused by visitors is kept. */
export interface Retention {
  /** The lifetime of a token. */
  readonly tokens: number;
  /** Infinite if messages are kept until they are erased. */
  readonly messages: number;
  /** The owner's note of a visitor, after the last visit, if nothing else is kept. */
  readonly notes: number;
  readonly mail: number;
  readonly audit: number;
  /** A code that verifies an address; null if none is sent. */
  readonly codes: number | null;
}

interface Options {
  readonly keep: Retention;
  /** Seconds; null if reads are not recorded. */
  readonly keepReads: number | null;
  /** The candidate's public name, if there is one. */
  readonly name: string | undefined;
}

/** The page that tells visitors which data is kept of them, for how long, and how to see and erase it. */
export function privacyPage({ keep, keepReads, name }: Options, site: Site): Page {
  const who = toVisible(name ?? 'the candidate');
  const lines: Record<KeptData | 'log', readonly [what: string, howLong: string] | null> = {
    tokens: [
      'Your e-mail address, and when you asked for access',
      `${formatDuration(keep.tokens)}, as long as your token works`,
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
      'What you write: name, company, e-mail address, message',
      Number.isFinite(keep.messages) ? formatDuration(keep.messages) : `until ${who} erases it`,
    ],
    notes: [
      `What ${who} notes about you`,
      `as long as anything of the above is kept, and until ${formatDuration(keep.notes)} after you were last here`,
    ],
    mail: [
      `The e-mails that tell ${who} of your request for access, with the network address that it came from, and of what you write`,
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
<p>This site belongs to one person: ${who}. What it keeps is for that person alone. It sets no cookie for visitors${
      site.hasOauth ? ', except for half an hour while they allow a program to connect' : ''
    }, and the
pages make no request to another site.</p>
${table(['What', 'How long'], rows)}
<h2>See it, and erase it</h2>
<p><a href="${site.path('/')}">The page of the profile</a> shows what your token did, and erases it. From a program:</p>
<pre tabindex="0">curl ${site.baseUrl}/me \\
  -H "Authorization: Bearer $TOKEN"
curl -X DELETE ${site.baseUrl}/me \\
  -H "Authorization: Bearer $TOKEN"</pre>
<p>A token shows only what was done with it, not with other tokens for your address: nobody has verified the address, so
somebody else may have typed it. For all the rest, messages included, write to ${who}, who can export and erase everything that is
kept under your address${site.hasOauth ? ', and end the access of clients that you connected' : ''}.</p>
</main>
${footer(site)}`,
  };
}

interface MyReads {
  readonly record: Awaited<ReturnType<Calls['readsOf']>>;
  /** The candidate, who sees the same. */
  readonly name: string;
  /** The hidden fields that each form needs. */
  readonly hidden: Html;
}

const titles: ReadonlyMap<string, string> = new Map(operations.map(({ name, title }) => [name, title]));

/** The page that lists the reads of a visitor's token, and erases them. */
export function myReadsPage({ record, name, hidden }: MyReads, site: Site): Page {
  const { total, reads, erased_at: erasedAt, kept_seconds: keptSeconds, is_recorded: isRecorded } = record;
  const who = toVisible(name || 'The candidate');
  return {
    title: 'What your token did',
    layout: 'visitor',
    body: html`<main id="main" class="column reads">
<h1>What your token did</h1>
${
  isRecorded
    ? html`<p>${who} sees this list. Each line is kept for ${formatDuration(keptSeconds)}. It is about this token alone, not about
others for the same address.</p>`
    : html`<p>What visitors read is not recorded here.</p>`
}
${erasedAt === null ? '' : statusMessage('good', `The record was erased on ${formatInstant(new Date(erasedAt))} UTC. ${who} sees that, and when.`)}
${reads.length === 0 ? (isRecorded ? html`<p class="soft">Nothing has been recorded ${erasedAt === null ? 'yet. A read appears here a second or two later' : 'since'}.</p>` : '') : list(record)}
${total > reads.length ? html`<p class="soft small">And ${total - reads.length} more before.</p>` : ''}
${
  total === 0
    ? ''
    : html`<details><summary>Erase it</summary>
<form method="post" action="${site.path('/profile/record/erase')}">${hidden}
<p class="small soft">This ends ${total === 1 ? 'the record of one read' : `the record of ${pluralize(total, 'read')}`} for good. ${who} then sees that you erased it, and when. Your token and your
messages stay.</p>
<button class="danger">Erase the record</button></form></details>`
}
<form method="post" action="${site.path('/profile')}">${hidden}<button class="secondary">Back to the profile</button></form>
<p class="small"><a href="${site.path('/privacy')}">What else is kept of you</a></p>
</main>
${footer(site)}`,
  };
}

const list = ({ reads }: MyReads['record']): Html => html`<table class="small">
<thead><tr><th scope="col">When (UTC)</th><th scope="col">What</th><th scope="col">With</th></tr></thead>
<tbody>
${reads.map(
  ({
    operation,
    item,
    client,
    read_at: readAt,
  }) => html`<tr><td><time datetime="${readAt}">${formatInstant(new Date(readAt))}</time></td>
<td>${titles.get(operation) ?? operation}${item === null ? '' : html` <span class="soft">${toVisible(item)}</span>`}</td>
<td class="client">${client === null ? html`<span class="soft">unnamed</span>` : toVisible(toBrowserName(client))}</td></tr>`,
)}
</tbody></table>`;
