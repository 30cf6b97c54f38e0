import { html } from 'hono/html';
import { toVisible } from '../../../model/visible-text.ts';
import { type Html, pageResponse, type Site } from '../page.ts';

/** A form that was sent, but not accepted. */
interface KeptForm {
  readonly site: Site;
  /** The path that it was sent to. */
  readonly path: string;
  /** What was typed, without the form token. */
  readonly fields: URLSearchParams;
  readonly formToken: Html;
  readonly isSignedIn: boolean;
}

/** Shows a form again if the session has ended, or if its page is older than the session or a day; nothing typed is lost. */
export function keptFormResponse({ site, path, fields, formToken, isSignedIn }: KeptForm): Promise<Response> {
  const title = isSignedIn ? 'Send this again' : 'You have been signed out';
  const advice = isSignedIn
    ? html`<p>Nothing was changed, because the page was opened before you signed in, or more than a day ago. If this is still what you want, send it.</p>`
    : html`<p>Nothing was changed, and this page keeps what you sent. <a href="${site.path('/desk/sign-in')}" target="_blank">Sign in in another tab</a>, then come back and send it again.</p>`;
  return pageResponse(
    {
      title,
      layout: 'visitor',
      status: 403,
      body: html`<main id="main" class="column sign-in">
<h1>${title}</h1>
${advice}
<form method="post" action="${site.path(path)}">
${formToken}
${[...fields].map(([name, value], index) => fieldOf(name, value, `kept-${index}`))}
<p><button>Send again</button></p>
</form>
</main>`,
    },
    site,
  );
}

const longestLine = 60;

function fieldOf(name: string, value: string, id: string): Html {
  const isLong = value.includes('\n') || value.length > longestLine;
  return html`<p><label for="${id}">${toVisible(name).replaceAll('_', ' ')}</label>
${
  isLong
    ? html`<textarea id="${id}" name="${name}" rows="8">\n${value}</textarea>` // HTML drops the first line break
    : html`<input id="${id}" name="${name}" value="${value}">`
}</p>`;
}
