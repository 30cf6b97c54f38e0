import { Failure } from '../model/failure.ts';

/** How much of a body that is too large is read before the response, so that the client can read it. */
const drainBytes = 16 * 1024 * 1024;

/** The media type that a body must have, without parameters, and its largest size. */
interface BodyRules {
  readonly type: string;
  readonly limitBytes: number;
}

/** Reads a body of one media type and limited size; an empty body needs no content type. Throws `Failure`. */
export async function readBytes(request: Request, { type, limitBytes }: BodyRules): Promise<Uint8Array<ArrayBuffer>> {
  const length = Number(request.headers.get('content-length'));
  const hasRightType =
    (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase() === type &&
    !request.headers.has('content-encoding');
  // By the headers if possible, without waiting for the body.
  if (length > 0 && !hasRightType) throw new Failure('UNSUPPORTED_MEDIA_TYPE');
  if (length > drainBytes) throw new Failure('PAYLOAD_TOO_LARGE');
  try {
    // The HTTP server reads a whole body without a stream; a stream costs as much as the rest of the request.
    if (length > 0 && length <= limitBytes) return new Uint8Array(await request.arrayBuffer());
    return await readChunks(request, hasRightType, limitBytes);
  } catch (error) {
    // The client has disconnected.
    throw error instanceof Failure ? error : new Failure('BAD_REQUEST', 'Request body must arrive whole');
  }
}

/** Reads a body of unknown length, or one that is too large. */
async function readChunks(
  { body }: Request,
  hasRightType: boolean,
  limitBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let total = 0;
  // Cancelling the rest of the body would close the connection before the response is sent.
  for await (const chunk of body.values({ preventCancel: true })) {
    total += chunk.byteLength;
    if (total > 0 && !hasRightType) throw new Failure('UNSUPPORTED_MEDIA_TYPE');
    if (total > drainBytes) break;
    if (total <= limitBytes) chunks.push(chunk);
  }
  if (total > limitBytes) throw new Failure('PAYLOAD_TOO_LARGE');
  return Buffer.concat(chunks);
}
