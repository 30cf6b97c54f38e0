import { gzipSync } from 'node:zlib';

type Bytes = Uint8Array<ArrayBuffer>;

/** A body that is kept to be sent many times. */
export interface Compressible {
  readonly plain: Bytes;
  /** Null if it is compressed already, as fonts and pictures are. */
  readonly gzip: Bytes | null;
}

/** Compresses a body once for all responses. */
export const compressed = (plain: Bytes): Compressible => ({
  plain,
  gzip: new Uint8Array(gzipSync(plain, { level: 9 })),
});

/** Responds with a body in the form that the client accepts. `given` has `Vary: Accept-Encoding`, as a 304 has to, too. */
export function compressibleResponse(request: Request, { plain, gzip }: Compressible, given: HeadersInit): Response {
  const isGzip = gzip !== null && acceptsGzip(request);
  const body = isGzip ? gzip : plain;
  // A copy: the Response of @hono/node-server would keep what is set here in the headers of all later responses.
  const headers = new Headers(given);
  headers.set('content-length', String(body.byteLength));
  if (isGzip) headers.set('content-encoding', 'gzip');
  return new Response(body, { headers });
}

const acceptsGzip = ({ headers }: Request): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(headers.get('accept-encoding') ?? '');
