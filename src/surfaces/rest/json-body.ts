import { Failure } from '../../model/failure.ts';

const limitBytes = 65_536;
/** How much of a body that is too large is read all the same, so that its sender gets to read why it is refused. */
const drainBytes = 16 * 1024 * 1024;
const limitDepth = 16;

/** The JSON object of a request body, null where the body is absent, empty or `null`. Throws as answers, HTTP, has it. */
export async function readJsonBody(request: Request): Promise<object | null> {
  const value = parse(await readBytes(request));
  if (typeof value !== 'object' || Array.isArray(value))
    throw new Failure('BAD_REQUEST', 'Request body must be a JSON object');
  inspect(value, 1);
  return value;
}

/** The body, kept no further than the limit; an empty one needs no content type. */
export async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const length = Number(request.headers.get('content-length'));
  const hasRightType =
    /^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '') &&
    !request.headers.has('content-encoding');
  // By the headers if they tell: nothing of the body is waited for.
  if (length > 0 && !hasRightType) throw new Failure('UNSUPPORTED_MEDIA_TYPE');
  if (length > drainBytes) throw new Failure('PAYLOAD_TOO_LARGE');
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let total = 0;
  try {
    // To cancel what is left of the body would end the connection before the answer is sent.
    for await (const chunk of request.body.values({ preventCancel: true })) {
      total += chunk.byteLength;
      if (total > 0 && !hasRightType) throw new Failure('UNSUPPORTED_MEDIA_TYPE');
      if (total > drainBytes) break;
      if (total <= limitBytes) chunks.push(chunk);
    }
  } catch (error) {
    // Whoever hangs up in the middle is no fault of ours.
    throw error instanceof Failure ? error : new Failure('BAD_REQUEST', 'Request body must arrive whole');
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

/** Lone surrogates come through JSON.parse as escapes and are no text (RFC 8259, section 8.2). */
function inspect(value: unknown, depth: number): void {
  if (typeof value === 'string' && !value.isWellFormed()) throw notJson();
  if (typeof value !== 'object' || value === null) return;
  if (depth > limitDepth) throw new Failure('BAD_REQUEST', 'Request body is nested too deeply');
  for (const [key, item] of Object.entries(value)) {
    inspect(key, depth);
    inspect(item, depth + 1);
  }
}
