import { Failure } from '../../model/failure.ts';
import { readBytes } from '../request-body.ts';

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
