import { html } from 'hono/html';
import { toVisible } from '../../../model/visible-text.ts';
import type { Html, Page, Site } from '../page.ts';
import { targetOf } from './redirect-target.ts';

/** The page of a request that has expired, was answered, or was begun in another browser. */
export const expiredRequestPage: Page = {
  title: 'This request has ended',
  layout: 'visitor',
  status: 404,
  body: html`<main id="main" class="column">
<h1>This request has ended</h1>
<p>It has been answered already, was open for more than half an hour, or was begun in another browser. Go back to your program: if it is not connected, connect again.</p>
</main>`,
};

/** The page of a request that cannot be answered with a redirect, because it is not known to come from the client. */
export const wrongRequestPage = (reason: string, status: number, wayBack: Html | '' = ''): Page => ({
  title: 'This request to connect is not valid',
  layout: 'visitor',
  status,
  body: html`<main id="main" class="column">
<h1>This request to connect is not valid</h1>
<p>The program that sent you here made a mistake, or somebody else sent you here. Nothing was allowed. Go back to your program, and connect again; if it stays, remove the connection there and add it anew.</p>
${wayBack}<p class="small soft">For its developers: ${toVisible(reason)}</p>
</main>`,
});

/** The page of a request that is refused before the visitor was asked: the redirect to the client is a link on it. */
export function refusedRequestPage(location: string): Page {
  const { searchParams: answer } = new URL(location);
  const wayBack = html`<p><a href="${location}" rel="noreferrer">Go back to ${toVisible(targetOf(location).shown)}</a></p>
`;
  return wrongRequestPage(`${answer.get('error')}: ${answer.get('error_description')}`, 400, wayBack);
}

/** The page of a request of a client whose document could not be fetched. */
export const unreachableClientPage = (site: Site): Page => ({
  title: 'Your program cannot be looked up',
  layout: 'visitor',
  status: 400,
  body: html`<main id="main" class="column">
<h1>Your program cannot be looked up at the moment</h1>
<p>The program that sent you here describes itself at an address of its own, and this site could not reach that address, or was refused there. Nothing was allowed. Connect again in a minute.</p>
<p>If it stays so, this site may not be able to reach other sites. Then <a href="${site.path('/')}">open the profile with your e-mail address</a>: you get a token, with what to paste into your program.</p>
</main>`,
});
