import { Hono, type HonoRequest } from 'hono';
import { html } from 'hono/html';
import { Failure } from '../../../model/failure.ts';
import type { ImportAccount } from '../../../model/profile/read-resume.ts';
import type { RunForOwner } from '../../../operations/owner/operation.ts';
import type { DeskServices } from '../../../operations/owner/services.ts';
import type { SignIn } from '../../../operations/sign-in.ts';
import { type Connection, isOpened, readBytes } from '../../request.ts';
import type { Script } from '../assets.ts';
import { faultResponse } from '../fault-page.ts';
import {
  chargeRefused,
  type FormGuard,
  type FormLimits,
  formTokenField,
  isSameOrigin,
  type KeptFields,
  takeForm,
} from '../form.ts';
import { columnPage, type Html, type Page, pageResponse, redirectTo, type Site } from '../page.ts';
import { takeUpload, type Uploaded, type UploadField, type UploadRules } from '../upload.ts';
import { inPeriod, readPeriod } from './period.ts';
import { type Times, timesIn, zoneOf } from './time.ts';

/** The sections of the desk, in the order of the navigation. */
const sections = [
  { path: '/desk', title: 'Today' },
  { path: '/desk/readers', title: 'Readers' },
  { path: '/desk/inbox', title: 'Inbox' },
  { path: '/desk/share', title: 'Share' },
  { path: '/desk/profile', title: 'Profile' },
  { path: '/desk/mail', title: 'Mail' },
] as const;

export type Section = (typeof sections)[number]['title'];

/** The number of items that wait for the owner, by section; absent if none can. */
type Pending = Partial<Record<Section, number>>;

export interface Desk {
  readonly site: Site;
  readonly run: RunForOwner<DeskServices>;
  /** The files that this process imported last, by the ids of their proposals or changes. */
  readonly imports: Map<string, { readonly name: string; readonly account: ImportAccount; readonly text: string }>;
  /** How long a request waits for a slow task, before it is redirected to a page that looks again. */
  readonly waitMilliseconds: number;
  /** The commands for tasks that the desk cannot do, ready to be pasted into a shell. */
  readonly commands: {
    readonly init: string;
    readonly doctor: string;
    backUp(now: Date): string;
  };
}

/** A page of the desk; the navigation marks its section, and `body` is the content of `main` with the heading. */
export interface DeskPage
  extends Pick<
    Page,
    'title' | 'body' | 'status' | 'contentId' | 'hasCode' | 'hasFrame' | 'refreshSeconds' | 'styleNonce'
  > {
  readonly section: Section;
  /** Its scripts, besides those of every page of the desk. */
  readonly scripts?: readonly Script[];
}

/** A request of the owner, who is signed in. */
export interface DeskRequest {
  readonly site: Site;
  readonly session: DeskSession;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Whether the owner sees the page. */
  readonly isOpened: boolean;
  /** The hidden field that each form on the page needs, and its token. */
  readonly formToken: Html;
  readonly token: string;
  readonly times: Times;
}

export type DeskForm = DeskRequest & { readonly fields: URLSearchParams };

interface DeskUpload extends DeskRequest {
  /** Gives the file to `write` as it arrives; null if the form is refused, whatever `act` returns. */
  receive(write: UploadRules['write']): Promise<(Uploaded & Pick<DeskForm, 'fields'>) | null>;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A request of a script of the desk. */
export type DeskScriptRequest = DeskRequest & { readonly bytes: Uint8Array<ArrayBuffer>; readonly headers: Headers };

/** The status and the body, JSON, of an answer to a script. */
export interface DeskAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A session of the owner at the desk; a session opened with the setup code ends with the code. */
type DeskSession = NonNullable<Awaited<ReturnType<SignIn['sessionOf']>>>;

interface DeskRouterOptions {
  readonly site: Site;
  readonly guard: FormGuard;
  /** Returns the session of a request by its cookie; null without a valid one. */
  sessionOf(request: Request): Promise<DeskSession | null>;
  hasProfile(): boolean;
  /** Responds to a request for a page without a session. */
  askToSignIn(request: Request): Promise<Response>;
  /** Returns the number of items that wait for the owner, such as unread messages. */
  pending(): Promise<Pending>;
  now(): Date;
}

/** The first page of a desk without a profile. */
const firstPath = '/desk/profile/import';

/** The response to a form that needs a profile, before there is one. */
const tooEarly = (site: Site): DeskPage => ({
  title: 'There is no profile yet',
  section: 'Profile',
  status: 403,
  body: html`<h1>There is no profile yet</h1>
<p>Nothing was done. <a href="${site.path(firstPath)}">Put your profile here</a> first.</p>`,
});

const outdatedPage = (path: string): Page => ({
  ...columnPage(
    'Nothing was changed',
    html`<p>The page was opened before you signed in, or more than a day ago. <a href="${path}">Open it again</a>, and do it once more.</p>`,
  ),
  status: 403,
});

export type DeskRouter = ReturnType<typeof openDeskRouter>;

/** Opens the routes of the desk; `http` answers them. Until there is a profile, a session can only create one. */
export function openDeskRouter(options: DeskRouterOptions) {
  const { site, guard, sessionOf, hasProfile, askToSignIn, pending, now } = options;
  const http = new Hono<{ Bindings: Connection }>({ strict: false });

  async function respondWith(page: string | DeskPage | Response, request: DeskRequest): Promise<Response> {
    if (typeof page === 'string') return redirectTo(site.path(page));
    if (page instanceof Response) return page;
    // Without a profile, only the section that makes one is shown.
    const offered = hasProfile() ? sections : sections.filter(({ title }) => title === 'Profile');
    const body = framed(page, request, offered, await pending());
    const scripts: Script[] = ['page.js', 'desk.js', ...(page.scripts ?? [])];
    return pageResponse({ ...page, layout: 'desk', scripts, body }, site);
  }

  async function answering(request: Request, respond: (session: DeskSession | null) => Promise<Response>) {
    try {
      const session = await sessionOf(request);
      const response = await respond(session);
      // A session of the setup code must not see a profile that another session has just published.
      const hasEnded = session?.isOfCode && hasProfile() && (await sessionOf(request)) === null;
      return hasEnded ? askToSignIn(request) : response;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return faultResponse(error, site, { isAtDesk: true });
    }
  }

  const toDeskRequest = (req: HonoRequest, session: DeskSession): DeskRequest => ({
    site,
    session,
    params: req.param(),
    query: new URL(req.url).searchParams,
    isOpened: isOpened(req.raw),
    formToken: formTokenField(guard, session.id),
    token: guard.tokens.issue(session.id),
    times: timesIn(zoneOf(req.raw), now()),
  });

  const pageOf = ({ path }: HonoRequest): string => site.path(path.slice(0, path.lastIndexOf('/')));

  // GET of the address of a form, as after signing in, redirects to the page with the form.
  const leadToPage = (path: string) => http.get(path, ({ req }) => redirectTo(pageOf(req)));

  /** Responds to a form that does not belong to the current session. */
  const refuse = (req: HonoRequest) => (session: DeskSession | null) =>
    session === null ? askToSignIn(req.raw) : pageResponse(outdatedPage(pageOf(req)), site);

  /**
   * Makes pages and forms for the owner: without a session, they lead to signing in. `worksEarly` says whether they work before
   * there is a profile.
   */
  const routesOf = (worksEarly: boolean) => {
    const isTooEarly = () => !hasProfile() && !worksEarly;
    return {
      /** Shows a page, or sends a file, at a path. A `Failure` that `show` throws becomes a page that says so. */
      page(path: string, show: (request: DeskRequest) => Promise<DeskPage | Response>): void {
        http.get(path, ({ req }) =>
          answering(req.raw, async (session) => {
            if (session === null) return askToSignIn(req.raw);
            const request = toDeskRequest(req, session);
            return respondWith(isTooEarly() ? firstPath : await show(request), request);
          }),
        );
      },

      /**
       * Handles a form that is posted to a path; `act` returns the path to go on to, or a page that says what is wrong. Without a
       * session, the form leads to signing in and then back to its page, or is shown again if its rules keep fields.
       */
      action(
        path: string,
        act: (form: DeskForm) => Promise<string | DeskPage | Response>,
        rules: { readonly limits?: FormLimits; readonly keptFields?: KeptFields } = {},
      ): void {
        leadToPage(path);
        http.post(path, ({ req, env }) =>
          answering(req.raw, () => {
            const refusal = rules.keptFields === undefined && { refuse: refuse(req) };
            const taken = { site, guard, sessionOf: () => sessionOf(req.raw), ...rules, ...refusal };
            return takeForm(req.raw, env.address, taken, async (fields, session) => {
              const form = { ...toDeskRequest(req, session), fields };
              return respondWith(isTooEarly() ? tooEarly(site) : await act(form), form);
            });
          }),
        );
      },

      /**
       * Answers a script of the desk with JSON; a request that changes something has the form token in a header. Without a
       * session the answer is 401. Each answer has a new form token.
       */
      json(
        method: 'get' | 'post' | 'patch',
        path: string,
        act: (request: DeskScriptRequest) => Promise<DeskAnswer | Response>,
        { type = 'application/json', limitBytes = 1024 ** 2 }: Partial<Parameters<typeof readBytes>[1]> = {},
      ): void {
        http.on(method.toUpperCase(), path, async ({ req, env }) => {
          const headers: Record<string, string> = {};
          try {
            if ((await sessionOf(req.raw)) === null) throw sessionEnded();
            if (method !== 'get' && !isSameOrigin(req.raw, guard.policy)) throw new Failure('FORBIDDEN');
            const bytes = await readBytes(req.raw, { type, limitBytes });
            // It may have ended while the body was being received.
            const session = await sessionOf(req.raw);
            if (session === null) throw sessionEnded();
            headers['x-form-token'] = guard.tokens.issue(session.id);
            if (method !== 'get' && !guard.tokens.isValid(req.header('x-form-token') ?? '', session.id)) {
              chargeRefused(guard, env.address);
              throw new Failure('FORBIDDEN', 'The page was opened before you signed in, or more than a day ago.');
            }
            const request = toDeskRequest(req, session);
            if (isTooEarly()) throw new Failure('FORBIDDEN', 'There is no profile yet.');
            const answer = await act({ ...request, bytes, headers: req.raw.headers });
            // A session of the setup code must not see a profile that another session has just published.
            if (session.isOfCode && hasProfile() && (await sessionOf(req.raw)) === null) throw sessionEnded();
            return answer instanceof Response ? answer : jsonResponse(answer, headers);
          } catch (error) {
            if (!(error instanceof Failure)) throw error;
            const { status, body, retryAfterSeconds: seconds } = error;
            if (seconds !== null) headers['retry-after'] = String(seconds);
            return jsonResponse({ status, body }, headers);
          }
        });
      },

      /** Like `action`, for a form with a file. */
      upload(path: string, field: UploadField, act: (upload: DeskUpload) => Promise<string | DeskPage>): void {
        leadToPage(path);
        http.post(path, ({ req, env }) =>
          answering(req.raw, async (session) => {
            if (session === null) return askToSignIn(req.raw);
            env.awaitUpload?.();
            const request = toDeskRequest(req, session);
            let untaken = null as (() => Promise<Response>) | null;
            const receive: DeskUpload['receive'] = async (write) => {
              const rules = { guard, session: session.id, field, write };
              const { file, fields } = await takeUpload(req.raw, env.address, rules);
              // It may have ended while the file was being received.
              const now = await sessionOf(req.raw);
              if (now === null || file === null) untaken = () => refuse(req)(now);
              else if (isTooEarly()) untaken = () => respondWith(tooEarly(site), request);
              return file === null || untaken !== null ? null : { ...file, fields };
            };
            const next = await act({ ...request, receive, signal: req.raw.signal });
            return untaken === null ? respondWith(next, request) : untaken();
          }),
        );
      },
    };
  };

  return {
    http,
    ...routesOf(false),
    /** Routes that also work before there is a profile. */
    early: routesOf(true),
  };
}

const sessionEnded = () => new Failure('UNAUTHORIZED', 'Your session has ended.');

const jsonResponse = ({ status, body }: DeskAnswer, headers: Readonly<Record<string, string>>): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  });

/** Puts the navigation and the forms for signing out around a page of the desk. */
const framed = (
  { body, section }: DeskPage,
  { site, query, formToken }: DeskRequest,
  offered: readonly (typeof sections)[number][],
  pending: Pending,
): Html => html`<header class="bar tabs" data-desk="${site.path('/desk')}">
<p class="bar-title">Your desk</p>
<nav class="tabs" aria-label="Desk">
${offered.map(
  ({ path, title }) =>
    html`<a href="${site.path(title === 'Today' || title === 'Readers' ? inPeriod(path, readPeriod(query)) : path)}"${title === section ? html` aria-current="page"` : ''}>${title}${
      pending[title] ? html`<sup>${pending[title]}<span class="unseen"> to see to</span></sup>` : ''
    }</a>`,
)}
</nav>
<a href="${site.path('/')}">Your page</a>
<form method="post" action="${site.path('/desk/sign-out')}">${formToken}<button class="plain">Sign out</button></form>
</header>
<main id="main">
${body}
</main>
<footer class="desk-foot small soft no-print">
<form method="post" action="${site.path('/desk/sign-out-everywhere')}">${formToken}<button class="plain">Sign out everywhere</button> ends every session at this desk, on all your devices.</form>
</footer>`;
