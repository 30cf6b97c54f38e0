import type { Hono } from 'hono';
import { toEmailAddress } from 'resume-profile/email-address';
import type { z } from 'zod';
import { Failure } from '../../../model/failure.ts';
import { pageWordsOf } from '../../../model/profile/page-words.ts';
import type { IssuedToken } from '../../../model/token.ts';
import { byAddress, isSameVisitor } from '../../../model/visitor.ts';
import { openAccess } from '../../../operations/auth.ts';
import type { Call, Caller } from '../../../operations/call.ts';
import { createContact } from '../../../operations/contact.ts';
import { operations } from '../../../operations/index.ts';
import { invoke } from '../../../operations/invoke.ts';
import { eraseMyReads, getMyReads } from '../../../operations/me.ts';
import { type Operation, offeredIn } from '../../../operations/operation.ts';
import { docxRead, pageRead, pdfRead } from '../../../operations/page.ts';
import { type Connection, isOpened, type Peer, prefersHtml } from '../../request.ts';
import { faultResponse } from '../fault-page.ts';
import { cutField, formTokenField, noSession } from '../form.ts';
import { openPublicPage, pageResponse, redirectTo } from '../page.ts';
import { publicProfileOf } from '../public/public-profile.ts';
import { type Landing, landingResponse } from './landing.ts';
import { addLinksTo } from './link.ts';
import { draftOf, faultsOf, isTyped, keptDraftOf, shownDraftOf } from './message-form.ts';
import { myReadsPage, privacyPage, type Retention } from './privacy.ts';
import { type ProfilePage, profileResponse, type VisitorFiles } from './profile-page.ts';
import {
  accessEnded,
  cookieRefused,
  left,
  maxKeyLength,
  noDocx,
  notPrinted,
  notSent,
  ownerNotice,
  sent,
  visitorRoutesOf,
  wrongOf,
} from './visitor-forms.ts';
import {
  chargeStored,
  type EntryPorts,
  type VisitorCaller,
  type VisitorSession,
  visitorSessionsOf,
} from './visitor-sessions.ts';

type Http = Hono<{ Bindings: Connection }>;

/** The maximum number of messages sent with a token that the page lists. */
const maxMessages = 100;

interface VisitorPageOptions extends EntryPorts {
  readonly keep: Retention;
  /** Returns the links to a token's files of the profile. */
  files(token: IssuedToken): VisitorFiles;
  /** Returns the number of pages of the PDF; null if unknown. */
  pdfPages(): number | null;
  /** Whether the profile is the sample. */
  isSample(): boolean;
}

const nothingTyped = new URLSearchParams();

/** Adds the page of the profile: before access, with access, the PDF, and messages. */
export function addVisitorTo(http: Http, options: VisitorPageOptions): void {
  const { site, services, sessions, guard, keep, files, pdfPages, isOwner, isSample } = options;
  const keepReads = services.reads.isOn ? services.reads.keepSeconds : null;
  const profile = () => services.edition(null).profile;
  const publicProfile = () => publicProfileOf(profile());
  const language = () => profile().resume.language;

  /** Calls an operation, with the same quotas as on every surface (ADR 13). */
  async function call<Each extends Operation>(
    operation: Each,
    caller: Caller,
    input: z.input<Each['input']>,
    options: Pick<Call, 'idempotencyKey' | 'isRecorded'> = {},
  ): Promise<z.output<Each['output']>> {
    const { data } = await invoke(operation, { surface: 'web', caller, input: () => input, ...options }, services);
    return data as z.output<Each['output']>;
  }

  const browsers = visitorSessionsOf(options);

  const keyOf = (fields: URLSearchParams) => cutField(fields.get('idempotency_key') || services.newId(), maxKeyLength);

  function showLanding(fields: URLSearchParams, state: Partial<Landing> = {}): Promise<Response> {
    return landingResponse(
      {
        profile: publicProfile(),
        language: language(),
        pdfPages: profile().resume.pdf_url === undefined ? pdfPages() : null,
        formToken: formTokenField(guard, noSession),
        keepReads,
        rememberSeconds: keep.sessions,
        isRemembered: fields.has('remember'),
        draft: shownDraftOf(fields),
        idempotencyKey: keyOf(fields),
        ...state,
      },
      site,
    );
  }

  /** Shows the profile; the form for a message keeps the typed fields. */
  async function showProfile(
    visit: VisitorSession,
    fields: URLSearchParams,
    state: Partial<Pick<ProfilePage, 'faults' | 'notice' | 'status' | 'program'>> = {},
    isRecorded = false,
  ): Promise<Response> {
    const { session, visitor } = visit;
    await call(pageRead, visitor, {}, { isRecorded });
    const { subject } = session.token;
    const draft = shownDraftOf(fields);
    return profileResponse(
      {
        profile: services.edition(session.token).profile,
        files: files(session.token),
        visit,
        token: session.isTokenShown ? await sessions.tokenOf(session) : null,
        idempotencyKey: keyOf(fields),
        draft: { ...draft, email: draft.email || (subject.kind === 'address' ? subject.address : '') },
        faults: new Map(),
        status: 200,
        isRecorded: services.reads.isOn,
        ...state,
      },
      site,
    );
  }

  addLinksTo(http, options);
  const routes = visitorRoutesOf({ http, site, guard, browsers, showLanding });
  const { answering, onPage, onEntry, onVisitorsForm, onWritersForm } = routes;

  http.get('/', ({ req, env }, next) =>
    prefersHtml(req.raw)
      ? answering(async () => {
          const visit = await browsers.find(req.raw, env);
          const invited = (await isOwner(req.raw)) ? { notice: ownerNotice(site, isSample()) } : {};
          if (visit !== null)
            return openProfile(visit, isOpened(req.raw), { ...invited, program: req.query('program') });
          const wrong = wrongOf(req.query('wrong'));
          if (wrong !== null) return showLanding(new URLSearchParams(browsers.typed.read(req.raw)), wrong);
          const ended = browsers.hasCookie(req.raw) ? accessEnded(false) : left.get(req.query('left') ?? null);
          return showLanding(nothingTyped, ended ? { notice: ended } : invited);
        })
      : next(),
  );

  /** Shows the profile, and confirms once that a message was sent; such a page is not recorded as opened. */
  async function openProfile(visit: VisitorSession, isOpened: boolean, shown: Pick<ProfilePage, 'notice' | 'program'>) {
    const { session } = visit;
    if (session.unconfirmedEmail === null) return showProfile(visit, nothingTyped, shown, isOpened);
    const notice = sent(session.unconfirmedEmail, language());
    const response = await showProfile(visit, nothingTyped, { notice }).catch((error: unknown) => {
      if (error instanceof Failure) return faultResponse(error, site, { notice });
      throw error;
    });
    // If this cannot be stored, the next page confirms the message again.
    if (isOpened) await sessions.markConfirmed(session).catch(throwUnlessFailure);
    return response;
  }

  /** Opens a session with a visitor's token, and sends the message typed before. */
  async function enter(
    visitor: VisitorCaller,
    isTokenShown: boolean,
    fields: URLSearchParams,
    before: VisitorSession | null,
  ) {
    const isRemembered = fields.has('remember');
    const { visit, setCookie } = await browsers.open(visitor, { isRemembered, isTokenShown, mayWrite: true }, before);
    // Redirects through a page that checks whether the browser has stored the cookie.
    const response = isTyped(draftOf(fields)) ? await send(visit, fields) : redirectTo(site.path('/profile/opened'));
    response.headers.append('set-cookie', setCookie);
    return response;
  }

  const issue = (email: string, peer: Peer) => call(openAccess, { kind: 'anonymous', token: null, ...peer }, { email });
  onEntry('/', async ({ fields, peer, visit }) => {
    const email = fields.get('email') ?? '';
    const typed = toEmailAddress(email);
    const isKnown = visit !== null && typed !== null && isSameVisitor(byAddress(typed), visit.session.token.subject);
    return isKnown
      ? enter(visit.visitor, visit.session.isTokenShown, fields, visit)
      : enter({ kind: 'visitor', token: await issue(email, peer), ...peer }, false, fields, visit);
  });

  onEntry('/profile', async ({ fields, peer, visit }) => {
    // It may be pasted with its scheme.
    const token = await services.tokens.verify((fields.get('token') ?? '').trim().replace(/^bearer +/i, ''));
    // A client's token may open less.
    if (token !== null && token.access === undefined)
      return enter({ kind: 'visitor', token, ...peer }, true, fields, visit);
    services.audit({ event: 'token_refused', from: peer.address });
    const failure = guard.limitRefused(peer.address);
    if (failure !== null) throw failure;
    return routes.showWrong('token', fields, 401);
  });

  http.get('/profile/opened', ({ req }) =>
    answering(async () => {
      if (!browsers.hasCookie(req.raw)) return showLanding(nothingTyped, { notice: cookieRefused });
      const hasTyped = browsers.typed.read(req.raw) !== '';
      return redirectTo(site.path('/'), hasTyped ? { 'set-cookie': browsers.typed.clear() } : {});
    }),
  );

  const privacy = openPublicPage(
    site,
    () => publicProfile().name ?? '',
    () => privacyPage({ keep, keepReads, name: publicProfile().name, cookie: browsers.cookieName }, site),
  );
  http.get('/privacy', ({ req }) => privacy(req.raw));

  onPage('/profile/pdf', async (visit, request) => {
    try {
      const { url } = await call(pdfRead, visit.visitor, {}, { isRecorded: isOpened(request) });
      return redirectTo(url);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'UNAVAILABLE') throw error;
      return showProfile(visit, nothingTyped, { notice: notPrinted, status: error.status });
    }
  });

  onPage('/profile/docx', async (visit, request) => {
    const { docx } = files(visit.visitor.token);
    if (docx === null) return showProfile(visit, nothingTyped, { notice: noDocx, status: 404 });
    await call(docxRead, visit.visitor, {}, { isRecorded: isOpened(request) });
    return redirectTo(docx);
  });

  async function send(visit: VisitorSession, fields: URLSearchParams): Promise<Response> {
    const draft = draftOf(fields);
    let id: string;
    // A form sent twice is stored once. The key includes the message, because visitors go back and write another one in it.
    const idempotencyKey = services.hash(`${keyOf(fields)} ${JSON.stringify(draft)}`);
    try {
      ({ id } = await call(createContact, visit.visitor, draft, { idempotencyKey }));
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'UNAUTHORIZED') throw error;
      const { code, status } = error;
      if (code !== 'BAD_REQUEST' && code !== 'RATE_LIMITED')
        return showProfile(visit, fields, { notice: notSent(error), status });
      await keepDraft(visit, fields, error);
      return redirectTo(site.path('/profile/write'));
    }
    try {
      await sessions.confirmLater(visit.session, id);
    } catch (error) {
      throwUnlessFailure(error);
      return showLanding(nothingTyped, { notice: sent(draft.email, language()) });
    }
    return redirectTo(site.path('/'));
  }
  onWritersForm('/profile/write', ({ visit, fields }) => send(visit, fields));

  /** Stores a message with faults, or one beyond the quota, for the page that shows it again. */
  async function keepDraft({ session, visitor }: VisitorSession, fields: URLSearchParams, failure: Failure) {
    chargeStored(visitor, services);
    const { retryAfterSeconds: seconds } = failure;
    const until = seconds === null ? {} : { refused_until: `${services.now().getTime() + seconds * 1_000}` };
    const draft = { ...keptDraftOf(fields), idempotency_key: keyOf(fields), ...until };
    await sessions.keepDraft(session, JSON.stringify(draft));
  }

  onPage('/profile/write', async (visit) => {
    const { draft } = visit.session;
    if (draft === null) return redirectTo(site.path('/'));
    const fields = new URLSearchParams(JSON.parse(draft) as Record<string, string>);
    const seconds = Math.ceil((Number(fields.get('refused_until') ?? 0) - services.now().getTime()) / 1_000);
    const limited = new Failure('RATE_LIMITED', undefined, { retryAfterSeconds: seconds });
    const shown = {
      faults: faultsOf(draftOf(fields), pageWordsOf(language())),
      ...(seconds > 0 && { notice: notSent(limited) }),
    };
    return showProfile(visit, fields, shown);
  });

  onWritersForm('/profile/token', async ({ visit, fields }) => {
    await sessions.showToken(visit.session);
    const program = fields.get('program');
    return redirectTo(site.path(`/${program ? `?${new URLSearchParams({ program })}` : ''}#use-it`));
  });

  onVisitorsForm('/profile/leave', async ({ visit: { session } }) => {
    await sessions.end(session);
    const which = session.isTokenShown ? 'token-kept' : 'token-ended';
    return redirectTo(site.path(`/?left=${which}`), { 'set-cookie': browsers.clearCookie() });
  });

  onPage('/profile/record', async ({ visitor, formToken }) => {
    const record = await call(getMyReads, visitor, {});
    const messages = await services.store.contacts.sentWith(visitor.token.jti, maxMessages);
    const { profile: read } = services.edition(visitor.token);
    const offered = offeredIn(operations, read).map(({ name }) => name);
    return pageResponse(myReadsPage({ record, messages, offered, name: read.candidate.name, formToken }, site), site);
  });
  onVisitorsForm('/profile/record/erase', async ({ visit }) => {
    await call(eraseMyReads, visit.visitor, {});
    return redirectTo(site.path('/profile/record'));
  });

  // For the reference, whose pages are the same for everybody: first a form token, then the token of the session.
  http.get('/profile/session', ({ req, env }) =>
    answering(async () => {
      const headers = { 'cache-control': 'no-store' };
      const visit = await browsers.find(req.raw, env);
      if (visit === null) return new Response(null, { status: 204, headers });
      return Response.json({ form_token: guard.tokens.issue(browsers.formSessionOf(req.raw)) }, { headers });
    }),
  );
  onWritersForm('/profile/session', async ({ visit: { session } }) =>
    Response.json(
      { access_token: await sessions.tokenOf(session), is_shown: session.isTokenShown },
      { headers: { 'cache-control': 'no-store' } },
    ),
  );

  // A form's address, opened by GET.
  http.get('/profile/:rest{.*}?', () => redirectTo(site.path('/')));
}

function throwUnlessFailure(error: unknown): void {
  if (!(error instanceof Failure)) throw error;
}
