import type { Context, Hono } from 'hono';
import { Failure } from '../../../model/failure.ts';
import type { Grants } from '../../../operations/oauth.ts';
import type { Services } from '../../../operations/ports.ts';
import { limitAuthorization } from '../../../operations/quotas.ts';
import { type Connection, peerOf } from '../../caller.ts';
import type { AuthorizationServer, Pending } from '../../oauth/authorization-server.ts';
import { faultResponse } from '../fault-page.ts';
import { type FormGuard, formTokenField, noSession, readForm } from '../form.ts';
import { type Page, pageResponse, type Site } from '../page.ts';
import { publicProfileOf } from '../public/public-profile.ts';
import { redirectTo } from '../redirect.ts';
import { notSent, tooOld, wrongAddress } from '../visitor/outcomes.ts';
import { addressPage, consentPage, expiredRequestPage, refusedRequestPage, wrongRequestPage } from './consent-page.ts';

type Http = Hono<{ Bindings: Connection }>;

/** What the pages of the authorization server use. */
export interface OauthPorts {
  readonly server: AuthorizationServer;
  readonly grants: Grants;
}

interface Options extends OauthPorts {
  readonly site: Site;
  readonly services: Services;
  readonly guard: FormGuard;
}

/**
 * Whether a redirect leads to another site that anybody may have registered, before the visitor has answered anything: a link to this
 * site would send whom it is given to wherever its author likes (RFC 9700, section 4.11.2). Programs on this computer wait for theirs.
 */
function leadsAway(location: string): boolean {
  if (location.startsWith('/')) return false;
  return new URL(location).protocol !== 'http:';
}

/** Adds the pages on which a visitor allows a client access: the address, then consent. */
export function addOauthTo(http: Http, { site, services, guard, server, grants }: Options): void {
  const shownOf = (id: string, pending: Pending) => ({
    pending,
    name: publicProfileOf(services.edition().profile).name,
    action: site.path(`/oauth/consent/${id}`),
    privacyPath: site.path('/privacy'),
    formToken: formTokenField(guard, noSession),
  });
  const respond = (page: Page) => pageResponse(page, site);
  const show = (id: string, pending: Pending, state: object = {}) => {
    const shown = { ...shownOf(id, pending), ...state };
    const { address } = pending;
    return respond(address === null ? addressPage({ typed: '', ...shown }) : consentPage({ ...shown, address }));
  };

  http.get('/oauth/authorize/:id{[\\w-]+}?', async ({ req, env }) => {
    const id = req.param('id') ?? '';
    const refusal = limitAuthorization('/oauth/authorize', env.address, services);
    if (refusal !== null) return faultResponse(refusal, site);
    const response = await server.authorize(req.raw, id, env.address);
    if (response.status < 400) {
      const location = response.headers.get('location') ?? '';
      return id === '' && leadsAway(location) ? respond(refusedRequestPage(location)) : response;
    }
    const { error, error_description: reason } = (await response.json()) as Record<string, string>;
    if (response.status >= 500) return faultResponse(new Failure('UNAVAILABLE'), site);
    return id === '' ? respond(wrongRequestPage(`${error}: ${reason}`, response.status)) : respond(expiredRequestPage);
  });

  http.get('/oauth/consent/:id{[\\w-]+}', async ({ req }) => {
    const id = req.param('id');
    const pending = await server.pending(req.raw, id);
    return pending === null ? respond(expiredRequestPage) : show(id, pending);
  });

  http.post(
    '/oauth/consent/:id{[\\w-]+}',
    async ({ req, env }: Context<{ Bindings: Connection }, '/oauth/consent/:id{[\\w-]+}'>) => {
      const id = req.param('id');
      try {
        const { fields, isFresh } = await readForm(req.raw, guard, noSession);
        const pending = await server.pending(req.raw, id);
        if (pending === null) return respond(expiredRequestPage);
        if (!isFresh) return show(id, pending, { notice: tooOld, status: 403 });
        const step = fields.get('step');
        if (step === 'deny') return redirectTo(await server.finish(req.raw, id, null));
        if (step === 'allow' && pending.address !== null) {
          await allow(pending, pending.address, peerOf(req.raw, env).address);
          const grant = { address: pending.address, id: pending.grantId };
          return redirectTo(await server.finish(req.raw, id, grant));
        }
        return await takeAddress(
          req.raw,
          id,
          pending,
          step === 'address' ? (fields.get('email') ?? '') : null,
          env.address,
        );
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return error.code === 'NOT_FOUND' ? respond(expiredRequestPage) : faultResponse(error, site);
      }
    },
  );

  const allow = (
    { grantId, clientId, clientName, scopes, isForMcp, isVerified }: Pending,
    subject: string,
    from: string | null,
  ) =>
    grants.allow(
      { id: grantId, subject, isVerified, clientId, clientName, scopes, isForMcp, expiresAt: server.grantExpiry() },
      from,
    );

  /** Takes the address that was typed, and goes on to consent; null goes back to an empty field. */
  async function takeAddress(
    request: Request,
    id: string,
    pending: Pending,
    typed: string | null,
    from: string | null,
  ) {
    try {
      const address = typed === null ? null : await grants.enterAddress(typed, from);
      await server.keepAddress(request, id, address, false);
      return redirectTo(site.path(`/oauth/consent/${id}`));
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'NOT_FOUND') throw error;
      const { code, status, retryAfterSeconds: seconds } = error;
      const headers = seconds === null ? {} : { 'retry-after': String(seconds) };
      const said = code === 'BAD_REQUEST' ? { fault: wrongAddress } : { notice: notSent(error) };
      return show(id, { ...pending, address: null }, { typed: typed ?? '', status, headers, ...said });
    }
  }
}
