import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { parseAccept } from 'hono/utils/accept';

type Bytes = Uint8Array<ArrayBuffer>;

/** A body with its media type. Its compressed forms are kept as long as this object is. */
export interface Content {
  readonly type: string;
  readonly body: string | Bytes;
}

type Encoding = 'br' | 'gzip';

const compress: Record<Encoding, (plain: string | Bytes) => Bytes> = {
  // The best quality takes five times as long for a tenth less.
  br: (plain) => {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(plain),
    };
    return new Uint8Array(brotliCompressSync(plain, { params }));
  },
  gzip: (plain) => new Uint8Array(gzipSync(plain, { level: 9 })),
};

/** Shorter bodies fit into the packets that their headers are in. */
const leastBytes = 2_048;

/** Whether a body is compressed for the clients that accept it; pictures and fonts are compressed already. */
export const isCompressed = ({ type, body }: Content, headers: Headers): boolean =>
  /\baccept-encoding\b/i.test(headers.get('vary') ?? '') &&
  Buffer.byteLength(body) >= leastBytes &&
  !/^(?:image\/(?!svg)|font\/)/.test(type);

const compressed = new WeakMap<Content, Map<Encoding, Bytes>>();

function encoded(content: Content, encoding: Encoding): Bytes {
  const forms = compressed.get(content) ?? new Map<Encoding, Bytes>();
  const bytes = forms.get(encoding) ?? compress[encoding](content.body);
  compressed.set(content, forms.set(encoding, bytes));
  return bytes;
}

/** Responds with a body, in an encoding that the client accepts if `headers`, to which it adds, say `Vary: Accept-Encoding`. */
export function contentResponse(request: Request, content: Content, headers: Headers): Response {
  const encoding = isCompressed(content, headers) ? encodingFor(request) : null;
  const body = encoding === null ? content.body : encoded(content, encoding);
  headers.set('content-type', content.type);
  headers.set('content-length', String(Buffer.byteLength(body)));
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
