import { html } from 'hono/html';
import { aiCatalogPath, cardPath, cardType, catalogType } from '../../mcp/server-card.ts';
import { type Document, documentOf } from '../../rest/documents.ts';
import type { Site } from '../page.ts';
import { addressesOf } from './public-profile.ts';

/** A link to a document about the service, with its media type (RFC 8288). */
type Link = readonly [rel: string, href: string, type: string];

const linksetType = 'application/linkset+json';

/** The documents that describe the REST API, by the relations of RFC 8631. */
function linksOfRest(site: Site): Link[] {
  const { openapi_url, docs_url, llms_url } = addressesOf(site);
  return [
    ['service-desc', openapi_url, 'application/json'],
    ['service-doc', docs_url, 'text/html'],
    ['describedby', llms_url, 'text/plain'],
  ];
}

/** The documents that describe the MCP server; the last one describes its authorization. */
function linksOfMcp({ baseUrl, hasOauth }: Site): Link[] {
  const authorization: Link = [
    'service-meta',
    `${baseUrl}/.well-known/oauth-protected-resource/mcp`,
    'application/json',
  ];
  return [
    ['service-desc', baseUrl + cardPath, cardType],
    ['service-doc', `${baseUrl}/docs/mcp`, 'text/html'],
    ...(hasOauth ? [authorization] : []),
  ];
}

/** The header `Link` of `/`: the documents that describe the service, its catalogues, and the page as Markdown. */
export function linkHeaderOf(site: Site): string {
  const { api_catalog_url, page_url } = addressesOf(site);
  return toHeader([
    ...linksOfRest(site),
    ['api-catalog', api_catalog_url, linksetType],
    ['ai-catalog', site.baseUrl + aiCatalogPath, catalogType],
    ['alternate', page_url, 'text/markdown'],
  ]);
}

const toHeader = (links: readonly Link[]): string =>
  links.map(([rel, href, type]) => `<${href}>; rel="${rel}"; type="${type}"`).join(', ');

const catalogProfile = 'https://www.rfc-editor.org/info/rfc9727';

/** `/.well-known/api-catalog`: the interfaces, each with the documents that describe it (RFC 9727). */
export function apiCatalogOf(site: Site): Document {
  const { page_url, mcp_url, api_catalog_url } = addressesOf(site);
  const interfaces = { [page_url]: linksOfRest(site), [mcp_url]: linksOfMcp(site) };
  const linkset = Object.entries(interfaces).map(([anchor, links]) => ({
    anchor,
    ...Object.fromEntries(links.map(([rel, href, type]) => [rel, [{ href, type }]])),
  }));
  return {
    ...documentOf(`${linksetType}; profile="${catalogProfile}"`, JSON.stringify({ linkset })),
    headers: { link: toHeader([['api-catalog', api_catalog_url, linksetType]]) },
  };
}

/** `/sitemap.xml`: the public pages. Without dates, which would reveal when the profile was changed. */
export function sitemapOf(site: Site): Document {
  const { page_url, docs_url, privacy_url } = addressesOf(site);
  const pages = [page_url, docs_url, `${docs_url}/mcp`, `${docs_url}/client`, privacy_url];
  const xml = html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map((page) => html`<url><loc>${page}</loc></url>\n`)}</urlset>
`;
  return documentOf('application/xml; charset=utf-8', String(xml));
}

/** `/robots.txt`: search engines may index the pages, but not the owner's desk. */
export const robotsOf = (site: Site): Document =>
  documentOf(
    'text/plain; charset=utf-8',
    `User-agent: *\nDisallow: ${site.path('/desk')}\n\nSitemap: ${addressesOf(site).sitemap_url}\n`,
  );
