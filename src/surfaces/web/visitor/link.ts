import type { Hono } from 'hono';
import { html } from 'hono/html';
import { directionOf, pluralize, toVisible } from 'resume-profile/text';
import { Failure } from '../../../model/failure.ts';
import { isSameVisitor } from '../../../model/visitor.ts';
import { type Connection, peerOf } from '../../request.ts';
import { faultResponse, firstPageLink } from '../fault-page.ts';
import { formTokenField, noSession, takeForm } from '../form.ts';
import { capitalize } from '../format.ts';
import { columnPage, type Html, type Page, pageResponse, redirectTo, type Site } from '../page.ts';
import { publicHead } from '../public/head.ts';
import { headingOf, publicProfileOf } from '../public/public-profile.ts';
import { introduction } from './landing.ts';
import { type EntryPorts, visitorSessionsOf } from './visitor-sessions.ts';
import { fillHtml, wordingOf } from './wording.ts';

const headers = { 'referrer-policy': 'same-origin', 'x-robots-tag': 'noindex' };

/** The page of every code that opens nothing, whatever the reason: the same bytes. */
const nothingOf = (site: Site): Page => ({
  ...columnPage(
    'This link does not open anything',
    html`<p>It has ended, or was not copied whole. Ask the person who gave it to you for another one.</p>
${firstPageLink(site)}`,
  ),
  status: 404,
  headers,
});

/** The page of a link that is opened too often; it loads the page with the button by GET. */
const waitPage = ({ status, retryAfterSeconds: seconds }: Failure, path: string): Page => ({
  ...columnPage(
    'This link is opened very often at the moment',
    html`<p>There is a limit for each link and for each network. Nothing is wrong with the link, and you need not do anything: this page looks again by itself in ${pluralize(seconds!, 'second')}, and then has the button that opens it.</p>
<p class="small"><a href="${path}">Look again now</a></p>`,
  ),
  status,
  headers: { ...headers, 'retry-after': `${seconds}` },
  head: html`<meta http-equiv="refresh" content="${seconds}; url=${path}">`,
});

/**
 * Adds the owner's links. GET and HEAD open nothing, because programs that preview links or check mail send them: they show
 * whose profile it is, and a form that opens it.
 */
export function addLinksTo(http: Hono<{ Bindings: Connection }>, ports: EntryPorts): void {
  const { site, guard, openings } = ports;
  const browsers = visitorSessionsOf(ports);

  async function explain(failure: Failure, request: Request): Promise<Response> {
    if (failure.code === 'RATE_LIMITED')
      return pageResponse(waitPage(failure, site.path(`/s/${codeOf(request)}`)), site);
    return failure.code === 'NOT_FOUND' ? pageResponse(nothingOf(site), site) : faultResponse(failure, site);
  }

  http.get('/s/:code', async ({ req, env }) => {
    try {
      const code = codeOf(req.raw);
      const { id } = await openings.find(code, env.address);
      const notice = (await ports.isOwner(req.raw)) ? noticeToOwner(id, site) : '';
      return pageResponse(linkPage(ports, `${site.baseUrl}/s/${code}`, notice), site);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return explain(error, req.raw);
    }
  });

  http.post('/s/:code', ({ req, env }) => {
    const rules = { site, guard, keptFields: {}, explain: (failure: Failure) => explain(failure, req.raw) };
    return takeForm(req.raw, env.address, rules, async () => {
      const link = await openings.find(codeOf(req.raw), env.address);
      const before = await browsers.find(req.raw, env);
      const isOpened = before !== null && isSameVisitor(before.session.token.subject, { kind: 'link', id: link.id });
      const token = isOpened ? before.session.token : await openings.open(link, env.address);
      const visitor = { kind: 'visitor', token, ...peerOf(req.raw, env) } as const;
      const state = { isRemembered: false, isTokenShown: isOpened && before.session.isTokenShown };
      const { setCookie } = await browsers.open(visitor, { ...state, mayWrite: link.mayWrite }, before);
      // Redirects through a page that checks whether the browser has stored the cookie.
      return redirectTo(site.path('/profile/opened'), { ...headers, 'set-cookie': setCookie });
    });
  });
}

/** Returns the path of a request for the log, without the code of a link. */
export const toLoggedPath = (path: string): string => path.replace(/^\/s\/.*/s, '/s/…');

/** Returns the code in a request as sent: another spelling of it, such as %41 for A, is another code. */
const codeOf = ({ url }: Request): string => new URL(url).pathname.replace(/^\/s\//, '');

const noticeToOwner = (id: string, site: Site): Html =>
  html`<p class="notice" lang="en" dir="ltr">You are signed in at your desk. If you open the profile here, it counts as an opening of <a href="${site.path(`/desk/share/${id}`)}">this link</a>.</p>`;

function linkPage({ site, services, guard }: EntryPorts, address: string, notice: Html | string): Page {
  const served = services.edition(null).profile;
  const { language } = served.resume;
  const profile = publicProfileOf(served);
  const wording = wordingOf(language);
  const { words } = wording;
  const name = html`<bdi>${toVisible(profile.name ?? capitalize(words.candidate))}</bdi>`;
  return {
    headers,
    title: headingOf(profile),
    layout: 'visitor',
    language: wording.language,
    direction: directionOf(language === undefined ? headingOf(profile) : words.open),
    skip: words.skip,
    head: publicHead(profile, site, address),
    body: html`<main id="main" class="column landing">
${introduction(profile, wording)}
${notice}
<form class="access" method="post">
${formTokenField(guard, noSession)}
<p><button>${words.open}</button></p>
<p class="small soft">${services.reads.isOn ? fillHtml(words.linkSeen, { name }) : ''} ${words.nothingSent} <a href="${site.path('/privacy')}">${words.kept}</a></p>
</form>
</main>`,
  };
}
