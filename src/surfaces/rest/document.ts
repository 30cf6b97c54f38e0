import { etagOf } from './etag.ts';
import { anyOrigin, matchesEtag } from './responses.ts';

/** A document that anybody may read. */
export interface Document {
  /** Its media type. */
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** More headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns a document with its entity tag. */
export const documentOf = (type: string, body: Document['body']): Document => ({ type, body, etag: etagOf(body) });

/** Responds to GET and HEAD. Caches ask each time whether it has changed, because the owner may take back what was public. */
export function documentResponse({ type, body, etag, headers: more }: Document, request: Request): Response {
  const headers = { ...anyOrigin, etag, 'cache-control': 'public, no-cache', ...more };
  if (matchesEtag(etag, request.headers.get('if-none-match'))) return new Response(null, { status: 304, headers });
  const length = String(Buffer.byteLength(body));
  return new Response(body, { headers: { ...headers, 'content-type': type, 'content-length': length } });
}
