import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type ProfileReading, readProfileText } from 'resume-profile/profile-reader';
import { decodeUtf8 } from 'resume-profile/utf-8';
import { z } from 'zod';
import { readInputFile } from '../input-file.ts';
import { createDraft } from '../output-file.ts';
import { type FetchedDocument, fetchDocument } from './fetch-document.ts';
import { type LiveProfile, nameOf, openServed, type ProfileAddress, unreadable } from './profile-source.ts';

const defaultTimeoutMs = 10_000;

/** Thrown if neither the address of a profile nor its copy can be read; the one-line message begins with the address. */
export class UnavailableProfile extends Error {}

/** A version of the document, valid or not. */
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
    const fetched = await fetchDocument(address, { condition: before?.condition, timeoutMs, signal });
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

interface AddressOptions extends ProfileAddress {
  /** The folder of the copy. */
  readonly folder: string;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly periodMs?: number;
  readonly timeoutMs?: number;
}

/**
 * Fetches the profile at an address now and every 30 s, and keeps a copy of the last valid version, which a start serves if it
 * cannot fetch one. Rejects without a copy: with `UnavailableProfile`, or with the faults, one per line.
 */
export async function openProfileAddress({ periodMs = 30_000, ...options }: AddressOptions): Promise<LiveProfile> {
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
    name: () => name,
    path: () => null,
    fetchedText: () => version.text,
    read: () => (outage === null ? version.reading : unreadable(outage)),
    isStale: () => outage !== null || version.reading.profile === null,
    reload: () => void poll(),
    close() {
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

  /** Replaces the copy durably, with mode 0600. */
  async function write(text: string): Promise<void> {
    // Another process may be writing in the same folder.
    const temporary = `${path}.${process.pid}.part`;
    await rm(temporary, { force: true }); // left by a crash
    await using draft = await createDraft(temporary);
    const copy: z.infer<typeof CopyFile> = { address: name, fetched_at: new Date().toISOString(), document: text };
    await draft.handle.writeFile(`${JSON.stringify(copy)}\n`);
    await draft.replace(path);
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
