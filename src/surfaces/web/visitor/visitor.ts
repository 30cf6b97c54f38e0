import type { Hono } from 'hono';
import { html } from 'hono/html';
import { Failure } from '../../../model/failure.ts';
import { operations } from '../../../operations/index.ts';
import { offeredIn } from '../../../operations/operation.ts';
import type { Services } from '../../../operations/ports.ts';
import { type Connection, prefersHtml } from '../../request.ts';
import { cutField, type FormGuard, formTokenField, noSession } from '../form.ts';
import { type Html, openPublicPage, pageResponse, redirectTo, type Site } from '../page.ts';
import { publicProfileOf } from '../public/public-profile.ts';
import { callsOf, type Visitor } from './calls.ts';
import { type Landing, landingResponse } from './landing.ts';
import { myReadsPage, privacyPage, type Retention } from './privacy.ts';
import { draftOf, isTyped, type ProfilePage, profileResponse, shownDraftOf, toFieldFault } from './profile-page.ts';
import { maxKeyLength, notSent, notYetSent, recordErased, sent, visitorFormsOf } from './visitor-forms.ts';

type Http = Hono<{ Bindings: Connection }>;

/** How many messages the page lists of those that were sent with a token. */
const maxMessages = 100;

interface Options {
  readonly site: Site;
  readonly services: Services;
  readonly guard: FormGuard;
  readonly keep: Retention;
}

/** Adds the page of the profile: before access, with access, the PDF, and messages. */
export function addVisitorTo(http: Http, { site, services, guard, keep }: Options): void {
  const keepReads = services.reads.isOn ? services.reads.keepSeconds : null;
  const publicProfile = () => publicProfileOf(services.edition().profile);
  const calls = callsOf(services);
  const visitorsFormToken = () => formTokenField(guard, noSession);

  function showLanding(fields: URLSearchParams, state: Partial<Landing> = {}): Promise<Response> {
    return landingResponse(
      {
        profile: publicProfile(),
        formToken: visitorsFormToken(),
        keepReads,
        draft: shownDraftOf(fields),
        ...state,
      },
      site,
    );
  }

  /** The hidden fields of the forms of a visitor with a token. */
  const hiddenOf = (token: string): Html =>
    html`${visitorsFormToken()}<input type="hidden" name="token" value="${token}">`;

  /** Shows the profile; the form for a message keeps the typed fields. */
  async function showProfile(
    token: string,
    visitor: Visitor,
    fields: URLSearchParams,
    state: Partial<Pick<ProfilePage, 'fault' | 'notice' | 'status'>> = {},
  ): Promise<Response> {
    const profile = await calls.readProfile(visitor);
    const draft = shownDraftOf(fields);
    const { pdf_url: pdfUrl } = services.edition().profile.resume;
    return profileResponse(
      {
        profile,
        token,
        expiresAt: visitor.token.expiresAt,
        hidden: hiddenOf(token),
        idempotencyKey: cutField(fields.get('idempotency_key') ?? services.newId(), maxKeyLength),
        draft: { ...draft, email: draft.email || visitor.token.subject },
        fault: null,
        status: 200,
        isRecorded: services.reads.isOn,
        ...(pdfUrl !== undefined && { pdfOrigin: new URL(pdfUrl).origin }),
        ...state,
      },
      site,
    );
  }

  const { onForm, onVisitorsForm, orShowLanding } = visitorFormsOf({ http, site, guard, calls, showLanding });

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
    () => privacyPage({ keep, keepReads, name: publicProfile().name }, site),
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
    const messages = await services.store.contacts.sentWith(visitor.token.jti, maxMessages);
    const { profile } = services.edition();
    const offered = offeredIn(operations, profile).map(({ name }) => name);
    const { name } = profile.candidate;
    return pageResponse(myReadsPage({ record, messages, offered, name, hidden: hiddenOf(token) }, site), site);
  };
  onVisitorsForm('/profile/record', showReads);
  onVisitorsForm('/profile/record/erase', async (sent) => {
    await calls.eraseReads(sent.visitor);
    return showReads(sent).catch(orShowLanding(sent.fields, { notice: recordErased, token: sent.token }));
  });
}
