import { decodeUtf8 } from 'resume-profile/utf-8';
import { maxDocumentMebibytes } from '../../model/profile/document-state.ts';

/** A version of a document, and the request headers that fetch it only if it has changed. */
export interface FetchedDocument {
  readonly text: string;
  readonly condition: Record<string, string>;
}

interface FetchOptions {
  readonly condition?: Record<string, string> | undefined;
  /** The limit for the whole response. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Fetches a document; null if the server says that it has not changed. Follows no redirect. Rejects with a reason to stand
 * after the address, which the reason never quotes.
 */
export async function fetchDocument(
  address: URL,
  { condition = {}, timeoutMs, signal }: FetchOptions,
): Promise<FetchedDocument | null> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let body: Buffer | null;
  try {
    response = await fetch(...requestOf(address, condition, signal ? AbortSignal.any([timeout, signal]) : timeout));
    body = response.status === 200 ? await readBody(response) : null;
    if (body === null) await response.body?.cancel();
  } catch (error) {
    throw timeout.aborted ? new Error(`does not answer within ${timeoutMs / 1_000} seconds`) : reasonOf(error as Error);
  }
  if (response.status === 304 && Object.keys(condition).length > 0) return null;
  if (response.status !== 200) throw new Error(explain(response.status));
  if (body === null) throw new Error(`is larger than ${maxDocumentMebibytes} MiB`);
  return { text: decodeUtf8(body), condition: conditionOf(response.headers) };
}

/** Moves user name and password to a header, because `fetch` refuses them in an address. */
function requestOf(address: URL, condition: Record<string, string>, signal: AbortSignal): [URL, RequestInit] {
  const bare = new URL(address);
  bare.username = '';
  bare.password = '';
  const headers = new Headers({
    accept: '*/*',
    // Some servers compress anyway; the size limit is for the decompressed bytes.
    'accept-encoding': 'identity',
    'user-agent': 'candidate-profile',
    ...condition,
  });
  const credentials = [address.username, address.password].map(decodeURIComponent).join(':');
  if (credentials !== ':') headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  return [bare, { headers, signal, redirect: 'manual' }];
}

/** Reads a body; returns null as soon as it is too large. */
async function readBody({ body }: Response): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > maxDocumentMebibytes * 1024 ** 2) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function conditionOf(headers: Headers): Record<string, string> {
  const etag = headers.get('etag');
  if (etag !== null) return { 'if-none-match': etag };
  const modified = headers.get('last-modified');
  return modified === null ? {} : { 'if-modified-since': modified };
}

function explain(status: number): string {
  if (status >= 300 && status < 400 && status !== 304)
    return `redirects (${status}), which is not followed: set PROFILE to the address that it leads to`;
  if (status === 401 || status === 403)
    return `answers ${status}: a password, token or signature in PROFILE is missing, wrong or expired`;
  return `answers ${status} instead of 200`;
}

// OpenSSL's names of certificate faults.
const certificateCodes = /CERT|SIGNATURE|ISSUER|_CA$|CHAIN/;

/** Returns the error to show; errors from `fetch` may quote the address. */
function reasonOf({ cause }: Error): Error {
  const { code, message } = (cause ?? {}) as NodeJS.ErrnoException;
  // The ports of other protocols, which the Fetch standard blocks.
  if (message === 'bad port') return new Error('has a port that is reserved for another protocol; use another port');
  if (code === undefined) return new Error('does not answer');
  return certificateCodes.test(code)
    ? new Error(
        `has a certificate that is not trusted (${code}); if its authority is your own, set NODE_EXTRA_CA_CERTS to the file of that`,
      )
    : new Error(`does not answer (${code})`);
}
