import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { parseAccept } from 'hono/utils/accept';

type Bytes = Uint8Array<ArrayBuffer>;

/** A body that is kept to be sent many times. */
export interface Compressible {
  readonly plain: Bytes;
  /** Returns the body in an encoding, compressed on first use; null if it is only sent plain. */
  readonly encoded: ((encoding: Encoding) => Bytes) | null;
}

type Encoding = 'br' | 'gzip';

/** Shorter bodies fit into the packets that their headers are in. */
export const leastBytes = 2_048;

const compress: Record<Encoding, (plain: Bytes) => Bytes> = {
  // The best quality takes five times as long for a tenth less.
  br: (plain) =>
    new Uint8Array(
      brotliCompressSync(plain, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: plain.byteLength },
      }),
    ),
  gzip: (plain) => new Uint8Array(gzipSync(plain, { level: 9 })),
};

/** A body that is compressed at most once for each encoding, unless it is short. */
export function compressible(plain: Bytes): Compressible {
  const made = new Map<Encoding, Bytes>();
  function encoded(encoding: Encoding): Bytes {
    const bytes = made.get(encoding) ?? compress[encoding](plain);
    made.set(encoding, bytes);
    return bytes;
  }
  return { plain, encoded: plain.byteLength < leastBytes ? null : encoded };
}

/** Responds with a body in an encoding that the client accepts. `init` has `Vary: Accept-Encoding`, as for a 304. */
export function compressibleResponse(request: Request, { plain, encoded }: Compressible, init: HeadersInit): Response {
  const encoding = encoded === null ? null : encodingFor(request);
  const body = encoding === null ? plain : encoded!(encoding);
  // A copy: the Response of @hono/node-server would keep headers that are set here for all later responses.
  const headers = new Headers(init);
  headers.set('content-length', String(body.byteLength));
  if (encoding !== null) headers.set('content-encoding', encoding);
  return new Response(body, { headers });
}

/** Returns the encoding that a client likes best, the smaller of two; null for none (RFC 9110, section 12.5.3). */
function encodingFor({ headers }: Request): Encoding | null {
  const accepted = parseAccept(headers.get('accept-encoding') ?? '');
  const weightOf = (name: string) => accepted.find(({ type }) => type.toLowerCase() === name)?.q;
  const any = weightOf('*') ?? 0;
  const weights = (['br', 'gzip'] as const).map((name) => ({ name, weight: weightOf(name) ?? any }));
  const best = weights[1]!.weight > weights[0]!.weight ? weights[1]! : weights[0]!;
  return best.weight > 0 && best.weight >= (weightOf('identity') ?? 0) ? best.name : null;
}
