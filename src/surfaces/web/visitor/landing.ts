import { html } from 'hono/html';
import { pageResponse, type Site } from '../page.ts';

/** Responds with the page before access. */
export const landingResponse = (site: Site): Promise<Response> =>
  pageResponse(
    { title: 'A professional profile', room: 'visitor', body: html`<main id="main" class="column"></main>` },
    site,
  );
