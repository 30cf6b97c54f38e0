import { html } from 'hono/html';
import type { Upkeep } from '../../../operations/owner/services.ts';
import { capitalize } from '../format.ts';
import type { Html, Site } from '../page.ts';
import type { Desk } from './router.ts';
import { toExact } from './time.ts';

type Commands = Omit<Desk['commands'], 'init'>;

/** Something to do: what is wrong, and what can be done about it. */
interface Chore {
  readonly mark: 'attention' | 'bad';
  readonly words: string;
  readonly remedy: Html;
}

const day = 24 * 60 * 60 * 1_000;
/** From how many days before its end a certificate is warned of: it should have been renewed by then. */
export const certificateWarningDays = 21;
const backupWarningDays = 7;

/** Returns what needs doing, each as a row. */
export function upkeepRows(upkeep: Upkeep, commands: Commands, site: Site, formToken: Html, now: Date): Html[] {
  return [
    ...mailChores(upkeep, site, formToken),
    ...profileChores(upkeep, site),
    ...certificateChores(upkeep, commands, now),
    ...backupChores(upkeep, commands, now),
  ].map(
    ({ mark, words, remedy }) => html`<li class="row"><span class="mark ${mark}"></span><p>${words}</p>
<div class="row-end actions">${remedy}</div></li>
`,
  );
}

function mailChores({ deadLetters, isMailDegraded, ownerWarning }: Upkeep, site: Site, formToken: Html): Chore[] {
  const seeWhy = html`<a href="${site.path('/desk/mail')}">See why</a>`;
  const chores: Chore[] = [];
  if (deadLetters > 0)
    chores.push({
      mark: 'attention',
      words: `${deadLetters === 1 ? 'One e-mail' : `${deadLetters} e-mails`} to you could not be sent.`,
      remedy: html`${seeWhy}
<form method="post" action="${site.path('/desk/mail/retry')}">${formToken}<button class="plain">Try again</button></form>`,
    });
  else if (isMailDegraded)
    chores.push({
      mark: 'attention',
      words: 'E-mails to you are not getting through. They are tried again.',
      remedy: seeWhy,
    });
  if (ownerWarning !== null)
    chores.push({
      mark: 'attention',
      words: `${capitalize(ownerWarning.found)}.`,
      remedy: howTo('What to do', html`<p>${capitalize(ownerWarning.remedy)}.</p>`),
    });
  return chores;
}

function profileChores({ isProfileStale }: Upkeep, site: Site): Chore[] {
  if (!isProfileStale) return [];
  const remedy = html`<a href="${site.path('/desk/profile')}">See the faults</a>`;
  return [
    {
      mark: 'bad',
      words: 'The profile, as it is now, cannot be served. Visitors see the last version that could.',
      remedy,
    },
  ];
}

function certificateChores({ certificateExpiresAt: at }: Upkeep, { doctor }: Commands, now: Date): Chore[] {
  if (at === null || at.getTime() - now.getTime() > certificateWarningDays * day) return [];
  const hasExpired = at <= now;
  return [
    {
      mark: hasExpired ? 'bad' : 'attention',
      words: `The certificate of this site ${hasExpired ? 'expired' : 'expires'} on ${toExact(at)}.`,
      remedy: howTo(
        'How to renew it',
        html`<p>Replace the files of TLS_CERT and TLS_KEY, and start the service again. This checks them:</p><pre tabindex="0">${doctor}</pre>`,
      ),
    },
  ];
}

function backupChores({ backedUpAt }: Upkeep, { backUp }: Commands, now: Date): Chore[] {
  if (backedUpAt === undefined) return [];
  const days =
    backedUpAt === null ? Number.POSITIVE_INFINITY : Math.floor((now.getTime() - backedUpAt.getTime()) / day);
  if (days <= backupWarningDays) return [];
  return [
    {
      mark: 'attention',
      words: backedUpAt === null ? 'There is no backup yet.' : `The last backup is ${days} days old.`,
      remedy: howTo(
        'How to back up',
        html`<p>Run this on the server, while the service goes on. Copy the signing key and the profile, too.</p><pre tabindex="0">${backUp(now)}</pre>`,
      ),
    },
  ];
}

const howTo = (title: string, body: Html): Html =>
  html`<details class="in-place"><summary>${title}</summary><div>${body}</div></details>`;
