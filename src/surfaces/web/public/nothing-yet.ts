import type { Hono } from 'hono';
import { html } from 'hono/html';
import { defaultAccent } from 'resume-profile/accent';
import { noProfile } from '../../../model/profile/document-state.ts';
import { type Connection, prefersHtml } from '../../request.ts';
import { documentResponse } from '../../rest/documents.ts';
import { failureResponse, unroutedPreflight } from '../../rest/responses.ts';
import { pageResponse, type Site } from '../page.ts';
import { faviconOf, indexOf } from './public.ts';

/** Answers before the first profile: `/` says that nothing is here yet, and every other address is unavailable. */
export function addNothingYetTo(http: Hono<{ Bindings: Connection }>, site: Site): void {
  const index = indexOf(site);
  const favicon = faviconOf({}, defaultAccent);
  // 200, because platforms that run containers open this address to find out whether the service has started.
  http.get('/', ({ req }) => (prefersHtml(req.raw) ? nothingYet(site) : documentResponse(index, req.raw)));
  http.get('/favicon.svg', ({ req }) => documentResponse(favicon, req.raw));
  http.notFound(async ({ req }) => {
    const failure = noProfile();
    const preflight = unroutedPreflight(req.raw);
    if (preflight !== null) return preflight;
    return prefersHtml(req.raw)
      ? nothingYet(site, { status: failure.status, headers: { 'retry-after': String(failure.retryAfterSeconds) } })
      : failureResponse(failure, req.raw);
  });
}

const nothingYet = (site: Site, more: { readonly status?: number; readonly headers?: Record<string, string> } = {}) =>
  pageResponse(
    {
      ...more,
      title: 'Nothing here yet',
      layout: 'visitor',
      head: html`<meta name="robots" content="noindex">`,
      body: html`<main id="main" class="column">
<h1>Nothing here yet</h1>
<p>A professional profile will be at this address. Its owner has not published it so far.</p>
<p class="small"><a href="${site.path('/desk')}">For the owner: your desk</a></p>
</main>`,
    },
    site,
  );
