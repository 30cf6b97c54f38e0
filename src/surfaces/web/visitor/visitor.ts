import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { Failure } from '../../../model/failure.ts';
import type { Services } from '../../../operations/ports.ts';
import { type Connection, type Peer, peerOf } from '../../caller.ts';
import { prefersHtml } from '../../prefers-html.ts';
import { faultResponse } from '../fault-page.ts';
import { type FormGuard, formTokenField, noSession, readForm } from '../form.ts';
import { formatDuration } from '../format-time.ts';
import { type Html, pageResponse, type Site } from '../page.ts';
import { publicHead } from '../public/head.ts';
import { publicProfileOf } from '../public/public-profile.ts';
import { openPublicPage } from '../public-page.ts';
import { redirectTo } from '../redirect.ts';
import { callsOf, type Visitor } from './calls.ts';
import { type Landing, landingResponse } from './landing.ts';
import { myReadsPage } from './my-reads.ts';
import { accessEnded, notSent, notYetSent, recordErased, sent, tooOld, wrongAddress } from './outcomes.ts';
import { privacyPage, type Retention } from './privacy.ts';
import { type ProfilePage, profileResponse } from './profile-page.ts';
import { draftOf, isTyped, toFieldFault } from './write-form.ts';

type Http = Hono<{ Bindings: Connection }>;

interface Options {
  readonly site: Site;
  readonly services: Services;
  readonly guard: FormGuard;
  readonly keep: Retention;
}

/** What was sent with a form of a visitor. */
interface Sent {
  readonly fields: URLSearchParams;
  readonly peer: Peer;
}

/** Adds the page of the profile: before access, with access, the PDF, and messages. */
export function addVisitorTo(http: Http, { site, services, guard, keep }: Options): void {
  const keepReads = keep.reads === null ? null : formatDuration(keep.reads);
  const publicProfile = () => publicProfileOf(services.edition().profile);
  const calls = callsOf(services);
  const visitorsFormToken = () => formTokenField(guard, noSession);

  function showLanding(fields: URLSearchParams, state: Partial<Landing> = {}): Promise<Response> {
    const profile = publicProfile();
    return landingResponse(
      {
        profile,
        head: publicHead(profile, site),
        formToken: visitorsFormToken(),
        keepReads,
        draft: draftOf(fields),
        ...state,
      },
      site,
    );
  }

  /** The hidden fields of the forms of a visitor with a token. */
  const hiddenOf = (token: string): Html =>
    html`${visitorsFormToken()}<input type="hidden" name="token" value="${token}">`;

  /** Shows the profile; the form for a message has what was typed. */
  async function showProfile(
    token: string,
    visitor: Visitor,
    fields: URLSearchParams,
    state: Partial<Pick<ProfilePage, 'fault' | 'notice' | 'status'>> = {},
  ): Promise<Response> {
    const profile = await calls.readProfile(visitor);
    const draft = draftOf(fields);
    const { pdf_url: pdfUrl } = services.edition().profile.resume;
    return profileResponse(
      {
        profile,
        token,
        expiresAt: visitor.token.expiresAt,
        hidden: hiddenOf(token),
        idempotencyKey: fields.get('idempotency_key') ?? services.newId(),
        draft: { ...draft, email: draft.email || visitor.token.subject },
        fault: null,
        status: 200,
        isRecorded: keepReads !== null,
        ...(pdfUrl !== undefined && { pdfOrigin: new URL(pdfUrl).origin }),
        ...state,
      },
      site,
    );
  }

  /** Handles a form of ours; a failure is shown on the first page, with all that was typed. */
  function onForm(path: string, respond: (sent: Sent) => Promise<Response>): void {
    http.post(path, async ({ req, env }: Context<{ Bindings: Connection }>) => {
      let fields = new URLSearchParams();
      try {
        const form = await readForm(req.raw, guard, noSession);
        fields = form.fields;
        const token = fields.get('token');
        if (!form.isFresh) return await showLanding(fields, { notice: tooOld, status: 403, ...(token && { token }) });
        return await respond({ fields, peer: peerOf(req.raw, env) });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return await showFailure(error, fields);
      }
    });
  }

  async function showFailure(failure: Failure, fields: URLSearchParams): Promise<Response> {
    const { code, status, retryAfterSeconds } = failure;
    const token = fields.get('token');
    const headers = retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) };
    if (code === 'BAD_REQUEST') return showLanding(fields, { fault: wrongAddress, status });
    if (code === 'RATE_LIMITED' || code === 'UNAVAILABLE')
      return showLanding(fields, { notice: notSent(failure), status, headers, ...(token && { token }) });
    return faultResponse(failure, site);
  }

  /** Responds, with the first page, that something was done although the token has no read left to show more. */
  const orShowLanding = (fields: URLSearchParams, state: Partial<Landing>) => (failure: unknown) => {
    if (!(failure instanceof Failure)) throw failure;
    return showLanding(fields, state);
  };

  /** Handles a form that holds the visitor's token. */
  const onVisitorsForm = (
    path: string,
    respond: (sent: Sent & { token: string; visitor: Visitor }) => Promise<Response>,
  ) =>
    onForm(path, async ({ fields, peer }) => {
      // Pasted, perhaps with the scheme in front of it.
      const token = (fields.get('token') ?? '').trim().replace(/^bearer +/i, '');
      const visitor = await calls.visitorOf(token, peer);
      if (visitor === null) return showLanding(fields, { notice: accessEnded(isTyped(draftOf(fields))), status: 401 });
      return await respond({ fields, peer, token, visitor });
    });

  http.get('/', ({ req }, next) => (prefersHtml(req.raw) ? showLanding(new URLSearchParams()) : next()));
  onForm('/', async ({ fields, peer }) => {
    const token = await calls.issue(fields.get('email') ?? '', peer);
    const visitor = await calls.visitorOf(token, peer);
    if (visitor === null) throw new Failure('UNAVAILABLE');
    return await showProfile(token, visitor, fields, isTyped(draftOf(fields)) ? { notice: notYetSent } : {});
  });

  const privacy = openPublicPage(
    site,
    () => publicProfile().name ?? '',
    () => privacyPage({ keep, name: publicProfile().name }, site),
  );
  http.get('/privacy', ({ req }) => privacy(req.raw));

  // A reload of a page that answered a form, or its address typed in.
  http.get('/profile/:rest{.*}?', () => redirectTo(site.path('/')));
  onVisitorsForm('/profile', ({ token, visitor, fields }) => showProfile(token, visitor, fields));
  onVisitorsForm('/profile/pdf', async ({ visitor }) => redirectTo(await calls.pdfUrl(visitor)));
  onVisitorsForm('/profile/write', async ({ token, visitor, fields }) => {
    const draft = draftOf(fields);
    try {
      await calls.send(visitor, draft, fields.get('idempotency_key') || services.newId());
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'UNAUTHORIZED') throw error;
      const { status, message } = error;
      if (error.code === 'BAD_REQUEST')
        return showProfile(token, visitor, fields, { fault: toFieldFault(message), status });
      return showProfile(token, visitor, fields, { notice: notSent(error), status });
    }
    // A new form, for another message.
    const next = new URLSearchParams({ name: draft.name, email: draft.email, company: draft.company });
    const notice = sent(draft.email);
    return showProfile(token, visitor, next, { notice }).catch(orShowLanding(next, { notice, token }));
  });

  const showReads = async ({ token, visitor }: { token: string; visitor: Visitor }) => {
    const record = await calls.readsOf(visitor);
    const { name } = services.edition().profile.candidate;
    return pageResponse(myReadsPage({ record, name, hidden: hiddenOf(token) }, site), site);
  };
  onVisitorsForm('/profile/record', showReads);
  onVisitorsForm('/profile/record/erase', async (sent) => {
    await calls.eraseReads(sent.visitor);
    return showReads(sent).catch(orShowLanding(sent.fields, { notice: recordErased, token: sent.token }));
  });
}
