import { Hono, type HonoRequest } from 'hono';
import { html } from 'hono/html';
import { Failure } from '../../../model/failure.ts';
import type { Connection } from '../../caller.ts';
import { faultResponse } from '../fault-page.ts';
import { type FormGuard, formTokenField, readForm } from '../form.ts';
import { type Html, pageResponse, type Site } from '../page.ts';
import { keptFormResponse } from './kept-form.ts';

/** The pages of the desk in the order of its bar. */
export const rooms = [
  { path: '/desk', title: 'Today' },
  { path: '/desk/readers', title: 'Readers' },
  { path: '/desk/inbox', title: 'Inbox' },
  { path: '/desk/availability', title: 'Availability' },
  { path: '/desk/profile', title: 'Profile' },
  { path: '/desk/mail', title: 'Mail' },
] as const;

type Room = (typeof rooms)[number]['title'];

/** A page of the desk; the bar on top marks its room. */
export interface DeskPage {
  readonly title: string;
  readonly room: Room;
  /** What `main` holds, the heading included. */
  readonly body: Html;
  readonly status?: number;
}

/** A request of the owner, who is signed in. */
export interface DeskRequest {
  readonly session: DeskSession;
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Whether the owner sees the page: false for HEAD, and if a browser fetches it in advance (Fetch standard, `Sec-Purpose`). */
  readonly isOpened: boolean;
  /** The hidden field that each form on the page needs. */
  readonly formToken: Html;
}

/** A form of the owner. */
export interface DeskForm extends DeskRequest {
  readonly fields: URLSearchParams;
}

/** Pages and forms for the owner alone: without a session, a page leads to signing in. */
export interface DeskRouter {
  /** Shows a page, or sends a file, at a path. A `Failure` that `show` throws becomes a page that says so. */
  page(path: string, show: (request: DeskRequest) => Promise<DeskPage | Response>): void;
  /** Does what a form posts to a path; `act` returns the path to go on to, or a page that says what is wrong. */
  action(path: string, act: (form: DeskForm) => Promise<string | DeskPage | Response>): void;
}

/** A session of the owner at the desk. */
export interface DeskSession {
  readonly id: string;
}

interface Options {
  readonly site: Site;
  readonly guard: FormGuard;
  /** Returns the session of a request by its cookie; null if there is none that is valid. */
  sessionOf(request: Request): Promise<DeskSession | null>;
  /** Responds to a request for a page without a session. */
  askToSignIn(request: Request): Promise<Response>;
  /** Returns the marks in the bar, such as the number of unread messages. */
  marks(): Promise<Partial<Record<Room, number>>>;
}

/** Opens the routes of the desk; `http` answers them. */
export function openDeskRouter(options: Options): DeskRouter & { readonly http: Hono<{ Bindings: Connection }> } {
  const { site, guard, sessionOf, askToSignIn, marks } = options;
  const http = new Hono<{ Bindings: Connection }>({ strict: false });

  async function respondWith(shown: DeskPage | Response, session: DeskSession): Promise<Response> {
    if (shown instanceof Response) return shown;
    const { title, room, body, status = 200 } = shown;
    return pageResponse(
      {
        title,
        status,
        room: 'desk',
        scripts: ['page.js'],
        body: html`${bar(site, room, await marks(), formTokenField(guard, session.id))}
<main id="main">
${body}
</main>
${foot(site, formTokenField(guard, session.id))}`,
      },
      site,
    );
  }

  async function answering(
    request: Request,
    respond: (session: DeskSession | null) => Promise<Response>,
  ): Promise<Response> {
    try {
      return await respond(await sessionOf(request));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return faultResponse(error, site);
    }
  }

  /** What pages and forms get of a request. */
  const toDeskRequest = (req: HonoRequest, session: DeskSession): DeskRequest => ({
    session,
    params: req.param(),
    query: new URL(req.url).searchParams,
    isOpened: req.raw.method !== 'HEAD' && !/\bprefetch\b/.test(req.header('sec-purpose') ?? ''),
    formToken: formTokenField(guard, session.id),
  });

  return {
    http,
    page(path, show) {
      http.get(path, ({ req }) =>
        answering(req.raw, async (session) =>
          session === null ? askToSignIn(req.raw) : respondWith(await show(toDeskRequest(req, session)), session),
        ),
      );
    },
    action(path, act) {
      http.post(path, ({ req }) =>
        answering(req.raw, async (session) => {
          const { fields, isFresh } = await readForm(req.raw, guard, session?.id ?? '');
          const formToken = formTokenField(guard, session?.id ?? '');
          if (session === null || !isFresh)
            return keptFormResponse({ site, path: req.path, fields, formToken, isSignedIn: session !== null });
          const next = await act({ ...toDeskRequest(req, session), fields });
          if (typeof next !== 'string') return respondWith(next, session);
          return new Response(null, {
            status: 303,
            headers: { location: site.path(next), 'cache-control': 'no-store' },
          });
        }),
      );
    },
  };
}

const foot = (site: Site, formToken: Html): Html =>
  html`<footer class="desk-foot small soft no-print">
<form method="post" action="${site.path('/desk/sign-out-everywhere')}">${formToken}<button class="plain">Sign out everywhere</button> ends every session at this desk, on all your devices.</form>
</footer>`;

function bar(site: Site, room: Room, marks: Partial<Record<Room, number>>, formToken: Html): Html {
  return html`<header class="bar">
<p class="bar-title">Your desk</p>
<nav aria-label="Desk">
${rooms.map(
  ({ path, title }) =>
    html`<a href="${site.path(path)}"${title === room ? html` aria-current="page"` : ''}>${title}${
      marks[title] ? html`<sup>${marks[title]}<span class="unseen"> to see to</span></sup>` : ''
    }</a>`,
)}
</nav>
<form method="post" action="${site.path('/desk/sign-out')}">${formToken}<button class="plain">Sign out</button></form>
</header>`;
}
