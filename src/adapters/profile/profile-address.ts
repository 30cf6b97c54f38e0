import type { Logger } from 'pino';
import { type ProfileReading, readProfileText } from '../../formats/profile/profile-reader.ts';
import type { Profile } from '../../model/profile/profile-document.ts';
import { type FetchedDocument, fetchDocument } from './fetch-document.ts';
import { type LiveProfile, openServed, unreadable } from './live-profile.ts';
import { type Copy, copyOf, openSaving } from './profile-copy.ts';
import { nameOf, type ProfileAddress } from './profile-source.ts';

const defaultTimeoutMs = 10_000;

/** Neither the address of a profile nor its copy can be read; the message is one line that begins with the address. */
export class UnavailableProfile extends Error {}

/** A version of the document, valid or not. */
interface Version extends FetchedDocument {
  readonly reading: ProfileReading;
}

/** Returns the version at an address, or the one before if that has not changed. Rejects with the fault, in one line. */
async function fetchVersion(
  { address, timeoutMs = defaultTimeoutMs }: Pick<Options, 'address' | 'timeoutMs'>,
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

/** Fetches a profile document once. Returns faults instead of throwing: `ADDRESS: message` or `ADDRESS:LINE:COL: path: message`. */
export const fetchProfile = (source: ProfileAddress): Promise<ProfileReading> =>
  fetchVersion(source).then(
    ({ reading }) => reading,
    ({ message }: Error) => unreadable(message),
  );

interface Options extends ProfileAddress {
  /** The folder of the copy. */
  readonly folder: string;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly periodMs?: number;
  readonly timeoutMs?: number;
}

/**
 * Fetches the profile at an address now and each 30 s, and keeps a copy of the last valid version, which a start serves if it can
 * fetch none. Rejects without a copy: with `UnavailableProfile`, or with the faults of the document, one per line.
 */
export async function openProfileAddress({ periodMs = 30_000, ...options }: Options): Promise<LiveProfile> {
  const { address, folder, log } = options;
  const name = nameOf({ address });
  const copy = copyOf(folder, name);
  const start = await openFirst(options, copy);
  let { version, outage } = start;
  const { take, ...served } = openServed(start.profile, start.readAt, log);
  const saving = openSaving(copy, log);
  await saving.save(start.isFetched ? version.text : null);

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
    await saving.save(isNew && reading.profile !== null ? text : null);
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
    read: () => (outage === null ? version.reading : unreadable(outage)),
    isStale: () => outage !== null || version.reading.profile === null,
    reload: () => void poll(),
    close() {
      clearInterval(timer);
      closing.abort();
    },
  };
}

/** What a start serves: the version that was fetched; the copy if that is invalid, or if none could be fetched, as `outage` tells. */
interface Start {
  readonly version: Version;
  readonly profile: Profile;
  readonly readAt: Date;
  readonly isFetched: boolean;
  readonly outage: string | null;
}

async function openFirst({ log, ...options }: Options, copy: Copy): Promise<Start> {
  let outage: string | null = null;
  const fetched = await fetchVersion(options).catch(({ message }: Error) => {
    outage = message;
    return null;
  });
  const profile = fetched?.reading.profile ?? null;
  if (fetched !== null && profile !== null)
    return { version: fetched, profile, readAt: new Date(), isFetched: true, outage };
  const faults = fetched === null ? [outage!] : fetched.reading.faults;
  const kept = copy.read();
  if (kept.fault !== null)
    throw fetched === null
      ? new UnavailableProfile(`${outage}; no copy can be served instead: ${copy.path} ${kept.fault}`)
      : new Error(faults.join('\n'));
  const { text, reading, fetchedAt } = kept;
  log.warn({ faults, fetchedAt }, 'the last copy of the profile is served');
  const version = fetched ?? { text, reading, condition: {} };
  return { version, profile: kept.profile, readAt: fetchedAt, isFetched: false, outage };
}
