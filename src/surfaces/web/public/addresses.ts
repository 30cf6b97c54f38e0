import { type Document, documentOf } from '../../rest/documents.ts';
import type { Site } from '../page.ts';

/** The absolute addresses of the service, under their published names. */
export const addressesOf = ({ baseUrl }: Pick<Site, 'baseUrl'>) => ({
  page_url: `${baseUrl}/`,
  docs_url: `${baseUrl}/docs`,
  openapi_url: `${baseUrl}/openapi.json`,
  mcp_url: `${baseUrl}/mcp`,
  token_url: `${baseUrl}/auth/token`,
  jwks_url: `${baseUrl}/.well-known/jwks.json`,
  llms_url: `${baseUrl}/llms.txt`,
  privacy_url: `${baseUrl}/privacy`,
  qr_url: `${baseUrl}/qr.svg`,
});

/** The index of addresses, for clients that prefer JSON to the page at the same address. */
export const indexOf = (site: Site): Document => ({
  ...documentOf('application/json', JSON.stringify(addressesOf(site))),
  headers: { vary: 'Accept' },
});

/** `/robots.txt`: search engines may show the pages, and have nothing to look for at the owner's desk. */
export const robotsOf = (site: Site): Document =>
  documentOf('text/plain; charset=utf-8', `User-agent: *\nDisallow: ${site.path('/desk')}\n`);
