import { html } from 'hono/html';
import type { Upkeep } from '../../../model/upkeep.ts';
import { capitalize } from '../format.ts';
import type { Html, Site } from '../page.ts';
import { printFaults } from './prints.ts';
import type { Desk } from './router.ts';
import type { Times } from './time.ts';

const day = 24 * 60 * 60 * 1_000;
/** How many days before its end a certificate is reported: it should have been renewed by then. */
export const certificateWarningDays = 21;
const backupWarningDays = 7;
/** A failed print is tried again automatically; after this many failures it probably never succeeds. */
const maxQuietFailures = 3;

/** Returns the upkeep tasks as rows that say what is wrong and what can be done about it. */
export function upkeepRows(
  { deadLetters, isMailDegraded, isProfileStale, certificateExpiresAt: expiresAt, backedUpAt, ...upkeep }: Upkeep,
  { doctor, backUp }: Omit<Desk['commands'], 'init'>,
  site: Site,
  formToken: Html,
  { now, toExact }: Times,
): Html[] {
  const rows: Html[] = [];
  const add = (mark: 'attention' | 'bad', words: string, remedy: Html) =>
    rows.push(html`<li class="row"><span class="mark ${mark}"></span><p>${words}</p>
<div class="row-end actions">${remedy}</div></li>
`);
  const seeWhy = html`<a href="${site.path('/desk/mail')}">See why</a>`;
  if (deadLetters > 0)
    add(
      'attention',
      `${deadLetters === 1 ? 'One e-mail' : `${deadLetters} e-mails`} to you could not be sent.`,
      html`${seeWhy}
<form method="post" action="${site.path('/desk/mail/retry')}">${formToken}<button class="plain">Try again</button></form>`,
    );
  else if (isMailDegraded) add('attention', 'E-mails to you are not getting through. They are tried again.', seeWhy);
  if (upkeep.ownerWarning !== null) {
    const { found: fault, remedy } = upkeep.ownerWarning;
    add('attention', `${capitalize(fault)}.`, howTo('What to do', html`<p>${capitalize(remedy)}.</p>`));
  }
  if (isProfileStale)
    add(
      'bad',
      'The profile, as it is now, cannot be served. Visitors see the last version that could.',
      html`<a href="${site.path('/desk/profile')}">See the faults</a>`,
    );
  const failing = upkeep.failedPrints.filter(({ failures }) => failures >= maxQuietFailures);
  for (const { words, remedy } of printFaults(failing, '/desk', site, formToken)) add('bad', words, remedy);
  if (expiresAt !== null && expiresAt.getTime() - now.getTime() <= certificateWarningDays * day)
    add(
      expiresAt <= now ? 'bad' : 'attention',
      `The certificate of this site ${expiresAt <= now ? 'expired' : 'expires'} on ${toExact(expiresAt)}.`,
      howTo(
        'How to renew it',
        html`<p>Replace the files of TLS_CERT and TLS_KEY: they are taken within a minute. This checks them:</p><pre tabindex="0">${doctor}</pre>`,
      ),
    );
  const days = backedUpAt ? Math.floor((now.getTime() - backedUpAt.getTime()) / day) : Number.POSITIVE_INFINITY;
  if (backedUpAt !== undefined && days > backupWarningDays)
    add(
      'attention',
      backedUpAt === null ? 'There is no backup yet.' : `The last backup is ${days} days old.`,
      howTo(
        'How to back up',
        html`<p>Run this on the server, while the service goes on. Copy the signing key and the profile, too.</p><pre tabindex="0">${backUp(now)}</pre>`,
      ),
    );
  return rows;
}

const howTo = (title: string, body: Html): Html =>
  html`<details class="in-place"><summary>${title}</summary><div>${body}</div></details>`;
