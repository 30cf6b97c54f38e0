import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { toVisible } from '../../model/visible-text.ts';
import type { AssetPaths, Script } from './assets.ts';

/** A piece of HTML. `html` escapes each text; a text of a visitor or of the profile goes through `toVisible` before. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** What every page refers to. */
export interface Site {
  /** The public address, without a slash at its end. */
  readonly baseUrl: string;
  /** Whether clients of MCP can connect by the address alone, with OAuth. */
  readonly hasOauth: boolean;
  /** Returns the path of an address of ours, such as `/docs`, below the path of the public address. */
  path(path: string): string;
  /** The assets in the accent of the profile as it is now. */
  assets(): AssetPaths;
}

/** A page, before its frame is put around it. */
export interface Page {
  /** As the window shows it: plain text, which is escaped and made visible. */
  readonly title: string;
  /** More elements of the head: descriptions, structured data. */
  readonly head?: Html;
  /** What it holds, with one `main` whose id is `main`. */
  readonly body: Html;
  /** The class of the body, by which the style sheet tells the kinds of pages apart. */
  readonly layout: 'visitor' | 'docs' | 'desk';
  readonly scripts?: readonly Script[];
  /** Whether the first screen has code, whose face must then be there as early as the others. */
  readonly hasCode?: boolean;
  readonly status?: number;
  /** `no-store` unless given: most pages hold a form token, and some a bearer token. */
  readonly cacheControl?: string;
  /** Where forms of the page may lead besides this origin: browsers apply `form-action` to redirects, too. */
  readonly formTarget?: string;
  readonly headers?: Record<string, string>;
}

/** JSON that can stand in a script element (HTML, restrictions for contents of script elements). */
export const jsonForScript = (value: unknown): Html => raw(JSON.stringify(value).replaceAll('<', '\\u003c'));

/** Responds with a page. */
export async function pageResponse(page: Page, site: Site): Promise<Response> {
  const { style, fonts, script } = site.assets();
  const {
    title,
    head = '',
    body,
    layout,
    scripts = [],
    hasCode = false,
    status = 200,
    cacheControl = 'no-store',
  } = page;
  const text = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${toVisible(title)}</title>
<link rel="icon" href="${site.path('/favicon.svg')}" type="image/svg+xml">
${[...fonts.text, ...(hasCode ? [fonts.code] : [])].map((path) => html`<link rel="preload" href="${path}" as="font" type="font/woff2" crossorigin>`)}
<link rel="stylesheet" href="${style}">
${scripts.map((name) => html`<script type="module" src="${script(name)}"></script>`)}
${head}
</head>
<body class="${layout}">
<a class="skip" href="#main">Skip to the content</a>
${body}
</body>
</html>
`;
  return new Response(String(text), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': cacheControl,
      'content-security-policy': policyWith(page.formTarget),
      // With no-referrer, browsers would send `Origin: null` with our own forms.
      'referrer-policy': 'same-origin',
      vary: 'Accept',
      ...page.headers,
    },
  });
}

const policyWith = (formTarget: string | undefined): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
