import { html } from 'hono/html';
import { type LinkFault, linkSeconds, sessionSeconds } from '../../../model/sign-in.ts';
import { formatDuration } from '../format.ts';
import { type Html, pageResponse, type Site, statusMessage } from '../page.ts';

const validity = formatDuration(linkSeconds);

interface SignInPage {
  readonly site: Site;
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
}

// Referer would repeat a link's secret to this origin; with no-referrer browsers would send `Origin: null` with the form.
const headers = { 'referrer-policy': 'strict-origin' };

const respondWith = ({ site, title, body, status = 200 }: SignInPage): Promise<Response> =>
  pageResponse(
    {
      title,
      status,
      layout: 'visitor',
      headers,
      body: html`<main id="main" class="column sign-in">\n${body}\n</main>`,
    },
    site,
  );

/** The form to ask for a link, which leads to a page of the desk. */
const askForm = (site: Site, ways: LinkWays, token: Html, path: string): Html =>
  html`<form method="post" action="${site.path('/desk/sign-in')}">
${token}
<input type="hidden" name="to" value="${path}">
<p><button>${ways.folder === null ? 'E-mail me a link' : 'Write me a link'}</button></p>
</form>`;

/** How the owner gets a link: in an e-mail, or in a file of a folder, and by a command. */
export interface LinkWays {
  /** The folder that gets a file for each e-mail; null if e-mails are sent. */
  readonly folder: string | null;
  readonly command: string;
}

const waysElement = ({ folder, command }: LinkWays): Html =>
  html`${
    folder === null
      ? ''
      : html`<p>No mail server is set up (<code>SMTP_URL</code>), so the link is in the newest file of <code>${folder}</code> on the machine that this site runs on.</p>\n`
  }<p class="small soft">${folder === null ? 'Without your e-mail: on' : 'On'} the machine that this site runs on, the command <code>${command}</code> prints a link.</p>`;

/** Asks to sign in; `path` is the page of the desk that was asked for, `done` what has just ended. */
export const askPage = ({
  site,
  ways,
  token,
  path,
  status = 200,
  done,
}: {
  site: Site;
  ways: LinkWays;
  token: Html;
  path: string;
  status?: number;
  done?: string | undefined;
}) =>
  respondWith({
    site,
    status,
    title: 'Sign in to your desk',
    body: html`<h1>Sign in to your desk</h1>
${done === undefined ? '' : statusMessage('good', done)}
<p>The desk is for the owner of this profile. There is no password: a link is ${ways.folder === null ? 'sent to your e-mail address' : 'written to a file'}. It works once, for ${validity}.</p>
${askForm(site, ways, token, path)}
${waysElement(ways)}`,
  });

/** Says the same whether a mail was sent or not. */
export const sentPage = (site: Site, ways: LinkWays): Promise<Response> =>
  respondWith({
    site,
    title: ways.folder === null ? 'Check your e-mail' : 'Look for the file',
    body: html`<h1>${ways.folder === null ? 'Check your e-mail' : 'Look for the file'}</h1>
<p>Unless the links of this hour are used up, one is on its way to ${ways.folder === null ? 'the owner’s e-mail address' : 'a file'}. It works once, for ${validity}.</p>
<p class="soft">Anybody can ask for a link, so only a few are sent within an hour.</p>
${waysElement(ways)}`,
  });

/** Asks to confirm a link, since programs that check mail open links, too. */
export const confirmPage = ({ site, token, secret }: { site: Site; token: Html; secret: string }) =>
  respondWith({
    site,
    title: 'Sign in to your desk',
    body: html`<h1>Sign in to your desk</h1>
<p>This browser stays signed in for ${formatDuration(sessionSeconds)}, or until you sign out.</p>
<form method="post" action="${site.path('/desk/sign-in/confirm')}">
${token}
<input type="hidden" name="link" value="${secret}">
<p><button>Sign in</button></p>
</form>`,
  });

const faults: Record<LinkFault, { title: string; text: string; status: number }> = {
  used: {
    title: 'This link was used already',
    text: 'A link signs in once. If it was not you who used it, ask for another, sign in with it, and choose Sign out everywhere at the end of any page.',
    status: 410,
  },
  expired: {
    title: 'This link has expired',
    text: `A link works for ${validity} after it was asked for.`,
    status: 410,
  },
  unknown: {
    title: 'This link is not known here',
    text: 'It may have been cut off when it was copied, or it is older than a day.',
    status: 404,
  },
};

/** Says why a link does not sign in. */
export function linkFaultPage({ site, fault }: { site: Site; fault: LinkFault }): Promise<Response> {
  const { title, text, status } = faults[fault];
  return respondWith({
    site,
    title,
    status,
    body: html`<h1>${title}</h1>
<p>${text}</p>
<p><a class="button" href="${site.path('/desk/sign-in')}">Ask for another link</a></p>`,
  });
}
