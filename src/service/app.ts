import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import { defaultAccent } from 'resume-profile/accent';
import type { Network } from '../adapters/oauth/client-document.ts';
import { openSvgRenderer } from '../adapters/svg-renderer.ts';
import { Failure } from '../model/failure.ts';
import type { Reply, RequestHead } from '../model/http.ts';
import { codeSeconds } from '../model/oauth.ts';
import { rememberedSeconds } from '../model/page-session.ts';
import { scaledCount } from '../model/quota.ts';
import { type Scope, scopes } from '../model/token.ts';
import { operations } from '../operations/index.ts';
import { namesOf, type Operation, offeredIn } from '../operations/operation.ts';
import { limitAction } from '../operations/quotas.ts';
import type { McpHttp } from '../surfaces/mcp/http.ts';
import { oauthEndpointsOf, withAuthorizationServer } from '../surfaces/oauth-endpoints.ts';
import { type Connection, hostPolicyOf, prefersHtml } from '../surfaces/request.ts';
import {
  documentHandler,
  keepLatest,
  type PublicHandler,
  publicHandler,
  readinessResponse,
  stateResponse,
} from '../surfaces/rest/documents.ts';
import { toOpenApi } from '../surfaces/rest/openapi.ts';
import { failureResponse, unroutedPreflight } from '../surfaces/rest/responses.ts';
import { openRepeatedReads, restOf } from '../surfaces/rest/rest.ts';
import { openAssets } from '../surfaces/web/assets.ts';
import { addDocsTo } from '../surfaces/web/docs/docs.ts';
import { faultResponse } from '../surfaces/web/fault-page.ts';
import { addOauthTo } from '../surfaces/web/oauth/consent.ts';
import type { Site } from '../surfaces/web/page.ts';
import { addNothingYetTo } from '../surfaces/web/public/nothing-yet.ts';
import { addPublicTo } from '../surfaces/web/public/public.ts';
import { sessionCookieOf } from '../surfaces/web/session-cookie.ts';
import { toLoggedPath } from '../surfaces/web/visitor/link.ts';
import { addVisitorTo } from '../surfaces/web/visitor/visitor.ts';
import { version } from '../version.ts';
import { authorizationOf } from './authorization.ts';
import { type Config, clientExamplePath, isLoopback, samplePath } from './config/config.ts';
import { openFiles } from './files.ts';
import type { Log } from './log.ts';
import { loadDesk, type RunningServices } from './owner/desk-ports.ts';
import { openSample } from './sample.ts';

/** The service as a function from request to response. */
export interface App {
  /** Returns each route: its method, or ALL, with the pattern of its path. */
  routes(): Promise<readonly { readonly method: string; readonly path: string }[]>;
  fetch(request: Request, connection?: Connection): Promise<Response>;
  /** Replies to a GET request that has been answered before; null leaves it to `fetch`. */
  replyAtOnce(head: RequestHead, connection: Connection): Reply | null;
  /** Renders the first PDF in two seconds, unless it is asked for before: it takes as much CPU as a start. */
  renderAhead(): void;
  /** Makes `/readyz` answer 503, ends all subscriptions, and begins no PDF that nobody asks for. */
  drain(): Promise<void>;
}

/** Routes requests to all surfaces; `network` is the internet by default. */
export function openApp(config: Config, baseUrl: string, opened: RunningServices, log: Log, network?: Network): App {
  const { services, profile, store, outbox, prints } = opened;
  let isDraining = false;
  const policy = hostPolicyOf(baseUrl, config.allowedHosts, config.allowedOrigins, isLoopback);
  let mcp: McpHttp | undefined;
  /** Loads the SDK, which would take a tenth of a start. */
  async function openMcp() {
    const [{ guard }, { openMcpHttp, subscriptionLimits }] = await Promise.all([
      import('../surfaces/mcp/guard.ts'),
      import('../surfaces/mcp/http.ts'),
    ]);
    mcp = openMcpHttp({
      operations,
      services,
      mutations: config.mcpMutations,
      baseUrl,
      version,
      log,
      subscriptionLimits: {
        perSubject: scaledCount(subscriptionLimits.perSubject, config.limits),
        perBlock: scaledCount(subscriptionLimits.perBlock, config.limits),
        total: scaledCount(subscriptionLimits.total, config.limits),
      },
    });
    if (isDraining) await mcp.endSubscriptions();
    const { answer } = mcp;
    return (request: Request, connection: Connection) =>
      guard(request, connection, { policy, services, serve: answer });
  }
  const openedMcp = keepLatest<Awaited<ReturnType<typeof openMcp>>>();
  const formGuard = {
    policy,
    tokens: opened.formTokens,
    limitRefused: (from: string | null) => limitAction('refused_form', from, services),
  };
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  let openedAssets: ReturnType<typeof openAssets> | undefined;
  /** Reads the assets when the first page or asset is asked for. */
  function assets() {
    openedAssets ??= openAssets(prefix);
    return openedAssets;
  }
  const site: Site = {
    baseUrl,
    hasOauth: config.hasOauth,
    path: (path) => prefix + path,
    assets: () => assets().pathsFor((profile.isPresent() ? profile.current().accent : undefined) ?? defaultAccent),
  };
  /** Responds with a failure: with a page to a browser, otherwise as the API. */
  const fail = (failure: Failure, request: Request) =>
    prefersHtml(request) ? faultResponse(failure, site) : failureResponse(failure, request);
  const sample = openSample(baseUrl);
  opened.onTokensRefreshed(() => mcp?.endUnauthorized());
  opened.onChanges((changes) => mcp?.notify(changes));

  const files = openFiles(opened, site, log);
  opened.onReload(prints.update);

  const offered = () => offeredIn(operations, services.edition(null).profile);
  const openApi = async (described: readonly Operation[]) =>
    toOpenApi(described, baseUrl, await sample.examples(), {
      isRecorded: services.reads.isOn,
      hasOauth: config.hasOauth,
    });
  const probes: Record<string, PublicHandler> = {
    '/healthz': publicHandler(() => stateResponse({ status: 'ok' })),
    '/readyz': publicHandler(() =>
      readinessResponse({
        isDraining,
        isWritable: store.isWritable(),
        hasProfile: profile.isPresent(),
        isStale: profile.isStale(),
        isMailHealthy: outbox?.isHealthy() ?? true,
        isUnprinted: typeof prints.publishedPdf()?.fault === 'string',
      }),
    ),
  };
  const publicHandlers: Record<string, PublicHandler> = {
    '/openapi.json': documentHandler(
      () => openApi(offered()),
      () => namesOf(offered()),
    ),
    '/.well-known/jwks.json': (...request) => documentHandler(() => opened.keys.jwks)(...request),
    ...files.handlers,
  };

  const mcpScopes: readonly Scope[] = config.mcpMutations ? scopes : ['profile:read'];
  const oauth = config.hasOauth ? authorizationOf(opened, config, { baseUrl, mcpScopes, network, log }) : null;
  // Hono's SmartRouter falls back to this one for these routes, after it has tried a faster one.
  const http = new Hono<{ Bindings: Connection }>({ strict: false, router: new TrieRouter() });
  const repeatedReads = openRepeatedReads(services);
  http.route('/', restOf(operations, services, repeatedReads));
  http.all('/mcp', async ({ req, env }) => (await openedMcp('', openMcp))(req.raw, env));
  for (const [path, respond] of Object.entries(publicHandlers)) http.all(path, ({ req, env }) => respond(req.raw, env));
  if (oauth !== null) {
    const { readsClientDocuments } = config;
    http.route('/', oauthEndpointsOf({ ...oauth, baseUrl, mcpScopes, readsClientDocuments, services }));
  }
  const latestDesk = keepLatest<Awaited<ReturnType<typeof loadDesk>>>();
  const openedDesk = () => latestDesk('', () => loadDesk(config, opened, { site, guard: formGuard, fail }));
  const { pageSessions: sessions, openings, owner } = opened;
  const deskCookie = sessionCookieOf(site.baseUrl, 'desk');
  async function isOwner(request: Request): Promise<boolean> {
    const secret = deskCookie.read(request);
    return secret !== null && (await owner.signIn.sessionOf(secret)) !== null;
  }
  const entry = { site, services, sessions, openings, guard: formGuard, isOwner };
  addVisitorTo(http, {
    ...entry,
    isSample: () => profile.path() === samplePath,
    files: files.linksFor,
    pdfPages: files.pdfPages,
    keep: {
      tokens: config.tokenTtlSeconds,
      sessions: rememberedSeconds(config.tokenTtlSeconds),
      messages: config.keep.contactsSeconds,
      notes: config.keep.readsSeconds,
      mail: config.keep.mailSeconds,
      audit: config.keep.auditSeconds,
      codes: config.hasOauth && config.verifiesEmail ? codeSeconds : null,
    },
  });
  addPublicTo(http, { site, services, version, offered, openSvgRenderer });
  addDocsTo(http, {
    site,
    services,
    offered,
    sample: sample.services,
    examples: sample.examples,
    openApi,
    readClientExample: () => readFileSync(clientExamplePath, 'utf8'),
    ...{ mutations: config.mcpMutations, limits: config.limits, version },
  });
  if (oauth !== null) addOauthTo(http, oauth, entry);
  /** Takes the place of `http` until there is a profile. */
  const unpublished = new Hono<{ Bindings: Connection }>({ strict: false });
  for (const one of [http, unpublished]) {
    one.get('/assets/:name', ({ req }) => assets().respond(req.raw) ?? fail(new Failure('NOT_FOUND'), req.raw));
    for (const [path, respond] of Object.entries(probes)) one.all(path, ({ req, env }) => respond(req.raw, env));
    one.all('/desk/*', async ({ req, env }) => (await openedDesk()).fetch(req.raw, env));
    one.onError((error, { req }) => {
      log.error({ err: error, path: toLoggedPath(req.path) }, 'request failed');
      return fail(new Failure('INTERNAL_ERROR'), req.raw);
    });
  }
  addNothingYetTo(unpublished, site);
  http.notFound(async ({ req }) => unroutedPreflight(req.raw) ?? fail(new Failure('NOT_FOUND'), req.raw));
  return {
    routes: async () => [...http.routes, ...(await openedDesk()).routes],
    fetch: async (request, connection = { address: null, requestId: null }) => {
      const response = await (profile.isPresent() ? http : unpublished).fetch(request, connection);
      // The headers of other statuses stay as they are given: a `Headers` object would take longer to send.
      const isChallenge = oauth !== null && (response.status === 401 || response.status === 403);
      return isChallenge ? withAuthorizationServer(response, request, baseUrl) : response;
    },
    replyAtOnce: repeatedReads.reply,
    renderAhead() {
      setTimeout(() => isDraining || prints.update(), 2_000).unref();
    },
    async drain() {
      isDraining = true;
      await mcp?.endSubscriptions();
    },
  };
}
