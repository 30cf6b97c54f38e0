import { Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import type { Network } from '../adapters/oauth/client-document.ts';
import { Failure } from '../model/failure.ts';
import type { Reply, RequestHead } from '../model/http.ts';
import { operations } from '../operations/index.ts';
import { namesOf, offeredIn } from '../operations/operation.ts';
import { withAuthorizationServer } from '../surfaces/oauth-endpoints.ts';
import { type Connection, hostPolicyOf } from '../surfaces/request.ts';
import {
  documentHandler,
  keepLatest,
  type PublicHandler,
  publicHandler,
  readinessResponse,
  stateResponse,
} from '../surfaces/rest/documents.ts';
import { unroutedPreflight } from '../surfaces/rest/responses.ts';
import { openRepeatedReads, restOf } from '../surfaces/rest/rest.ts';
import { addNothingYetTo } from '../surfaces/web/public/public.ts';
import { toLoggedPath } from '../surfaces/web/visitor/link.ts';
import { openOauth } from './authorization.ts';
import { isLoopback } from './config/config.ts';
import { openFiles } from './files.ts';
import { openMcp } from './mcp.ts';
import { loadDesk, type RunningServices } from './owner/desk-ports.ts';
import { openPages } from './pages.ts';
import { openSample } from './sample.ts';

export interface App {
  routes(): Promise<readonly { readonly method: string; readonly path: string }[]>;
  fetch(request: Request, connection?: Connection): Promise<Response>;
  /** Replies to a GET request that has been answered before; null if `fetch` must handle it. */
  replyAtOnce(head: RequestHead, connection: Connection): Reply | null;
  /** Renders the first PDF after two seconds, unless it is requested before: it takes as much CPU as a start. */
  renderAhead(): void;
  /** Makes `/readyz` answer 503, ends all subscriptions, and begins no unrequested PDF. */
  drain(): Promise<void>;
}

/** Routes requests to all surfaces; `network` is the internet by default. */
export function openApp(opened: RunningServices, network?: Network): App {
  const { config, baseUrl, log, services, profile, store, outbox, prints } = opened;
  let isDraining = false;
  const policy = hostPolicyOf(baseUrl, config.allowedHosts, config.allowedOrigins, isLoopback);
  const pages = openPages(opened, policy);
  const { site, fail } = pages;
  const mcp = openMcp(opened, policy);
  const files = openFiles(opened, site);
  const oauth = config.hasOauth ? openOauth(opened, network) : null;
  const sample = openSample(baseUrl, config);
  opened.onReload(prints.update);

  const latestDesk = keepLatest<Awaited<ReturnType<typeof loadDesk>>>();
  const desk = () => latestDesk('', () => loadDesk(config, opened, { site, guard: pages.guard, fail }));
  const offered = () => offeredIn(operations, services.edition(null).profile);
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
    '/desk/*': async (request, connection) => (await desk()).fetch(request, connection),
  };
  const publicHandlers: Record<string, PublicHandler> = {
    '/openapi.json': documentHandler(
      () => sample.openApi(offered()),
      () => namesOf(offered()),
    ),
    '/.well-known/jwks.json': (...request) => documentHandler(() => opened.keys.jwks)(...request),
    '/mcp': mcp.respond,
    ...files.handlers,
  };

  // Hono's SmartRouter would fall back to this router for these routes, after trying a faster one.
  const http = new Hono<{ Bindings: Connection }>({ strict: false, router: new TrieRouter() });
  const repeatedReads = openRepeatedReads(services);
  http.route('/', restOf(operations, services, repeatedReads));
  for (const [path, respond] of Object.entries(publicHandlers)) http.all(path, ({ req, env }) => respond(req.raw, env));
  pages.addTo(http, files, sample, offered);
  oauth?.addTo(http, pages.entry);
  /** Replaces `http` until there is a profile. */
  const unpublished = new Hono<{ Bindings: Connection }>({ strict: false });
  for (const one of [http, unpublished]) {
    one.get('/assets/:name', ({ req }) => pages.respondToAsset(req.raw));
    for (const [path, respond] of Object.entries(probes)) one.all(path, ({ req, env }) => respond(req.raw, env));
    one.onError((error, { req }) => {
      log.error({ err: error, path: toLoggedPath(req.path) }, 'request failed');
      return fail(new Failure('INTERNAL_ERROR'), req.raw);
    });
  }
  addNothingYetTo(unpublished, site);
  http.notFound(async ({ req }) => unroutedPreflight(req.raw) ?? fail(new Failure('NOT_FOUND'), req.raw));
  return {
    routes: async () => [...http.routes, ...(await desk()).routes],
    fetch: async (request, connection = { address: null, requestId: null }) => {
      const response = await (profile.isPresent() ? http : unpublished).fetch(request, connection);
      // Other responses keep their `Headers`, because new ones take longer to send.
      const isChallenge = oauth !== null && (response.status === 401 || response.status === 403);
      return isChallenge ? withAuthorizationServer(response, request, baseUrl) : response;
    },
    replyAtOnce: repeatedReads.reply,
    renderAhead() {
      setTimeout(() => isDraining || prints.update(), 2_000).unref();
    },
    async drain() {
      isDraining = true;
      await mcp.drain();
    },
  };
}
