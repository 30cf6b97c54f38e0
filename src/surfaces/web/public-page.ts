import { gzipSync } from 'node:zlib';
import { etagOf } from '../rest/etag.ts';
import { matchesEtag } from '../rest/responses.ts';
import { acceptsGzip } from './accepts-gzip.ts';
import { type Page, pageResponse, type Site } from './page.ts';

interface Rendered {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
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
  let latest: { readonly version: string; readonly rendered: Promise<Rendered> } | undefined;
  return async (request) => {
    const version = `${site.assets().style} ${versionOf()}`;
    if (latest?.version !== version)
      latest = { version, rendered: Promise.try(render).then((page) => keep(page, site)) };
    const { rendered } = latest;
    return rendered.then(
      (kept) => respond(request, kept),
      (error: unknown) => {
        if (latest?.rendered === rendered) latest = undefined;
        throw error;
      },
    );
  };
}

async function keep(page: Page, site: Site): Promise<Rendered> {
  const response = await pageResponse({ cacheControl: 'public, max-age=0, must-revalidate', ...page }, site);
  const plain = new Uint8Array(await response.arrayBuffer());
  const { headers } = response;
  const etag = etagOf(plain);
  // Weak, because the compressed form has the same tag (RFC 9110, section 8.8.1).
  headers.set('etag', `W/${etag}`);
  headers.append('vary', 'Accept-Encoding');
  return { plain, gzip: new Uint8Array(gzipSync(plain, { level: 9 })), headers, etag };
}

function respond(request: Request, { plain, gzip, headers, etag }: Rendered): Response {
  if (matchesEtag(etag, request.headers.get('if-none-match'))) return new Response(null, { status: 304, headers });
  const isGzip = acceptsGzip(request);
  // A copy: the Response of @hono/node-server would keep what is set here in the headers of all later responses.
  const response = new Response(isGzip ? gzip : plain, { headers: new Headers(headers) });
  response.headers.set('content-length', String((isGzip ? gzip : plain).byteLength));
  if (isGzip) response.headers.set('content-encoding', 'gzip');
  return response;
}
