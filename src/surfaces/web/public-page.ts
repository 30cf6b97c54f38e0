import { keepLatest } from '../latest.ts';
import { etagOf } from '../rest/etag.ts';
import { matchesEtag } from '../rest/responses.ts';
import { type Compressible, compressed, compressibleResponse } from './compressible.ts';
import { type Page, pageResponse, type Site } from './page.ts';

interface Rendered {
  readonly body: Compressible;
  readonly headers: Headers;
  readonly etag: string;
}

/**
 * Returns a function that responds with a page that is the same for everybody, or with 304 to a client that has it. The page is
 * rendered when it is first asked for, and again if `versionOf`, a text of all that it depends on besides the assets, has changed.
 */
export function openPublicPage(
  site: Site,
  versionOf: () => string,
  render: () => Page | Promise<Page>,
): (request: Request) => Promise<Response> {
  const latest = keepLatest<Rendered>();
  return async (request) => {
    const version = `${site.assets().style} ${versionOf()}`;
    return respond(request, await latest(version, async () => toRendered(await render(), site)));
  };
}

async function toRendered(page: Page, site: Site): Promise<Rendered> {
  const response = await pageResponse({ cacheControl: 'public, max-age=0, must-revalidate', ...page }, site);
  const plain = new Uint8Array(await response.arrayBuffer());
  const { headers } = response;
  const etag = etagOf(plain);
  // Weak, because the compressed form has the same tag (RFC 9110, section 8.8.1).
  headers.set('etag', `W/${etag}`);
  // Not Accept: this address has the page alone, so caches need keep one for each encoding, not for each browser.
  headers.set('vary', 'Accept-Encoding');
  return { body: compressed(plain), headers, etag };
}

function respond(request: Request, { body, headers, etag }: Rendered): Response {
  if (matchesEtag(etag, request.headers.get('if-none-match'))) return new Response(null, { status: 304, headers });
  return compressibleResponse(request, body, headers);
}
