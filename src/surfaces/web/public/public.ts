import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import { html, raw } from 'hono/html';
import { toMarkdown, toMarkdownLine } from 'resume-documents/markdown';
import { accentsOf, defaultAccent } from 'resume-profile/accent';
import type { Profile } from 'resume-profile/profile-document';
import { toVisible } from 'resume-profile/text';
import { encode } from 'uqr';
import { noProfile } from '../../../model/profile/document-state.ts';
import { invoke } from '../../../operations/invoke.ts';
import type { Operation } from '../../../operations/operation.ts';
import { markdownRead } from '../../../operations/page.ts';
import type { Services } from '../../../operations/ports.ts';
import { aiCatalogOf, aiCatalogPath, cardPaths, serverCardOf } from '../../mcp/server-card.ts';
import { skillDocument, skillIndexOf, skillIndexPath, skillPath } from '../../mcp/skill.ts';
import { bearerTokenOf, type Connection, prefersHtml, prefersMarkdown, readCaller } from '../../request.ts';
import { type Document, documentOf, documentResponse, keepLatest, publicHandler } from '../../rest/documents.ts';
import { failureResponse, unroutedPreflight } from '../../rest/responses.ts';
import { columnPage, type Page, pageResponse, type Site, statusOf } from '../page.ts';
import { apiCatalogOf, linkHeaderOf, robotsOf, sitemapOf } from './discovery.ts';
import { openOgImage, type SvgRenderer } from './og-image.ts';
import { addressesOf, headingOf, type PublicProfile, publicProfileOf } from './public-profile.ts';

interface PublicPageOptions {
  readonly site: Site;
  readonly services: Services;
  readonly version: string;
  /** Returns the operations that visitors can currently call. */
  offered(): readonly Operation[];
  openSvgRenderer(): Promise<SvgRenderer>;
}

/** Routes the public documents. The index answers at `/` unless a page was routed there before. */
export function addPublicTo(
  http: Hono<{ Bindings: Connection }>,
  { site, services, version, offered, openSvgRenderer }: PublicPageOptions,
): void {
  const profile = () => services.edition(null).profile;
  const published = () => publicProfileOf(profile());
  const accent = () => profile().accent ?? defaultAccent;
  const ogImage = openOgImage(openSvgRenderer);
  const { page_url: address } = addressesOf(site);
  const link = linkHeaderOf(site);
  const index = indexOf(site, { link });
  const latestCard = keepLatest<Document>();
  const card = () => latestCard('', () => serverCardOf({ ...site, version }));
  const llms = () => llmsOf(published(), offered(), site);
  /** Returns `/` as Markdown: with a token the profile, otherwise its public part. Throws a read's errors. */
  async function markdownOf(request: Request, connection: Connection): Promise<Document> {
    const type = 'text/markdown; charset=utf-8';
    const headers = { link, vary: 'Accept, Authorization' };
    if (bearerTokenOf(request.headers.get('authorization')) === null) return { ...llms(), type, headers };
    const caller = await readCaller(request, connection, services);
    const { data } = await invoke(markdownRead, { surface: 'rest', caller, input: () => ({}) }, services);
    const document = documentOf(type, toMarkdown(data as Profile));
    return { ...document, headers: { ...headers, 'cache-control': 'private, no-cache' } };
  }
  const respondAtRoot = publicHandler(async (request, connection) =>
    documentResponse(prefersMarkdown(request) ? await markdownOf(request, connection) : index, request),
  );
  http.all('/', ({ req, env }) => respondAtRoot(req.raw, env));
  const documents: Record<string, () => Document | Promise<Document>> = {
    '/robots.txt': () => robotsOf(site),
    '/sitemap.xml': () => sitemapOf(site),
    '/.well-known/api-catalog': () => apiCatalogOf(site),
    [aiCatalogPath]: () => aiCatalogOf(site),
    [skillIndexPath]: () => skillIndexOf(site),
    [skillPath]: () => skillDocument,
    ...Object.fromEntries(cardPaths.map((path) => [path, card])),
    '/llms.txt': llms,
    '/favicon.svg': () => faviconOf(published(), accent()),
    '/og.png': () => ogImage(published(), { accent: accent(), address }),
    '/qr.svg': () => qrCodeOf(address),
  };
  for (const [path, documentOf] of Object.entries(documents)) {
    const respond = publicHandler(async (request) => documentResponse(await documentOf(), request));
    http.all(path, ({ req, env }) => respond(req.raw, env));
  }
}

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

/** The index of addresses, for clients that prefer JSON to the page at the same address. */
export const indexOf = (site: Site, headers = {}): Document => ({
  ...documentOf('application/json', JSON.stringify(addressesOf(site))),
  headers: { vary: 'Accept', ...headers },
});

/** `/favicon.svg`: the initials of a public name on the accent, otherwise lines of text. */
export function faviconOf({ name = '' }: PublicProfile, accent: string): Document {
  const { light, dark } = accentsOf(accent);
  const style = `@media(prefers-color-scheme:dark){rect{fill:${dark}}g{fill:#16181a}}`;
  const initials = initialsOf(name);
  const mark =
    initials === ''
      ? html`<path d="M8 9h16v3H8zM8 15h16v2H8zM8 20h10v2H8z"/>`
      : html`<text x="16" y="22" font-family="Georgia, serif" font-size="${initials.length > 1 ? 15 : 19}" text-anchor="middle">${initials}</text>`;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<style>${raw(style)}</style>
<rect width="32" height="32" rx="4" fill="${light}"/>
<g fill="#fff">${mark}</g>
</svg>
`;
  const hash = createHash('sha256').update(style).digest('base64');
  return {
    ...documentOf('image/svg+xml', String(svg)),
    // For the picture opened as its own page.
    headers: { 'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'` },
  };
}

/**
 * Returns the first letters of the first and the last word, without titles such as `Dr.`. In a script without capitals, whose
 * letters join or fill the width, returns only the first.
 */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => !/^\p{L}{2,}\.$/u.test(word));
  const letters = words.flatMap((word) => /\p{L}\p{M}?/u.exec(word)?.[0].toUpperCase() ?? []);
  const [first = '', last = ''] = letters.length > 1 ? [letters[0], letters.at(-1)] : letters;
  return /^\p{Lu}/u.test(first) && /^\p{Lu}/u.test(last) ? first + last : first;
}

/** `/qr.svg`: the QR code of an address, with the quiet zone of 4 modules that readers need (ISO/IEC 18004). */
export function qrCodeOf(address: string): Document {
  const { size, data } = encode(address, { ecc: 'M', border: 4 });
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((isDark) => (isDark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`),
  );
  // Black on white even in the dark scheme, because many readers cannot read the reverse.
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size * 8}" height="${size * 8}" role="img" aria-labelledby="title" shape-rendering="crispEdges">
<title id="title">QR code of ${address}</title>
<path fill="#fff" d="M0 0h${size}v${size}H0z"/>
<path d="${runs.join('')}"/>
</svg>
`;
  return documentOf('image/svg+xml', String(svg));
}

/** `/llms.txt`, in the format of llmstxt.org: a summary, how agents connect, and the optional operations in `offered`. */
export function llmsOf(profile: PublicProfile, offered: readonly Operation[], site: Site): Document {
  const { token_url, privacy_url, openapi_url, mcp_url, docs_url, page_url, jwks_url } = addressesOf(site);
  const text = `# ${inLine(headingOf(profile))}

> ${inLine(profile.title ?? 'Experience, projects, skills and availability of one person, for people and their agents.')}

${factsOf(profile).concat('').join('\n')}
This is a professional profile as a service: experience, projects, skills, availability and the resume, over REST and MCP.
${optionalLines(offered)}${site.hasOauth ? byAddress(mcp_url) : 'It is read with a bearer token.'} To get one, send the e-mail address of the person you act for:

    curl -s ${token_url} -H 'content-type: application/json' -d '{"email":"you@example.org"}'

The owner of the profile is told who asked ([what is kept](${privacy_url})). Send the \`access_token\` of the answer with every other request, over REST and MCP
alike, as \`Authorization: Bearer ACCESS_TOKEN\`.

## Interfaces

- [MCP server](${mcp_url}): Streamable HTTP, ${site.hasOauth ? 'by OAuth or ' : ''}with the token in the header; tools and resources
- [OpenAPI](${openapi_url}): every REST operation, with its parameters and errors
- [Reference](${docs_url}): the same for people, with examples

## Optional

- [Page](${page_url}): the profile for people, with a form to get a token
- [Public keys](${jwks_url}): what the signatures of tokens are verified with
`;
  return documentOf('text/plain; charset=utf-8', text.replace('\n\n\n', '\n\n'));
}

/** The ways for MCP clients and other programs to get access. */
const byAddress = (mcpUrl: string): string => `
An MCP client that knows OAuth needs the address alone, ${mcpUrl}: it opens a page on which the person enters an e-mail address
and allows it. Leave that page to the person.

Other programs read with a bearer token.`;

/** A line for each offered operation that not every profile has. */
const optionalLines = (offered: readonly Operation[]): string =>
  offered
    .filter((operation) => 'isOffered' in operation)
    .map(({ rest, summary }) => `This one also has, at ${rest.path}: ${summary}\n`)
    .join('');

function factsOf(profile: PublicProfile): string[] {
  const { summary, location, years_experience: years, availability, counts, domains = [] } = profile;
  return [
    ...(summary === undefined ? [] : [inLine(summary), '']),
    ...(location === undefined ? [] : [`- Location: ${inLine(location)}`]),
    ...(years === undefined ? [] : [`- Years of experience: ${years}`]),
    ...(availability === undefined ? [] : [`- Availability: ${inLine(availability)}`]),
    ...(counts === undefined ? [] : [`- Jobs: ${counts.jobs}`, `- Projects: ${counts.projects}`]),
    ...(domains.length === 0 ? [] : [`- Domains: ${domains.map(inLine).join(', ')}`]),
  ];
}

/** On one line, so that a text of the profile cannot become a heading, a list, code or a link. */
const inLine = (text: string): string => toVisible(toMarkdownLine(text));
