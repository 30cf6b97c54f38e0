import type { Hono } from 'hono';
import { longestAddress } from '../../../model/email-address.ts';
import { Failure } from '../../../model/failure.ts';
import type { PendingRequest } from '../../../model/oauth/pending-request.ts';
import { toRateLimited } from '../../../model/quota.ts';
import type { Services } from '../../../operations/ports.ts';
import { limitAuthorization, limitRequest } from '../../../operations/quotas.ts';
import type { Connection } from '../../caller.ts';
import { faultResponse } from '../fault-page.ts';
import { type FormGuard, formTokenField, type KeptFields, noSession, takeForm } from '../form.ts';
import { type Page, pageResponse, type Site } from '../page.ts';
import { publicProfileOf } from '../public/public-profile.ts';
import { addressPage } from './address-page.ts';
import { codePage, newCodeSent } from './code-page.ts';
import { consentPage } from './consent-page.ts';
import type { OauthPorts, Outcome } from './ports.ts';
import { expiredRequestPage, refusedRequestPage, unreachableClientPage, wrongRequestPage } from './refused-pages.ts';
import { stepsOf } from './steps.ts';

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

  /** Responds with the page of what is still to be done for a request. */
  function show(id: string, pending: PendingRequest, outcome: Outcome = {}): Promise<Response> {
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
  }

  const steps = stepsOf({ ...options, show });

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
