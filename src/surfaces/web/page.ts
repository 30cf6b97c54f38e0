import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { toVisible } from 'resume-profile/text';
import type { Failure } from '../../model/failure.ts';
import { type Document, documentOf, keepLatest, unlessKnown } from '../rest/documents.ts';
import type { AssetPaths, Script } from './assets.ts';

/** A piece of HTML. `html` escapes each text; texts of visitors and of the profile go through `toVisible` first. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface Site {
  /** The public address, without a trailing slash. */
  readonly baseUrl: string;
  /** Whether MCP clients can connect by OAuth, with only the address. */
  readonly hasOauth: boolean;
  /** Returns the path of our address, such as `/docs`, below the path of the public address. */
  path(path: string): string;
  /** The assets in the current accent of the profile. */
  assets(): AssetPaths;
}

/** A page, before its frame is put around it. */
export interface Page {
  /** The title of the window: plain text, which is escaped and made visible. */
  readonly title: string;
  /** More elements of the head: descriptions, structured data. */
  readonly head?: Html;
  /** The content of the body, with one `main` whose id is `main`. */
  readonly body: Html;
  /** The class of the body, by which the style sheet distinguishes the kinds of pages. */
  readonly layout: 'visitor' | 'docs' | 'desk';
  /** A BCP 47 tag, by default English; with its direction, and its words for the link to the content. */
  readonly language?: string;
  readonly direction?: 'ltr' | 'rtl';
  readonly skip?: string;
  /** The id of the target of that link; by default `main`. */
  readonly contentId?: string | undefined;
  readonly scripts?: readonly Script[];
  /** Whether the first screen has code, whose face must then load as early as the others. */
  readonly hasCode?: boolean;
  readonly status?: number;
  /** By default `no-store`: most pages contain a form token, and some a bearer token. */
  readonly cacheControl?: string;
  /** Further targets of the page's forms beside this origin: browsers apply `form-action` to redirects. */
  readonly formTarget?: string;
  /** Allows the style elements that have it, which CodeMirror makes; a new one for each response. */
  readonly styleNonce?: string;
  readonly hasFrame?: boolean;
  /**
   * Set if our own pages may frame it; its scripts, forms and links are then disabled. `accent` is the path of a style sheet
   * with its accent; the sheet of all pages has the accent of the served profile.
   */
  readonly framed?: { readonly accent: string };
  readonly headers?: Record<string, string>;
  /** The seconds after which the browser reloads the page, even without scripts. */
  readonly refreshSeconds?: number | undefined;
}

/** A page of one column: a heading, which is also its title, and content. `kind` is a class of the style sheet. */
export const columnPage = (title: string, content: Html, kind: '' | ' sign-in' = ''): Page => ({
  title,
  layout: 'visitor',
  body: html`<main id="main" class="column${kind}">
<h1>${title}</h1>
${content}
</main>`,
});

/** The status of a page that explains a failure, and when to try again. */
export function statusOf({ status, retryAfterSeconds: seconds }: Failure) {
  const headers: Record<string, string> = seconds === null ? {} : { 'retry-after': String(seconds) };
  return { status, headers };
}

/** JSON for a script element (HTML, restrictions for contents of script elements). */
export const jsonForScript = (value: unknown): Html => raw(JSON.stringify(value).replaceAll('<', '\\u003c'));

export async function pageResponse(page: Page, site: Site): Promise<Response> {
  const { style, fonts, script } = site.assets();
  const { title, layout, scripts = [], hasCode = false, language = 'en', direction = 'ltr' } = page;
  const text = await html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${toVisible(title)}</title>
${
  page.refreshSeconds === undefined
    ? ''
    : html`<meta http-equiv="refresh" content="${page.refreshSeconds}">
`
}<link rel="icon" href="${site.path('/favicon.svg')}" type="image/svg+xml">
${[...fonts.text, ...(hasCode ? [fonts.code] : [])].map((path) => html`<link rel="preload" href="${path}" as="font" type="font/woff2" crossorigin>`)}
<link rel="stylesheet" href="${style}">
${scripts.map((name) => html`<script type="module" src="${script(name)}"></script>`)}
${page.framed === undefined ? '' : html`<link rel="stylesheet" href="${page.framed.accent}"><base target="_blank">`}${page.head ?? ''}
</head>
<body class="${layout}">
<a class="skip" href="#${page.contentId ?? 'main'}">${page.skip ?? 'Skip to the content'}</a>
${page.body}
</body>
</html>
`;
  return new Response(String(text), {
    status: page.status ?? 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': page.cacheControl ?? 'no-store',
      'content-security-policy': policyOf(page),
      // With no-referrer, browsers would send `Origin: null` with our own forms.
      'referrer-policy': 'same-origin',
      vary: 'Accept',
      ...(page.refreshSeconds !== undefined && { 'retry-after': String(page.refreshSeconds) }),
      ...page.headers,
    },
  });
}

const policyOf = ({ formTarget, styleNonce, hasFrame, framed }: Page): string =>
  [
    "default-src 'none'",
    `style-src 'self'${styleNonce === undefined ? '' : ` 'nonce-${styleNonce}'`}`,
    "script-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`,
    "base-uri 'none'",
    ...(hasFrame ? ["frame-src 'self'"] : []),
    // Its own origin lets it load fonts; its links would open windows, which are not allowed.
    ...(framed ? ["frame-ancestors 'self'", 'sandbox allow-same-origin'] : ["frame-ancestors 'none'"]),
  ].join('; ');

/**
 * Returns a function that responds with a page that is the same for everybody, or with 304 to a client that has it. It is
 * rendered at the first request, and when the assets or `versionOf`, a text of its other sources, have changed.
 */
export function openPublicPage(
  site: Site,
  versionOf: () => string,
  render: () => Page | Promise<Page>,
): (request: Request) => Promise<Response> {
  const latest = keepLatest<readonly [document: Document, headers: Headers]>();
  const open = async () => {
    const page = { cacheControl: 'public, max-age=0, must-revalidate', ...(await render()) };
    const { headers, body } = await pageResponse(page, site);
    // Not Accept: this address has no other form, so caches need one entry for each encoding, not for each browser.
    headers.set('vary', 'Accept-Encoding');
    const text = await new Response(body).text();
    return [documentOf(headers.get('content-type')!, text), headers] as const;
  };
  return async (request) => {
    const [document, headers] = await latest(`${site.assets().style} ${versionOf()}`, open);
    // A copy: the Response of @hono/node-server would keep headers that are set for this one.
    return unlessKnown(document, request, new Headers(headers));
  };
}

/** Redirects the browser by GET; caches never store the redirect (303, RFC 9110, section 15.4.4). */
export const redirectTo = (location: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store', ...headers } });

export const joined = (parts: readonly (Html | string)[], separator: Html | string): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`;

/** A line about the last action or its refusal, which screen readers announce; `language` is set if it is not the page’s. */
export const statusMessage = (
  kind: 'good' | 'attention' | 'bad',
  content: Html | string,
  language?: { readonly lang: string; readonly dir: 'ltr' | 'rtl' },
): Html =>
  html`<p class="notice ${kind}" role="status"${language === undefined ? '' : html` lang="${language.lang}" dir="${language.dir}"`}>${content}</p>`;

/** Details that an owner rarely needs, such as the name of a setting or the path of a file, one click away. */
export const inDetails = (content: Html, summary = 'Details'): Html =>
  html`<details class="details"><summary>${summary}</summary><div>${content}</div></details>`;

/** Code or another text with a copy button, and content beside the button. */
export const codeBlock = (
  id: string,
  code: Html | string,
  beside: Html | '' = '',
): Html => html`<pre><code id="${id}">${code}</code></pre>
<p class="spread small">${copyButton(id)} ${beside}</p>`;

/** A button that copies the text of an element; shown if the browser allows copying. */
export const copyButton = (id: string): Html =>
  html`<button type="button" class="plain" data-copy="${id}" data-needs-script>Copy</button>`;

export const table = (headings: readonly string[], rows: readonly (readonly (Html | string)[])[]): Html => html`<table>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table>`;

interface Tab {
  readonly id: string;
  readonly value: string;
  readonly title: string;
  readonly content: Html;
}

interface TabSet {
  readonly name: string;
  readonly legend: string;
  readonly open?: number;
  /** The id of the form that sends the value of the open tab. */
  readonly form?: string | undefined;
}

/** Tabs that are radio buttons, so that they work without scripts: each is followed by the panel that it shows. */
export const tabs = (
  { name, legend, open = 0, form }: TabSet,
  all: readonly Tab[],
): Html => html`<fieldset class="tabs">
<legend class="unseen">${legend}</legend>
${all.map(
  ({ id, value, title, content }, index) =>
    html`<input type="radio" name="${name}" value="${value}"${form === undefined ? '' : html` form="${form}"`} class="unseen" id="${id}"${index === open ? html` checked` : ''}><label for="${id}">${title}</label>
<div class="panel">
${content}
</div>
`,
)}</fieldset>`;
