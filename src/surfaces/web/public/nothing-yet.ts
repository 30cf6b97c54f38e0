import type { Hono } from 'hono';
import { html } from 'hono/html';
import { defaultAccent } from 'resume-profile/accent';
import { noProfile } from '../../../model/profile/document-state.ts';
import { type Connection, prefersHtml } from '../../request.ts';
import { documentResponse } from '../../rest/documents.ts';
import { failureResponse, unroutedPreflight } from '../../rest/responses.ts';
import { columnPage, type Page, pageResponse, type Site, statusOf } from '../page.ts';
import { faviconOf, indexOf } from './public.ts';

/** Answers before the first profile: `/` says that there is no profile yet, and every other address is unavailable. */
export function addNothingYetTo(http: Hono<{ Bindings: Connection }>, site: Site): void {
  const index = indexOf(site);
  const favicon = faviconOf({}, defaultAccent);
  // 200, because container platforms request this address to check whether the service has started.
  http.get('/', ({ req }) => (prefersHtml(req.raw) ? nothingYet(site) : documentResponse(index, req.raw)));
  http.get('/favicon.svg', ({ req }) => documentResponse(favicon, req.raw));
  http.notFound(async ({ req }) => {
    const failure = noProfile();
    const preflight = unroutedPreflight(req.raw);
    if (preflight !== null) return preflight;
    return prefersHtml(req.raw) ? nothingYet(site, statusOf(failure)) : failureResponse(failure, req.raw);
  });
}

function nothingYet(site: Site, more: Pick<Page, 'status' | 'headers'> = {}): Promise<Response> {
  const content = html`<p>A professional profile will be at this address. Its owner has not published it so far.</p>
<p class="small"><a href="${site.path('/desk')}">For the owner: your desk</a></p>`;
  const head = html`<meta name="robots" content="noindex">`;
  return pageResponse({ ...columnPage('Nothing here yet', content), head, ...more }, site);
}
