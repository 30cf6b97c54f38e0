import { join } from 'node:path';
import type { Logger } from 'pino';
import { type ProfileReading, readProfileText } from 'resume-profile/profile-reader';
import { decodeUtf8 } from 'resume-profile/utf-8';
import { z } from 'zod';
import { maxDocumentMebibytes } from '../../model/profile/document-state.ts';
import { readInputFile } from '../input-file.ts';
import { replaceDurably } from '../output-file.ts';
import { nameOf, openServed, type ProfileAddress, unreadable } from './profile-source.ts';

const defaultTimeoutMs = 10_000;

/** Thrown if neither the address of a profile nor its copy can be read; the one-line message begins with the address. */
export class UnavailableProfile extends Error {}

interface Version extends FetchedDocument {
  readonly reading: ProfileReading;
}

/** Returns the version at an address, or the previous one if it has not changed. Rejects with the fault, in one line. */
async function fetchVersion(
  { address, timeoutMs = defaultTimeoutMs }: Pick<AddressOptions, 'address' | 'timeoutMs'>,
  before: Version | null = null,
  signal?: AbortSignal,
): Promise<Version> {
  const name = nameOf({ address });
  try {
    const fetched = await fetchDocument(address, timeoutMs, before?.condition, signal);
    if (fetched === null) return before!;
    const isSame = fetched.text === before?.text;
    return { ...fetched, reading: isSame ? before.reading : readProfileText(fetched.text, name) };
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`);
  }
}

/** Fetches a profile document once. Returns faults: `ADDRESS: message` or `ADDRESS:LINE:COL: path: message`. */
export const fetchProfile = (source: ProfileAddress): Promise<ProfileReading> =>
  fetchVersion(source).then(
    ({ reading }) => reading,
    ({ message }: Error) => unreadable(message),
  );

/** The profile that is served: the last valid version of a document, which is polled for changes. */
export type LiveProfile = Awaited<ReturnType<typeof openProfileAddress>>;

interface AddressOptions extends ProfileAddress {
  readonly folder: string;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly periodMs?: number;
  readonly timeoutMs?: number;
}

/** Fetches the profile now and every 30 s, with a copy for a start without it. Rejects with `UnavailableProfile`, or faults. */
export async function openProfileAddress({ periodMs = 30_000, ...options }: AddressOptions) {
  const { address, folder, log } = options;
  const name = nameOf({ address });
  const copy = openCopy(folder, name, log);
  const start = await openFirst(options, copy);
  let version: Version = start.version;
  let { outage } = start;
  const { take, ...served } = openServed(start, start.readAt, log);
  await copy.save(start.isFetched ? version.text : null);

  const closing = new AbortController();
  async function pollOnce(): Promise<void> {
    const before = version;
    try {
      version = await fetchVersion(options, before, closing.signal);
    } catch (error) {
      if (closing.signal.aborted) return;
      if (outage === null) log.error({ faults: [(error as Error).message] }, 'profile not fetched');
      outage = (error as Error).message;
      return;
    }
    if (outage !== null) log.info({ address: name }, 'profile fetched again');
    outage = null;
    const { reading, text } = version;
    const isNew = reading !== before.reading;
    if (isNew) take(reading);
    await copy.save(isNew && reading.profile !== null ? text : null);
  }
  let isPolling = false;
  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    await pollOnce();
    isPolling = false;
  }
  const timer = setInterval(poll, periodMs);
  return {
    ...served,
    /** The path of the file that is polled, or the address without its secrets. */
    name: () => name,
    /** The path of the file that is polled; null if the document is at an address. */
    path: (): string | null => null,
    /** Null if the document is a file. */
    fetchedText: (): string | null => version.text,
    /** Reads the document again if it is a file; returns the last fetched version if it is at an address. */
    read: () => (outage === null ? version.reading : unreadable(outage)),
    /** Whether the document has since become invalid or unreadable. */
    isStale: () => outage !== null || version.reading.profile === null,
    reload: (): void => void poll(),
    close(): void {
      clearInterval(timer);
      closing.abort();
    },
  };
}

/** Returns the first served version: fetched, or from the copy if the fetched one is invalid or missing (`outage`). */
async function openFirst({ log, ...options }: AddressOptions, copy: ReturnType<typeof openCopy>) {
  let outage = null as string | null;
  const fetched = await fetchVersion(options).catch(({ message }: Error) => {
    outage = message;
    return null;
  });
  if (fetched !== null && fetched.reading.profile !== null) {
    const { profile, views } = fetched.reading;
    return { version: fetched, profile, views, readAt: new Date(), isFetched: true, outage };
  }
  const faults = fetched === null ? [outage!] : fetched.reading.faults;
  try {
    const { text, reading, fetchedAt } = copy.read();
    log.warn({ faults, fetchedAt }, 'the last copy of the profile is served');
    const { profile, views } = reading;
    return {
      version: fetched ?? { text, reading, condition: {} },
      profile,
      views,
      readAt: fetchedAt,
      isFetched: false,
      outage,
    };
  } catch (error) {
    if (fetched !== null) throw new Error(faults.join('\n'));
    const { message } = error as Error;
    throw new UnavailableProfile(`${outage}; no copy can be served instead: ${copy.path} ${message}`);
  }
}

/** The file of a copy: a valid document, with where and when it was fetched. */
const CopyFile = z.strictObject({ address: z.string(), fetched_at: z.iso.datetime(), document: z.string() });

// JSON escapes make a document of 1 MiB at most six times as long.
const maxCopyMebibytes = 7;

/** The copy in a folder; `name` is the address, without secrets: the copy of another address is ignored and replaced. */
function openCopy(folder: string, name: string, log: Pick<Logger, 'warn'>) {
  const path = join(folder, 'profile-copy.json');
  let unsaved: string | null = null;
  let isFailing = false;

  /** Replaces the copy. Another process may be writing in the same folder. */
  async function write(text: string): Promise<void> {
    const copy: z.infer<typeof CopyFile> = { address: name, fetched_at: new Date().toISOString(), document: text };
    await replaceDurably(path, `${JSON.stringify(copy)}\n`, `${path}.${process.pid}.part`);
  }

  return {
    path,

    /** Throws why the copy cannot be used, in words that follow its path. */
    read() {
      const bytes = readInputFile(path, maxCopyMebibytes);
      let copy: z.infer<typeof CopyFile>;
      try {
        copy = CopyFile.parse(JSON.parse(decodeUtf8(bytes)));
      } catch {
        throw new Error('is damaged');
      }
      if (copy.address !== name) throw new Error('is of another address');
      const reading = readProfileText(copy.document, name);
      if (reading.profile === null) throw new Error('is damaged');
      return { text: copy.document, reading, fetchedAt: new Date(copy.fetched_at) };
    },

    /** Writes a text; null retries the text whose last write failed. A failure is logged once. */
    async save(text: string | null): Promise<void> {
      unsaved = text ?? unsaved;
      if (unsaved === null) return;
      try {
        await write(unsaved);
        unsaved = null;
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'no copy of the profile is kept: its file cannot be written');
        isFailing = true;
      }
    },
  };
}

/** A version of a document, and the request headers that fetch it only if it has changed. */
interface FetchedDocument {
  readonly text: string;
  readonly condition: Record<string, string>;
}

/** Fetches a document; null if it has not changed. Follows no redirect. Rejects with a reason that quotes no address. */
async function fetchDocument(
  address: URL,
  timeoutMs: number,
  condition: Record<string, string> = {},
  signal?: AbortSignal,
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
