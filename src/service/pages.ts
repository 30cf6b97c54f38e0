import { readFileSync } from 'node:fs';
import type { Hono } from 'hono';
import { defaultAccent } from 'resume-profile/accent';
import { openSvgRenderer } from '../adapters/svg-renderer.ts';
import { Failure } from '../model/failure.ts';
import { codeSeconds } from '../model/oauth.ts';
import { rememberedSeconds } from '../model/page-session.ts';
import type { Operation } from '../operations/operation.ts';
import { limitAction } from '../operations/quotas.ts';
import { type Connection, type HostPolicy, prefersHtml } from '../surfaces/request.ts';
import { failureResponse } from '../surfaces/rest/responses.ts';
import { openAssets } from '../surfaces/web/assets.ts';
import { addDocsTo } from '../surfaces/web/docs/docs.ts';
import { faultResponse } from '../surfaces/web/fault-page.ts';
import type { Site } from '../surfaces/web/page.ts';
import { addPublicTo } from '../surfaces/web/public/public.ts';
import { sessionCookieOf } from '../surfaces/web/session-cookie.ts';
import { addVisitorTo } from '../surfaces/web/visitor/visitor.ts';
import { version } from '../version.ts';
import { clientExamplePath, samplePath } from './config/config.ts';
import type { openFiles } from './files.ts';
import type { openSample } from './sample.ts';
import type { OpenServices } from './services.ts';

export function openPages(opened: OpenServices, policy: HostPolicy) {
  const { config, baseUrl, services, profile, pageSessions: sessions, openings, owner } = opened;
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  let latestAssets: ReturnType<typeof openAssets> | undefined;
  const assets = () => (latestAssets ??= openAssets(prefix));
  const site: Site = {
    baseUrl,
    hasOauth: config.hasOauth,
    path: (path) => prefix + path,
    assets: () => assets().pathsFor((profile.isPresent() ? profile.current().accent : undefined) ?? defaultAccent),
  };
  const fail = (failure: Failure, request: Request) =>
    prefersHtml(request) ? faultResponse(failure, site) : failureResponse(failure, request);
  const guard = {
    policy,
    tokens: opened.formTokens,
    limitRefused: (from: string | null) => limitAction('refused_form', from, services),
  };
  const deskCookie = sessionCookieOf(baseUrl, 'desk');
  async function isOwner(request: Request): Promise<boolean> {
    const secret = deskCookie.read(request);
    return secret !== null && (await owner.signIn.sessionOf(secret)) !== null;
  }
  const entry = { site, services, sessions, openings, guard, isOwner };
  return {
    ...{ site, guard, fail, entry },
    respondToAsset: (request: Request) => assets().respond(request) ?? fail(new Failure('NOT_FOUND'), request),
    addTo(
      http: Hono<{ Bindings: Connection }>,
      files: ReturnType<typeof openFiles>,
      sample: ReturnType<typeof openSample>,
      offered: () => readonly Operation[],
    ): void {
      const { tokenTtlSeconds, keep, mcpMutations: mutations, limits } = config;
      addVisitorTo(http, {
        ...entry,
        isSample: () => profile.path() === samplePath,
        files: files.linksFor,
        pdfPages: files.pdfPages,
        keep: {
          tokens: tokenTtlSeconds,
          sessions: rememberedSeconds(tokenTtlSeconds),
          messages: keep.contactsSeconds,
          notes: keep.readsSeconds,
          mail: keep.mailSeconds,
          audit: keep.auditSeconds,
          codes: config.hasOauth && config.verifiesEmail ? codeSeconds : null,
        },
      });
      addPublicTo(http, { site, services, version, offered, openSvgRenderer });
      addDocsTo(http, {
        ...{ site, services, offered, mutations, limits, version },
        sample: sample.services,
        examples: sample.examples,
        openApi: sample.openApi,
        readClientExample: () => readFileSync(clientExamplePath, 'utf8'),
      });
    },
  };
}
