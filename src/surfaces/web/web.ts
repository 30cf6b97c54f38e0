import { Hono } from 'hono';
import { Failure } from '../../model/failure.ts';
import type { Services } from '../../operations/ports.ts';
import { type Connection, prefersHtml } from '../request.ts';
import { failureResponse } from '../rest/responses.ts';
import { defaultAccent } from './accent.ts';
import { openAssets } from './assets.ts';
import { type DeskPorts, openDesk } from './desk/desk.ts';
import { addDocsTo, type DocsPorts } from './docs/docs.ts';
import { expiredLinkResponse, faultResponse } from './fault-page.ts';
import type { FormGuard } from './form.ts';
import { addOauthTo, type OauthPorts } from './oauth/oauth.ts';
import type { Site } from './page.ts';
import type { SvgRenderer } from './public/og-image.ts';
import { addPublicTo } from './public/public.ts';
import type { Retention } from './visitor/privacy.ts';
import { addVisitorTo } from './visitor/visitor.ts';

export interface WebOptions {
  /** The public address, without a slash at its end. */
  readonly baseUrl: string;
  readonly services: Services;
  readonly guard: FormGuard;
  readonly desk: DeskPorts;
  readonly docs: DocsPorts;
  /** Null if the authorization server is off. */
  readonly oauth: OauthPorts | null;
  /** The time that data caused by visitors is kept. */
  readonly keep: Retention;
  openSvgRenderer(): Promise<SvgRenderer>;
}

/** Opens the pages: for visitors, for integrators and for the owner. */
export function openWeb({ baseUrl, services, guard, desk, docs, oauth, keep, openSvgRenderer }: WebOptions) {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  const assets = openAssets(prefix);
  const site: Site = {
    baseUrl,
    hasOauth: oauth !== null,
    path: (path) => prefix + path,
    assets: () => assets.pathsFor(services.edition().profile.accent ?? defaultAccent),
  };
  const fail = (failure: Failure, request: Request): Response | Promise<Response> =>
    prefersHtml(request) ? faultResponse(failure, site) : failureResponse(failure, request);

  const http = new Hono<{ Bindings: Connection }>({ strict: false });
  http.get('/assets/:name', ({ req }) => assets.respond(req.raw) ?? fail(new Failure('NOT_FOUND'), req.raw));
  addVisitorTo(http, { site, services, guard, keep });
  addPublicTo(http, { site, profile: () => services.edition().profile, offered: docs.offered, openSvgRenderer });
  addDocsTo(http, { site, services, ...docs });
  if (oauth !== null) addOauthTo(http, oauth, { site, services, guard });
  http.route('/', openDesk({ site, guard, ...desk }));
  return {
    http,
    /** Responds with a failure: with a page to a browser, otherwise as the API. */
    fail,
    /** Responds to a link to the PDF that has expired or was altered. */
    linkExpired: () => expiredLinkResponse(site),
  };
}
