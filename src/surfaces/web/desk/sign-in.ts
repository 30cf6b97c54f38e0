import { Hono } from 'hono';
import { html } from 'hono/html';
import { type LinkFault, linkSeconds, sessionSeconds } from '../../../model/sign-in.ts';
import type { SignIn } from '../../../operations/sign-in.ts';
import type { Connection } from '../../request.ts';
import { type FormGuard, faultOf, formTokenField, hidden, type KeptFields, noSession, takeForm } from '../form.ts';
import { formatDuration } from '../format.ts';
import { codeBlock, type Html, inDetails, pageResponse, redirectTo, type Site, statusMessage } from '../page.ts';
import type { SessionCookie } from '../session-cookie.ts';

interface SignInOptions {
  readonly site: Site;
  readonly guard: FormGuard;
  readonly signIn: SignIn;
  readonly linkWays: (request: Request) => LinkWays;
}

/** Opens the pages that lead to a session: ask for a link, confirm it; or, until there is a profile, enter a code. */
export function openSignIn(options: SignInOptions, cookie: SessionCookie): Hono<{ Bindings: Connection }> {
  const { site, guard, signIn, linkWays } = options;
  const http = new Hono<{ Bindings: Connection }>({ strict: false });

  // GET and HEAD use nothing: mail scanners open every link.
  http.get('/desk/sign-in', async ({ req }) => {
    const secret = req.query('link');
    if (secret === undefined) {
      const done = ended.get(req.query('ended') ?? '');
      return askPage(options, req.raw, toDeskPath(req.query('to')), { done });
    }
    const state = await signIn.check(secret);
    const token = formTokenField(guard, noSession);
    return state === 'valid' ? confirmPage(site, token, secret) : linkFaultPage(site, state);
  });

  const onForm = (
    path: string,
    act: (fields: URLSearchParams, from: string | null, request: Request) => Promise<Response>,
  ) =>
    http.post(path, ({ req, env }) =>
      takeForm(req.raw, env.address, { site, guard, keptFields }, (fields) => act(fields, env.address, req.raw)),
    );

  onForm('/desk/sign-in', async (fields, from) => {
    await signIn.mailLink(toDeskPath(fields.get('to')), from);
    return redirectTo(site.path('/desk/sign-in/sent'));
  });

  http.get('/desk/sign-in/sent', ({ req }) => sentPage(site, linkWays(req.raw)));

  onForm('/desk/sign-in/code', async (fields, from, request) => {
    const path = toDeskPath(fields.get('to'));
    const code = fields.get('code')?.trim() ?? '';
    const session = code === '' ? null : await signIn.useCode(code, from);
    if (session !== null) return redirectTo(site.path(path), { 'set-cookie': cookie.write(session, sessionSeconds) });
    return askPage(options, request, path, { status: 403, isCodeWrong: code !== '' });
  });

  // The secret is in a field, so that no address of a form that acts contains it.
  onForm('/desk/sign-in/confirm', async (fields, from) => {
    const confirmed = await signIn.confirm(fields.get('link') ?? '', from);
    if (typeof confirmed === 'string') return linkFaultPage(site, confirmed);
    // A new secret at each sign-in prevents session fixation.
    return redirectTo(site.path(confirmed.path), { 'set-cookie': cookie.write(confirmed.session, sessionSeconds) });
  });
  return http;
}

/** The texts after signing out, by the query parameter `ended`. */
const ended: ReadonlyMap<string, string> = new Map([
  ['here', 'You are signed out in this browser.'],
  ['everywhere', 'You are signed out, in this browser and in all others.'],
]);

const maxPathLength = 500;

const keptFields: KeptFields = {
  to: { limit: maxPathLength, isHidden: true },
  link: { limit: 100, isHidden: true },
};

/** Returns the page of the desk to go on to, the first one unless the text is the path of another. */
export function toDeskPath(text: string | null | undefined): string {
  const base = 'http://desk';
  if (text == null || text.length > maxPathLength || !URL.canParse(text, base)) return '/desk';
  const { pathname, search } = new URL(text, base);
  return /^\/desk(\/(?!sign-)|$)/.test(pathname) ? pathname + search : '/desk';
}

const validity = formatDuration(linkSeconds);

// Referer would repeat a link's secret to this origin; with no-referrer browsers send `Origin: null` with the form.
const headers = { 'referrer-policy': 'strict-origin' };

function respondWith(site: Site, title: string, content: Html, status = 200): Promise<Response> {
  const body = html`<main id="main" class="column sign-in" data-desk="${site.path('/desk')}">
<h1>${title}</h1>
${content}
</main>`;
  return pageResponse({ title, status, layout: 'visitor', headers, scripts: ['page.js', 'desk.js'], body }, site);
}

/** How the owner gets a link: in an e-mail, or in a file of a folder, and by a command. */
export interface LinkWays {
  /** Whether e-mails are sent, and not written to files. */
  readonly isMailed: boolean;
  /** The folder of these files; null if strangers can read the page. */
  readonly folder: string | null;
  readonly command: string;
  /** Whether only this machine can connect, so that a start in a terminal prints a link. */
  readonly isLocal: boolean;
}

const fileElement = ({ folder }: LinkWays): Html =>
  folder === null
    ? html`<p>It is the newest file in the folder “mail”, inside the data folder of this site, on the machine that the site runs on.</p>`
    : html`<details class="details" open><summary>Where it is</summary><div><p>It is the newest file in this folder, on this computer:</p>
${codeBlock('mail-folder', folder)}</div></details>`;

const commandElement = ({ isMailed, command, isLocal }: LinkWays): Html =>
  inDetails(
    html`<p>On the machine that this site runs on, this command prints a link${isLocal ? ', and so does each start in a terminal' : ''}:</p>
${codeBlock('link-command', command)}
${isMailed ? '' : html`<p>With the setting <code>SMTP_URL</code>, links are sent by a mail server.</p>`}`,
    isMailed ? 'If no e-mail comes' : 'Another way',
  );

/** The form for the setup code; a code that was typed is never shown. */
function codeForm(site: Site, hiddenFields: Html, isCodeWrong: boolean): Html {
  const { line, attributes } = faultOf(
    'code',
    isCodeWrong ? 'This is not the code of this site. It is in the settings with which it was started.' : undefined,
  );
  return html`<p>Nothing is here yet. The code for the first visit was chosen when this site was set up. It signs in until the first profile is published, and opens nothing after that.</p>
${inDetails(html`<p>It is in the setting <code>SETUP_CODE</code>.</p>`, 'Where to find the code')}
<form method="post" action="${site.path('/desk/sign-in/code')}">
${hiddenFields}
<p><label for="code">The code</label></p>
${line}
<p><input type="password" id="code" name="code" required autocomplete="off" autocapitalize="off" spellcheck="false"${attributes}></p>
<p><button>Put a profile here</button></p>
</form>
<h2>Or with a link</h2>`;
}

/** Responds with the page that asks to sign in, which leads to a page of the desk; `done` says what has just ended. */
export async function askPage(
  { site, guard, signIn, linkWays }: SignInOptions,
  request: Request,
  path: string,
  { status = 200, isCodeWrong = false, done }: { status?: number; isCodeWrong?: boolean; done?: string | undefined },
): Promise<Response> {
  const ways = linkWays(request);
  const acceptsCode = await signIn.acceptsCode();
  const hiddenFields = html`${formTokenField(guard, noSession)}\n${hidden('to', path)}`;
  return respondWith(
    site,
    'Sign in to your desk',
    html`${done === undefined ? '' : statusMessage('good', done)}
${isCodeWrong && !acceptsCode ? statusMessage('attention', 'There is a profile here now, so the code opens nothing any more.') : ''}
${acceptsCode ? codeForm(site, hiddenFields, isCodeWrong) : ''}
<p>${acceptsCode ? 'A' : 'The desk is for the owner of this profile. There is no password: a'} link is ${ways.isMailed ? 'sent to your e-mail address' : 'written to a file, because no mail server is set up'}. It works once, for ${validity}.</p>
<form method="post" action="${site.path('/desk/sign-in')}">
${hiddenFields}
<p><button${acceptsCode ? html` class="secondary"` : ''}>${ways.isMailed ? 'E-mail me a link' : 'Write me a link'}</button></p>
</form>
${commandElement(ways)}`,
    status,
  );
}

/** Says the same whether a mail was sent or not. */
const sentPage = (site: Site, ways: LinkWays): Promise<Response> =>
  respondWith(
    site,
    ways.isMailed ? 'Check your e-mail' : 'Look for the file',
    html`<p>Unless the links of this hour are used up, one is on its way to ${ways.isMailed ? 'the owner’s e-mail address' : 'a file'}. It works once, for ${validity}.</p>
${ways.isMailed ? '' : fileElement(ways)}
<p class="soft">Anybody can ask for a link, so only a few are sent within an hour.</p>
${commandElement(ways)}`,
  );

/** Asks to confirm a link, since programs that check mail open links, too. */
const confirmPage = (site: Site, token: Html, secret: string): Promise<Response> =>
  respondWith(
    site,
    'Sign in to your desk',
    html`<p>This browser stays signed in for ${formatDuration(sessionSeconds)}, or until you sign out.</p>
<form method="post" action="${site.path('/desk/sign-in/confirm')}">
${token}
<input type="hidden" name="link" value="${secret}">
<p><button>Sign in</button></p>
</form>`,
  );

const faults: Record<LinkFault, readonly [title: string, text: string]> = {
  used: [
    'This link was used already',
    'A link signs in once. If it was not you who used it, ask for another, sign in with it, and choose Sign out everywhere at the end of any page.',
  ],
  expired: ['This link has expired', `A link works for ${validity} after it was asked for.`],
  unknown: ['This link is not known here', 'It may have been cut off when it was copied, or it is older than a day.'],
};

function linkFaultPage(site: Site, fault: LinkFault): Promise<Response> {
  const [title, text] = faults[fault];
  const button = html`<a class="button" href="${site.path('/desk/sign-in')}">Ask for another link</a>`;
  return respondWith(site, title, html`<p>${text}</p>\n<p>${button}</p>`, fault === 'unknown' ? 404 : 410);
}
