import { existsSync, statSync } from 'node:fs';
import type { Logger } from 'pino';
import { type ProfileReading, readProfileText } from 'resume-profile/profile-reader';
import { decodeUtf8 } from 'resume-profile/utf-8';
import { maxDocumentMebibytes } from '../../model/profile/document-state.ts';
import { readInputFile } from '../input-file.ts';
import { fetchProfile, type LiveProfile, openProfileAddress } from './profile-address.ts';
import { isAddress, openServed, type ProfileFile, type ProfileSource, unreadable } from './profile-source.ts';

/** Reads or fetches a profile document once. Returns faults that begin with the file or address, and does not throw. */
export const readProfileAt = async (source: ProfileSource): Promise<ProfileReading> =>
  isAddress(source) ? fetchProfile(source) : readProfile(source.path);

/** Opens the profile and polls it; `folder` gets the copy of one at an address. Rejects with the faults, one a line. */
export const openProfileAt = async (
  source: ProfileSource,
  options: { readonly folder: string; readonly log: Pick<Logger, 'info' | 'warn' | 'error'> },
): Promise<LiveProfile> =>
  isAddress(source) ? openProfileAddress({ ...source, ...options }) : openProfile({ ...source, ...options });

/** Reads a profile document. Returns faults instead of throwing: `FILE: message` or `FILE:LINE:COL: path: message`. */
export function readProfile(path: string): ProfileReading {
  let text: string;
  try {
    text = decodeUtf8(readInputFile(path, maxDocumentMebibytes));
  } catch (error) {
    return unreadable(`${path}: ${(error as Error).message}`);
  }
  return readProfileText(text, path);
}

/** Opens the profile in a file. Throws the faults, one per line, if it is invalid, or missing and not awaited. */
export function openProfile({
  path,
  ownPath = path,
  isAwaited = false,
  log,
}: ProfileFile & { readonly log: Pick<Logger, 'info' | 'error'> }): LiveProfile {
  // Taken before the file is read, so that the first poll notices a change in between.
  const stamp = stampOf(path);
  const { profile, views, faults } = readProfile(path);
  if (profile === null && !(isAwaited && stamp === null)) throw new Error(faults.join('\n'));
  const { take, ...served } = openServed({ profile, views }, new Date(), log);
  let polled = path;
  let isStale = false;
  const locate = () => (existsSync(ownPath) ? ownPath : polled);
  const { reload, stop } = watch(locate, stamp, (changed) => {
    polled = changed;
    const reading = readProfile(changed);
    isStale = reading.profile === null;
    take(reading);
  });
  return {
    ...served,
    name: locate,
    path: locate,
    fetchedText: () => null,
    read: () => readProfile(locate()),
    isStale: () => isStale,
    reload,
    close: stop,
  };
}

/** The interval of polls, and how long a file must be unchanged before it is read. */
const lookMilliseconds = 500;
const settleMilliseconds = 150;

/** Polls a file, maybe mounted, and calls back when it has changed and is the same twice: a save may be several writes. */
function watch(locate: () => string, stamp: string | null, onChange: (path: string) => void) {
  let reported = stamp;
  let last = stamp;
  let timer = setTimeout(look, lookMilliseconds);
  function look(): void {
    const path = locate();
    const now = stampOf(path);
    const isSettled = now === last;
    last = now;
    timer = setTimeout(look, isSettled ? lookMilliseconds : settleMilliseconds);
    if (isSettled && now !== reported) report(path);
  }
  function report(path: string): void {
    reported = last;
    onChange(path);
  }
  return {
    reload() {
      const path = locate();
      last = stampOf(path);
      if (last !== reported) report(path);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Returns values that change with every save: device, inode, size and times; null if the file does not exist. */
function stampOf(path: string): string | null {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return null;
  }
}
