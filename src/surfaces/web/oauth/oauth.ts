import type { Hono } from 'hono';
import { longestAddress } from '../../../model/email-address.ts';
import { Failure } from '../../../model/failure.ts';
import type { PendingRequest } from '../../../model/oauth.ts';
import { toRateLimited } from '../../../model/quota.ts';
import type { Grants, VerificationCodes } from '../../../operations/oauth.ts';
import type { Services } from '../../../operations/ports.ts';
import { limitAuthorization, limitRequest } from '../../../operations/quotas.ts';
import type { AuthorizationServer } from '../../oauth.ts';
import type { Connection } from '../../request.ts';
import { faultResponse } from '../fault-page.ts';
import { cutField, type FormGuard, formTokenField, type KeptFields, noSession, takeForm } from '../form.ts';
import { type Page, pageResponse, redirectTo, type Site } from '../page.ts';
import { publicProfileOf } from '../public/public-profile.ts';
import { notSent, wrongAddress } from '../visitor/visitor-forms.ts';
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

/** What the pages of the authorization server use. */
export interface OauthPorts {
  readonly server: AuthorizationServer;
  readonly grants: Grants;
  /** Null if addresses are not verified. */
  readonly codes: VerificationCodes | null;
}

/** What a page says besides what the request holds. */
type Outcome = Partial<Pick<RequestPage, 'notice' | 'status' | 'headers'>> & {
  readonly typed?: string;
  readonly fault?: string;
};

interface Options extends OauthPorts {
  readonly site: Site;
  readonly services: Services;
  readonly guard: FormGuard;
}

// Not the address that a consent is for: if it is sent again, its page is shown, which says what is allowed.
const kept: KeptFields = {
  email: { limit: longestAddress },
  code: { limit: 40 },
  step: { limit: 10, isHidden: true },
};

/**
 * Whether a redirect, before the visitor has answered anything, leads to another site or program. Anybody may have registered that, and
 * would have a link to this site that leads there (RFC 9700, section 4.11.2). A program on this computer waits for its redirect.
 */
function leadsAway(location: string): boolean {
  if (location.startsWith('/')) return false;
  return new URL(location).protocol !== 'http:';
}

/** Adds the pages on which a visitor allows a client access: the address, the code that is sent to it, consent. */
export function addOauthTo(http: Hono<{ Bindings: Connection }>, options: Options): void {
  const { site, services, guard, server, codes } = options;
  const respond = (page: Page) => pageResponse(page, site);

  const show: Show = (id, pending, outcome = {}) => {
    const shown = {
      pending,
      profile: publicProfileOf(services.edition().profile),
      keepReads: services.reads.isOn ? services.reads.keepSeconds : null,
      action: site.path(`/oauth/consent/${id}`),
      privacyPath: site.path('/privacy'),
      formToken: formTokenField(guard, noSession),
      ...outcome,
    };
    const { address, isVerified } = pending;
    if (address === null) return respond(addressPage({ typed: '', sendsCode: codes !== null, ...shown }));
    return respond(codes === null || isVerified ? consentPage({ ...shown, address }) : codePage({ ...shown, address }));
  };

  const steps = stepsOf(options, show);

  const explain = (failure: Failure) =>
    failure.code === 'NOT_FOUND' ? respond(expiredRequestPage) : faultResponse(failure, site);

  http.get('/oauth/authorize/:id{[\\w-]+}?', async ({ req, env }) => {
    const id = req.param('id') ?? '';
    const refusal =
      id === '' ? limitRequest(env.address, services) : limitAuthorization('/oauth/authorize', env.address, services);
    if (refusal !== null) return faultResponse(refusal, site);
    const response = await server.authorize(req.raw, id, env.address);
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

  // GET and HEAD change nothing: programs that check mail open what they find.
  http.get('/oauth/consent/:id{[\\w-]+}', async ({ req }) => {
    const id = req.param('id');
    try {
      const pending = await server.pending(req.raw, id);
      if (pending === null) return respond(expiredRequestPage);
      return show(id, pending, req.query('code') === 'new' ? { notice: newCodeSent } : {});
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return explain(error);
    }
  });

  http.post('/oauth/consent/:id{[\\w-]+}', ({ req, env: { address: from } }) => {
    const id = req.param('id');
    return takeForm(req.raw, from, { site, guard, kept, explain }, async (fields) => {
      const pending = await server.pending(req.raw, id);
      if (pending === null) return respond(expiredRequestPage);
      const step = fields.get('step') ?? '';
      if (!Object.hasOwn(steps, step)) return show(id, pending);
      return await steps[step]!({ request: req.raw, id, pending, fields, from });
    });
  });
}

/** A form of one of the pages, for a request that has not ended. */
interface SentForm {
  readonly request: Request;
  readonly id: string;
  readonly pending: PendingRequest;
  readonly fields: URLSearchParams;
  /** The network address of the visitor. */
  readonly from: string | null;
}

/** Responds with the page of what is still to be done for a request. */
type Show = (id: string, pending: PendingRequest, outcome?: Outcome) => Promise<Response>;

type Step = (form: SentForm) => Promise<Response>;

/** Returns what each button of the pages does, by the value of its field `step`. */
function stepsOf({ site, server, grants, codes }: Options, show: Show): Partial<Record<string, Step>> {
  const goOn = (id: string, query = '') => redirectTo(site.path(`/oauth/consent/${id}${query}`));

  /** Shows the page that `pending` leads to, with what it says of a failure. */
  function showFailure(error: unknown, id: string, pending: PendingRequest, say: (failure: Failure) => Outcome) {
    if (!(error instanceof Failure) || error.code === 'NOT_FOUND') throw error;
    const { status, retryAfterSeconds: seconds } = error;
    const headers = seconds === null ? {} : { 'retry-after': String(seconds) };
    return show(id, pending, { status, headers, ...say(error) });
  }

  return {
    async address({ request, id, pending, fields, from }) {
      const typed = fields.get('email') ?? '';
      try {
        const address = await grants.enterAddress(typed, from);
        // A form that is sent twice sends one code.
        if (address === pending.address) return goOn(id);
        await codes?.send({ id: pending.requestId, clientName: pending.clientName }, address, from);
        await server.keepAddress(request, id, address, false);
        return goOn(id);
      } catch (error) {
        return showFailure(error, id, { ...pending, address: null }, (failure) => ({
          typed: cutField(typed, longestAddress),
          ...(failure.code === 'BAD_REQUEST' ? { fault: wrongAddress } : { notice: notSent(failure) }),
        }));
      }
    },

    async code({ request, id, pending, fields, from }) {
      const { requestId, address, isVerified } = pending;
      if (codes === null || address === null || isVerified) return goOn(id);
      const code = toDigits(fields.get('code') ?? '');
      if (!/^\d{6}$/.test(code)) return show(id, pending, { fault: wrongDigits, status: 400 });
      const fault = await codes.confirm(requestId, address, code, from);
      if (fault !== null) return show(id, pending, { ...toOutcome(fault), status: 400 });
      await server.keepAddress(request, id, address, true);
      return goOn(id);
    },

    async new_code({ id, pending, from }) {
      const { requestId, clientName, address, isVerified } = pending;
      if (codes === null || address === null || isVerified) return goOn(id);
      try {
        await codes.send({ id: requestId, clientName }, address, from);
        return goOn(id, '?code=new');
      } catch (error) {
        return showFailure(error, id, pending, (failure) => ({ notice: codeNotSent(failure) }));
      }
    },

    async back({ request, id }) {
      await server.keepAddress(request, id, null, false);
      return goOn(id);
    },

    async allow({ request, id, pending, fields, from }) {
      const { address, isVerified } = pending;
      if (address === null || (codes !== null && !isVerified)) return goOn(id);
      // Another tab of this request may have typed another address since this one was shown.
      if (fields.get('address') !== address) return goOn(id);
      await grants.allow(toConsent(pending, address, server), from);
      return redirectTo(await server.finish(request, id, { address, id: pending.grantId }));
    },

    deny: async ({ request, id }) => redirectTo(await server.finish(request, id, null)),
  };
}

const toConsent = (
  { grantId, clientId, clientName, redirectUri, scopes, isForMcp, isVerified }: PendingRequest,
  subject: string,
  server: Pick<AuthorizationServer, 'grantExpiry'>,
) => ({
  id: grantId,
  subject,
  isVerified,
  clientId,
  clientName,
  redirectUri,
  scopes,
  isForMcp,
  expiresAt: server.grantExpiry(),
});

/** Returns the digits of a code as typed: in any width, in Arabic or Persian digits, in groups. */
const toDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/[\s-]/g, '');
