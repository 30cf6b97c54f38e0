import { Failure } from '../model/failure.ts';

/** How much of a body that is too large is read before the response, so that the client can read it. */
const drainBytes = 16 * 1024 * 1024;

/** The media type that a body must have, without parameters, and its largest size. */
interface BodyRules {
  readonly type: string;
  readonly limitBytes: number;
}

/** Reads a body of one media type and limited size; an empty body needs no content type. Throws `Failure`. */
export async function readBytes(request: Request, rules: BodyRules): Promise<Uint8Array<ArrayBuffer>> {
  const { type, limitBytes } = rules;
  const length = Number(request.headers.get('content-length'));
  const hasRightType =
    (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase() === type &&
    !request.headers.has('content-encoding');
  // By the headers if possible, without waiting for the body.
  if (length > 0 && !hasRightType) throw wrongType(rules);
  if (length > drainBytes) throw tooLarge(rules);
  try {
    // The HTTP server reads a whole body without a stream; a stream costs as much as the rest of the request.
    if (length > 0 && length <= limitBytes) return new Uint8Array(await request.arrayBuffer());
    return await readChunks(request, hasRightType, rules);
  } catch (error) {
    // The client has disconnected.
    throw error instanceof Failure ? error : new Failure('BAD_REQUEST', 'Request body must arrive whole');
  }
}

/** Reads a body of unknown length, or one that is too large. */
async function readChunks(
  { body }: Request,
  hasRightType: boolean,
  rules: BodyRules,
): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let total = 0;
  // Cancelling the rest of the body would close the connection before the response is sent.
  for await (const chunk of body.values({ preventCancel: true })) {
    total += chunk.byteLength;
    if (total > 0 && !hasRightType) throw wrongType(rules);
    if (total > drainBytes) break;
    if (total <= rules.limitBytes) chunks.push(chunk);
  }
  if (total > rules.limitBytes) throw tooLarge(rules);
  return Buffer.concat(chunks);
}

const wrongType = ({ type }: BodyRules) =>
  new Failure('UNSUPPORTED_MEDIA_TYPE', `Request body must be ${type} without content encoding`);
const tooLarge = ({ limitBytes }: BodyRules) =>
  new Failure('PAYLOAD_TOO_LARGE', `Request body must be at most ${limitBytes} bytes`);

const json = { type: 'application/json', limitBytes: 65_536 };
const limitDepth = 16;

/** Reads the JSON object of a request body, null if the body is absent, empty or `null`. Throws failures as in answers, HTTP. */
export async function readJsonBody(request: Request): Promise<object | null> {
  const value = parse(await readJsonBytes(request));
  if (typeof value !== 'object' || Array.isArray(value))
    throw new Failure('BAD_REQUEST', 'Request body must be a JSON object');
  check(value, 1);
  return value;
}

/** Reads the bytes of a JSON body; an absent or empty one needs no content type. Throws `Failure`. */
export const readJsonBytes = (request: Request): Promise<Uint8Array<ArrayBuffer>> => readBytes(request, json);

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
