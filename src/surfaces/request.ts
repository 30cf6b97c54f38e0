import { parseAccept } from 'hono/utils/accept';
import { Failure } from '../model/failure.ts';
import type { Connection } from '../model/http.ts';
import type { Caller } from '../operations/call.ts';
import type { Services } from '../operations/ports.ts';

export type { Connection };

/** The sender of a request, before the token is read. */
export type Peer = Omit<Caller, 'kind' | 'token'>;

export const peerOf = ({ headers }: Request, { address, requestId }: Connection): Peer => ({
  address,
  requestId,
  client: toClientName(headers.get('user-agent')),
});

/**
 * Returns the caller by the bearer token (RFC 6750, section 2.1), anonymous without one; `at` admits tokens for `/mcp`.
 */
export async function readCaller(
  request: Request,
  connection: Connection,
  { tokens, audit }: Pick<Services, 'tokens' | 'audit'>,
  at?: 'mcp',
): Promise<Caller> {
  const text = bearerTokenOf(request.headers.get('authorization'));
  const token = text === null ? null : await tokens.verify(text, at);
  if (text !== null && token === null) audit({ event: 'token_refused', from: connection.address });
  return { kind: token === null ? 'anonymous' : 'visitor', token, ...peerOf(request, connection) };
}

/** Returns the bearer token of an Authorization header, unverified; null if it has none. */
export function bearerTokenOf(authorization: string | null): string | null {
  if (authorization?.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  return authorization.slice(7).replace(/^ +/, '') || null;
}

const longestClientName = 200;

/** Returns the name that a client gives itself, cut to 200 code points; null if it gives none. */
export function toClientName(name: string | null): string | null {
  if (name === null || name.length <= longestClientName) return name || null;
  return [...name.slice(0, 2 * longestClientName)].slice(0, longestClientName).join('');
}

/** Returns the weights that Accept gives to the types of `/`; 0 if it does not name the type (RFC 9110, 12.5.1). */
function weightsOf(request: Request) {
  const accepted = parseAccept(request.headers.get('accept') ?? '');
  const weightOf = (type: string) => accepted.find((one) => one.type.toLowerCase() === type)?.q ?? 0;
  return {
    html: Math.max(weightOf('text/html'), weightOf('application/xhtml+xml')),
    json: weightOf('application/json'),
    markdown: weightOf('text/markdown'),
    any: weightOf('*/*'),
  };
}

/** Whether Accept names `text/html` and does not prefer JSON or Markdown, as browsers do. */
export function prefersHtml(request: Request): boolean {
  const { html, json, markdown } = weightsOf(request);
  return html > 0 && html >= json && html > markdown;
}

/** Whether Accept names `text/markdown`, which no browser does, and prefers nothing else. */
export function prefersMarkdown(request: Request): boolean {
  const { html, json, markdown, any } = weightsOf(request);
  return markdown > 0 && markdown >= Math.max(html, json, any);
}

/** Whether somebody sees the page that is requested: false for HEAD, and for a prefetch (Fetch standard, `Sec-Purpose`). */
export const isOpened = ({ method, headers }: Request): boolean =>
  method !== 'HEAD' && !/\bprefetch\b/.test(headers.get('sec-purpose') ?? '');

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
  const wrongType = typeFaultOf(request, type);
  // By the headers if possible, without waiting for the body.
  if (length > 0 && wrongType !== null) throw wrongType;
  if (length > drainBytes) throw tooLarge(rules);
  try {
    // The HTTP server reads a whole body without a stream; a stream costs as much as the rest of the request.
    if (length > 0 && length <= limitBytes) return new Uint8Array(await request.arrayBuffer());
    return await readChunks(request, wrongType, rules);
  } catch (error) {
    // The client has disconnected.
    throw error instanceof Failure ? error : new Failure('BAD_REQUEST', 'Request body must arrive whole');
  }
}

/** Reads a body that is too large, or of unknown length. */
async function readChunks(
  { body }: Request,
  wrongType: Failure | null,
  rules: BodyRules,
): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let total = 0;
  // Cancelling the rest of the body would close the connection before the response is sent.
  for await (const chunk of body.values({ preventCancel: true })) {
    total += chunk.byteLength;
    if (total > 0 && wrongType !== null) throw wrongType;
    if (total > drainBytes) break;
    if (total <= rules.limitBytes) chunks.push(chunk);
  }
  if (total > rules.limitBytes) throw tooLarge(rules);
  return Buffer.concat(chunks);
}

/** Returns the failure of a body that is not of a media type in UTF-8, or is encoded; null if it is as it should be. */
function typeFaultOf({ headers }: Request, type: string): Failure | null {
  const [mediaType = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  const isOfType = mediaType.trim() === type && !headers.has('content-encoding');
  if (!isOfType) return new Failure('UNSUPPORTED_MEDIA_TYPE', `Request body must be ${type} without content encoding`);
  const [, charset = ''] = parameters.map((one) => one.split('=')).find(([name]) => name!.trim() === 'charset') ?? [];
  // ASCII is UTF-8, too.
  if (['', 'utf-8', 'utf8', 'us-ascii'].includes(charset.trim().replaceAll('"', ''))) return null;
  return new Failure('UNSUPPORTED_MEDIA_TYPE', `Request body must be ${type} in UTF-8`);
}
const tooLarge = ({ limitBytes }: BodyRules) =>
  new Failure('PAYLOAD_TOO_LARGE', `Request body must be at most ${limitBytes} bytes`);

const json = { type: 'application/json', limitBytes: 65_536 };
const limitDepth = 16;

/** Reads the JSON object of a request body, null for an absent or empty body or `null`. Throws as in answers, HTTP. */
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

/** The Host and Origin headers that `/mcp` and forms accept. */
export type HostPolicy = ReturnType<typeof hostPolicyOf>;

/**
 * Returns the policy that accepts the host and origin of the base URL, and further ones; `isLocal` is true for names of this
 * machine.
 */
export function hostPolicyOf(
  baseUrl: string,
  hosts: readonly string[],
  origins: readonly string[],
  isLocal: (hostname: string) => boolean,
) {
  const { protocol, host, hostname, origin } = new URL(baseUrl);
  // Then no page can reach `/mcp` by a name of its own (DNS rebinding).
  const isPublicHttps = protocol === 'https:' && !isLocal(hostname);
  return { hosts: [host, ...hosts], origins: [origin, ...origins], isPublicHttps, isLocal };
}

/** Whether a host name, with or without its port, is accepted. */
export const acceptsHost = ({ hosts, isLocal }: HostPolicy, { host, hostname }: URL): boolean =>
  isLocal(hostname) || hosts.includes(host) || hosts.includes(hostname);

/**
 * Whether `/mcp` accepts an Origin header, or its absence. A public https address accepts every origin, because only
 * bearer tokens count there; a local service accepts local pages.
 */
export function acceptsOrigin({ origins, isPublicHttps, isLocal }: HostPolicy, origin: string | null): boolean {
  if (origin === null || isPublicHttps || origins.includes(origin)) return true;
  const isServedLocally = isLocal(new URL(origins[0]!).hostname);
  return isServedLocally && URL.canParse(origin) && isLocal(new URL(origin).hostname);
}
