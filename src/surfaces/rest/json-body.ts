import { Failure } from '../../model/failure.ts';

const limitBytes = 65_536;
/** How much of a body that is too large is read before the response, so that the client can read it. */
const drainBytes = 16 * 1024 * 1024;
const limitDepth = 16;

/** Reads the JSON object of a request body, null if the body is absent, empty or `null`. Throws failures as in answers, HTTP. */
export async function readJsonBody(request: Request): Promise<object | null> {
  const value = parse(await readBytes(request));
  if (typeof value !== 'object' || Array.isArray(value))
    throw new Failure('BAD_REQUEST', 'Request body must be a JSON object');
  check(value, 1);
  return value;
}

/** Reads a JSON body of limited size; an empty body needs no content type. Throws `Failure`. */
export async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const length = Number(request.headers.get('content-length'));
  const hasRightType =
    /^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '') &&
    !request.headers.has('content-encoding');
  // By the headers if possible, without waiting for the body.
  if (length > 0 && !hasRightType) throw new Failure('UNSUPPORTED_MEDIA_TYPE');
  if (length > drainBytes) throw new Failure('PAYLOAD_TOO_LARGE');
  try {
    // The HTTP server reads a whole body without a stream; a stream costs as much as the rest of the request.
    if (length > 0 && length <= limitBytes) return new Uint8Array(await request.arrayBuffer());
    return await readChunks(request, hasRightType);
  } catch (error) {
    // The client has disconnected.
    throw error instanceof Failure ? error : new Failure('BAD_REQUEST', 'Request body must arrive whole');
  }
}

/** Reads a body of unknown length, or one that is too large. */
async function readChunks({ body }: Request, hasRightType: boolean): Promise<Uint8Array<ArrayBuffer>> {
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

const notJson = () => new Failure('BAD_REQUEST', 'Request body must be valid JSON');

function parse(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text === '' ? null : JSON.parse(text);
  } catch {
    throw notJson();
  }
}

/** Throws for lone surrogates, which JSON.parse accepts as escapes (RFC 8259, section 8.2), and for deep nesting. */
function check(value: unknown, depth: number): void {
  if (typeof value === 'string' && !value.isWellFormed()) throw notJson();
  if (typeof value !== 'object' || value === null) return;
  if (depth > limitDepth) throw new Failure('BAD_REQUEST', 'Request body is nested too deeply');
  for (const [key, item] of Object.entries(value)) {
    check(key, depth);
    check(item, depth + 1);
  }
}
