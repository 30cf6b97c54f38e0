import type { Hono } from 'hono';
import { longestAddress } from 'resume-profile/email-address';
import { Failure } from '../../../model/failure.ts';
import { grantIdOf } from '../../../model/link.ts';
import type { PendingRequest } from '../../../model/oauth.ts';
import { toRateLimited } from '../../../model/quota.ts';
import { type AddressVisitor, toVisitorText, type Visitor } from '../../../model/visitor.ts';
import type { Grants, VerificationCodes } from '../../../operations/oauth.ts';
import { limitAction, limitConsentRequest } from '../../../operations/quotas.ts';
import type { AuthorizationServer } from '../../oauth-endpoints.ts';
import type { Connection } from '../../request.ts';
import { faultResponse } from '../fault-page.ts';
import { cutField, formTokenField, type KeptFields, noSession, takeForm } from '../form.ts';
import { type Page, pageResponse, redirectTo, statusOf } from '../page.ts';
import { publicProfileOf } from '../public/public-profile.ts';
import { notSent, wrongAddress } from '../visitor/visitor-forms.ts';
import { type EntryPorts, visitorSessionsOf } from '../visitor/visitor-sessions.ts';
import {
  addressPage,
  codeNotSent,
  codePage,
  consentPage,
  expiredRequestPage,
  newCodeSent,
  type RequestPage,
  refusedRequestPage,
  toOutcome,
  unreachableClientPage,
  wrongDigits,
  wrongRequestPage,
} from './pages.ts';

export interface OauthPorts {
  readonly server: () => Promise<AuthorizationServer>;
  readonly grants: Grants;
  /** Null if addresses are not verified. */
  readonly codes: VerificationCodes | null;
}

/** The parts of a page that do not follow from the request. */
type Outcome = Partial<Pick<RequestPage, 'notice' | 'status' | 'headers'>> & {
  readonly typed?: string;
  readonly fault?: string;
};

// Without the address of a consent: if the form is sent again, its page is shown, which says what is allowed.
const keptFields: KeptFields = {
  email: { limit: longestAddress },
  code: { limit: 40 },
  step: { limit: 10, isHidden: true },
};

/**
 * Whether a redirect before the visitor has answered leads to another site or program. Anybody may have registered it, and this
 * site would then lead there (RFC 9700, section 4.11.2). A local program waits for its redirect.
 */
function leadsAway(location: string): boolean {
  if (location.startsWith('/')) return false;
  return new URL(location).protocol !== 'http:';
}

/** Adds the pages on which a visitor allows a client access: the address, the code sent to it, and consent. */
export function addOauthTo(http: Hono<{ Bindings: Connection }>, ports: OauthPorts, entry: EntryPorts): void {
  const { site, services, guard } = entry;
  const { server, codes } = ports;
  const respond = (page: Page) => pageResponse(page, site);
  const browsers = visitorSessionsOf(entry);

  /** Returns a request; if the browser came through a link, it needs no address. */
  async function pendingOf(request: Request, connection: Connection, id: string): Promise<Pending | null> {
    const pending = await (await server()).pending(request, id);
    if (pending === null || pending.visitor !== null) return pending;
    const { session } = (await browsers.find(request, connection)) ?? {};
    if (session?.token.subject.kind !== 'link' || !session.mayWrite) return pending;
    const { subject, jti } = session.token;
    return { ...pending, visitor: subject, grantId: grantIdOf(jti, pending.grantId) };
  }

  /** Responds with the page of the next step of a request. */
  const show = (id: string, pending: Pending, outcome: Outcome = {}) => {
    const shown = {
      pending,
      profile: publicProfileOf(services.edition(null).profile),
      keepReads: services.reads.isOn ? services.reads.keepSeconds : null,
      action: site.path(`/oauth/consent/${id}`),
      privacyPath: site.path('/privacy'),
      formToken: formTokenField(guard, noSession),
      ...outcome,
    };
    const { visitor, isVerified } = pending;
    if (visitor === null) return respond(addressPage({ typed: '', sendsCode: codes !== null, ...shown }));
    const isAsked = visitor.kind === 'address' && codes !== null && !isVerified;
    return respond(isAsked ? codePage({ ...shown, visitor }) : consentPage({ ...shown, visitor }));
  };

  const explain = (failure: Failure) =>
    failure.code === 'NOT_FOUND' ? respond(expiredRequestPage) : faultResponse(failure, site);

  http.get('/oauth/authorize/:id{[\\w-]+}?', async ({ req, env }) => {
    const id = req.param('id') ?? '';
    const refusal =
      id === '' ? limitConsentRequest(env.address, services) : limitAction('/oauth/authorize', env.address, services);
    if (refusal !== null) return faultResponse(refusal, site);
    const response = await (await server()).authorize(req.raw, id, env.address);
    if (response.status < 400) {
      const location = response.headers.get('location') ?? '';
      return id === '' && leadsAway(location) ? respond(refusedRequestPage(location)) : response;
    }
    const { error, error_description: reason, is_unreachable } = (await response.json()) as Record<string, unknown>;
    if (is_unreachable === true) return respond(unreachableClientPage(site));
    if (response.status === 429) return faultResponse(toRateLimited(Number(response.headers.get('retry-after'))), site);
    if (response.status >= 500) return faultResponse(new Failure('UNAVAILABLE'), site);
    return id === '' ? respond(wrongRequestPage(`${error}: ${reason}`, response.status)) : respond(expiredRequestPage);
  });

  // GET and HEAD change nothing, because programs that check mail open its links.
  http.get('/oauth/consent/:id{[\\w-]+}', async ({ req, env }) => {
    const id = req.param('id');
    try {
      const pending = await pendingOf(req.raw, env, id);
      if (pending === null) return respond(expiredRequestPage);
      return show(id, pending, req.query('code') === 'new' ? { notice: newCodeSent } : {});
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return explain(error);
    }
  });

  http.post('/oauth/consent/:id{[\\w-]+}', ({ req, env }) => {
    const { address: from } = env;
    const id = req.param('id');
    return takeForm(req.raw, from, { site, guard, keptFields, explain }, async (fields) => {
      const pending = await pendingOf(req.raw, env, id);
      if (pending === null) return respond(expiredRequestPage);
      const step = fields.get('step') ?? '';
      if (!Object.hasOwn(steps, step)) return show(id, pending);
      const goOn = (query = '') => redirectTo(site.path(`/oauth/consent/${id}${query}`));
      const form: SentForm = {
        pending,
        fields,
        from,
        show: (outcome, changed) => show(id, { ...pending, ...changed }, outcome),
        goOn,
        async keepVisitor(visitor, isVerified) {
          await (await server()).keepVisitor(req.raw, id, visitor, isVerified);
          return goOn();
        },
        finish: async (grant) => redirectTo(await (await server()).finish(req.raw, id, grant)),
      };
      return await steps[step]!(form, ports);
    });
  });
}

/** A request; if no address was typed, with the link through which its browser came. */
type Pending = Omit<PendingRequest, 'visitor'> & { readonly visitor: Visitor | null };

/** A form of one of the pages, for a request that has not ended, with the ways to respond to it. */
interface SentForm {
  readonly pending: Pending;
  readonly fields: URLSearchParams;
  /** The network address of the visitor. */
  readonly from: string | null;
  /** Responds with the page of the next step; `changed` can reset the visitor. */
  show(outcome: Outcome, changed?: { readonly visitor: null }): Promise<Response>;
  /** Redirects to the page of the next step. */
  goOn(query?: string): Response;
  /** Stores the visitor with the request, or removes them if null, and continues. */
  keepVisitor(visitor: AddressVisitor | null, isVerified: boolean): Promise<Response>;
  /** Ends the request, and redirects to the client with the grant; null is a refusal. */
  finish(grant: { visitor: Visitor; id: string } | null): Promise<Response>;
}

/** The buttons of the pages, by the value of their field `step`. */
const steps: Record<string, (form: SentForm, ports: OauthPorts) => Response | Promise<Response>> = {
  async address({ pending, fields, from, show, goOn, keepVisitor }, { grants, codes }) {
    const typed = fields.get('email') ?? '';
    try {
      const visitor = await grants.enterAddress(typed, from);
      // A form that is sent twice sends only one code.
      if (pending.visitor?.kind === 'address' && visitor.address === pending.visitor.address) return goOn();
      await codes?.send(pending, visitor, from);
      return await keepVisitor(visitor, false);
    } catch (error) {
      const explain = (failure: Failure) => ({
        typed: cutField(typed, longestAddress),
        ...(failure.code === 'BAD_REQUEST' ? { fault: wrongAddress } : { notice: notSent(failure) }),
      });
      return show(outcomeOf(error, explain), { visitor: null });
    }
  },

  async code({ pending, fields, from, show, goOn, keepVisitor }, { codes }) {
    const { requestId, visitor, isVerified } = pending;
    if (codes === null || visitor?.kind !== 'address' || isVerified) return goOn();
    const code = toDigits(fields.get('code') ?? '');
    if (!/^\d{6}$/.test(code)) return show({ fault: wrongDigits, status: 400 });
    const fault = await codes.confirm(requestId, visitor, code, from);
    return fault === null ? keepVisitor(visitor, true) : show({ ...toOutcome(fault), status: 400 });
  },

  async new_code({ pending, from, show, goOn }, { codes }) {
    const { visitor, isVerified } = pending;
    if (codes === null || visitor?.kind !== 'address' || isVerified) return goOn();
    try {
      await codes.send(pending, visitor, from);
      return goOn('?code=new');
    } catch (error) {
      return show(outcomeOf(error, (failure) => ({ notice: codeNotSent(failure) })));
    }
  },

  back: ({ keepVisitor }) => keepVisitor(null, false),

  async allow({ pending, fields, from, goOn, finish }, { server, grants, codes }) {
    const { requestId: _, grantId: id, visitor, ...asked } = pending;
    if (visitor === null || (visitor.kind === 'address' && codes !== null && !asked.isVerified)) return goOn();
    // Another tab of this request may have changed the address since this page was shown.
    if (fields.get('address') !== toVisitorText(visitor)) return goOn();
    const expiresAt = (await server()).grantExpiry();
    await grants.allow({ ...asked, id, subject: visitor, expiresAt }, from);
    return finish({ visitor, id });
  },

  deny: ({ finish }) => finish(null),
};

/** Returns the outcome of a failure after which the visitor can try again; rethrows every other error. */
function outcomeOf(error: unknown, explain: (failure: Failure) => Outcome): Outcome {
  if (!(error instanceof Failure) || error.code === 'NOT_FOUND') throw error;
  return { ...statusOf(error), ...explain(error) };
}

/** Returns the digits of a code as typed: in any width, in Arabic or Persian digits, in groups. */
const toDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/[\s-]/g, '');
