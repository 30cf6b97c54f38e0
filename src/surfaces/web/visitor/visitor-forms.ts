import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { directionOf, toVisible } from 'resume-profile/text';
import { contactLimits } from '../../../model/contact.ts';
import { Failure } from '../../../model/failure.ts';
import { pageWordsOf } from '../../../model/profile/page-words.ts';
import { type Connection, type Peer, peerOf } from '../../request.ts';
import { faultResponse } from '../fault-page.ts';
import { chargeRefused, type FormGuard, type KeptFields, takeForm } from '../form.ts';
import { formatWait } from '../format.ts';
import { type Html, redirectTo, type Site, statusMessage, statusOf } from '../page.ts';
import type { Landing } from './landing.ts';
import { draftOf, isTyped, shownDraftOf } from './message-form.ts';
import type { VisitorSession, VisitorSessions } from './visitor-sessions.ts';
import { fillHtml } from './wording.ts';

type Http = Hono<{ Bindings: Connection }>;
type VisitorContext = Context<{ Bindings: Connection }>;

interface SubmittedForm {
  readonly fields: URLSearchParams;
  readonly peer: Peer;
  /** Null if the browser has no session, or it has ended. */
  readonly visit: VisitorSession | null;
}

interface VisitorFormOptions {
  readonly http: Http;
  readonly site: Site;
  readonly guard: FormGuard;
  readonly browsers: VisitorSessions;
  /** Responds with the first page, which keeps the typed fields. */
  showLanding(fields: URLSearchParams, state: Partial<Landing>): Promise<Response>;
}

/** A longer token is invalid. */
const maxTokenLength = 4_096;

/** The length of the keys in forms. */
export const maxKeyLength = 32;

/** How long a browser keeps the fields of a faulty form, in seconds. */
const typedSeconds = 600;

const keptFields: KeptFields = {
  name: { limit: contactLimits.name },
  company: { limit: contactLimits.company },
  email: { limit: contactLimits.email },
  message: { limit: contactLimits.message },
  token: { limit: maxTokenLength, isHidden: true },
  remember: { limit: 2, isHidden: true },
  idempotency_key: { limit: maxKeyLength, isHidden: true },
};

/** Returns the token of a form, to be shown again; none if it cannot be a token. */
function tokenOf(fields: URLSearchParams): { readonly token?: string } {
  const token = fields.get('token') ?? '';
  return token === '' || token.length > maxTokenLength ? {} : { token };
}

/**
 * Routes the pages and forms of visitors, whose responses depend on the cookie. A refused form is answered with the
 * first page, which keeps the typed fields.
 */
export function visitorRoutesOf({ http, site, guard, browsers, showLanding }: VisitorFormOptions) {
  /** Responds to a request; explains a failure on a page. */
  async function answering(respond: () => Promise<Response>): Promise<Response> {
    const response = await respond().catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      return faultResponse(error, site);
    });
    response.headers.append('vary', 'Cookie');
    return response;
  }

  async function showFailure(failure: Failure, fields: URLSearchParams): Promise<Response> {
    const { code, status } = failure;
    if (code === 'BAD_REQUEST') return showWrong('address', fields, status);
    if (code === 'RATE_LIMITED' || code === 'UNAVAILABLE')
      return showLanding(fields, { notice: notSent(failure), ...statusOf(failure), ...tokenOf(fields) });
    return code === 'UNAUTHORIZED' ? showEnded(fields) : faultResponse(failure, site);
  }

  /**
   * Redirects to the first page, because going back to the answer of a form is an error page. Only a form with a message, which
   * no cookie could hold, is answered with the page.
   */
  async function showWrong(what: Wrong, fields: URLSearchParams, status: number): Promise<Response> {
    const draft = shownDraftOf(fields);
    if (isTyped(draft)) return showLanding(fields, { ...wrongs[what](true), status });
    const typed = new URLSearchParams({ email: draft.email, ...(fields.has('remember') ? { remember: 'on' } : {}) });
    return redirectTo(site.path(`/?wrong=${what}`), { 'set-cookie': browsers.typed.write(`${typed}`, typedSeconds) });
  }

  const showEnded = (fields: URLSearchParams) =>
    showLanding(fields, { notice: accessEnded(isTyped(draftOf(fields))), status: 401 });

  /** Handles a form that opens a session or belongs to it. */
  function onForm(path: string, opens: boolean, respond: (sent: SubmittedForm) => Promise<Response>): void {
    http.post(path, ({ req, env }: VisitorContext) => {
      const explain = async (failure: Failure, fields: URLSearchParams) => {
        const isShownTooOften = failure.code === 'RATE_LIMITED' && guard.limitRefused(env.address) !== null;
        return isShownTooOften ? faultResponse(failure, site) : showFailure(failure, fields);
      };
      const session = opens ? {} : { sessionOf: async () => ({ id: browsers.formSessionOf(req.raw) }) };
      return answering(() =>
        takeForm(req.raw, env.address, { site, guard, keptFields, explain, ...session }, async (fields) =>
          respond({ fields, peer: peerOf(req.raw, env), visit: await browsers.find(req.raw, env) }),
        ),
      );
    });
  }

  type Respond = (sent: SubmittedForm & { visit: VisitorSession }) => Promise<Response>;

  /** Handles a form of a visitor with a session. If it has ended, the first page keeps the typed text. */
  const onVisitorsForm = (path: string, respond: Respond): void =>
    onForm(path, false, async ({ visit, ...sent }) => {
      if (visit !== null) return await respond({ ...sent, visit });
      chargeRefused(guard, sent.peer.address);
      return showEnded(sent.fields);
    });

  return {
    answering,
    showWrong,

    /** Shows a page to a visitor with a session; redirects others to the first page. */
    onPage(path: string, show: (visit: VisitorSession, request: Request) => Promise<Response>): void {
      http.get(path, ({ req, env }: VisitorContext) =>
        answering(async () => {
          const visit = await browsers.find(req.raw, env);
          return visit === null ? redirectTo(site.path('/')) : show(visit, req.raw);
        }),
      );
    },

    /** Handles a form that opens a session. */
    onEntry: (path: string, respond: (sent: SubmittedForm) => Promise<Response>): void => onForm(path, true, respond),

    onVisitorsForm,

    /** Handles a form that is not offered to visitors who came through some links. */
    onWritersForm: (path: string, respond: Respond): void =>
      onVisitorsForm(path, (sent) => {
        if (!sent.visit.session.mayWrite) throw new Failure('FORBIDDEN');
        return respond(sent);
      }),
  };
}

// The messages about the last form on visitors' pages. A page and its message may be in two languages.

const inEnglish = (kind: 'good' | 'attention' | 'bad', text: string): Html =>
  statusMessage(kind, text, { lang: 'en', dir: 'ltr' });

export const wrongAddress = `${pageWordsOf().notAnAddress}.`;

export function notSent({ code, message, retryAfterSeconds: seconds }: Failure) {
  const isLimit = code === 'RATE_LIMITED' && seconds !== null;
  const reason = isLimit ? `There were too many requests. Try again in ${formatWait(seconds)}.` : message;
  return inEnglish('bad', `Nothing was sent. ${reason}`);
}
export function sent(email: string, language = 'en'): Html {
  const words = pageWordsOf(language);
  const text = fillHtml(words.sent, { email: html`<bdi>${toVisible(email)}</bdi>` });
  return statusMessage('good', text, { lang: language, dir: directionOf(words.sent) });
}
export const notPrinted = inEnglish('bad', 'The PDF could not be printed. Try again in a few minutes.');
export const noDocx = inEnglish('bad', 'The resume is not offered for Word any more. Download the PDF.');
export const accessEnded = (hasMessage: boolean) =>
  inEnglish(
    'attention',
    `Your access from this browser has ended: it has expired, or was revoked. Enter your address to open the profile again or, if you came through a link, open that again${
      hasMessage ? '; your message is kept' : ''
    }.`,
  );
const wrongToken = (hasMessage: boolean) =>
  inEnglish(
    'attention',
    `This token is not valid: it has expired, was revoked, was copied in part, or is that of another program. Get access again${
      hasMessage ? '; your message is kept' : ''
    }.`,
  );
type Wrong = 'address' | 'token';

const wrongs: Readonly<Record<Wrong, (hasMessage: boolean) => Partial<Landing>>> = {
  address: () => ({ isAddressWrong: true }),
  token: (hasMessage) => ({ notice: wrongToken(hasMessage) }),
};

/** Returns the first page's message about a faulty form, by the query parameter `wrong`; null without it. */
export const wrongOf = (what: string | undefined): Partial<Landing> | null =>
  what === 'address' || what === 'token' ? wrongs[what](false) : null;

/** For an owner who is signed in at the desk. */
export const ownerNotice = (site: Site, isSample: boolean): Html =>
  html`<p class="notice" lang="en" dir="ltr">${
    isSample
      ? html`This address shows a sample. <a href="${site.path('/desk/profile/import')}">Put your profile here</a>`
      : html`You are signed in as the owner, and only you see this line. <a href="${site.path('/desk')}">Your desk</a> · <a href="${site.path('/desk/profile/page')}">The page with everything</a>`
  }</p>`;
export const cookieRefused = inEnglish(
  'attention',
  'Your browser has not kept the cookie by which the profile is opened. Allow cookies for this site, and enter your address again.',
);

/** The messages of the first page after a visitor has left, by the query parameter `left`. */
export const left: ReadonlyMap<string | null, Html> = new Map([
  ['token-ended', inEnglish('good', 'You have left, and your access has ended.')],
  [
    'token-kept',
    inEnglish('good', 'You have left. Your token still works for the programs that you have given it to.'),
  ],
]);
