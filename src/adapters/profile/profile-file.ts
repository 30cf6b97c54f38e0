import { existsSync, statSync } from 'node:fs';
import type { Logger } from 'pino';
import { type ProfileReading, readProfileText } from '../../formats/profile/profile-reader.ts';
import { decodeUtf8 } from '../../formats/utf-8.ts';
import type { Profile } from '../../model/profile-document.ts';
import { readInputFile } from '../input-file.ts';

const maxMebibytes = 1;

/** Reads a profile document. Whatever is wrong is a fault, never an error: `FILE: what is wrong` or `FILE:LINE:COL: path: what is wrong`. */
export function readProfile(path: string): ProfileReading {
  let text: string;
  try {
    text = decodeUtf8(readInputFile(path, maxMebibytes));
  } catch (error) {
    return { profile: null, faults: [`${path}: ${(error as Error).message}`], warnings: () => [] };
  }
  return readProfileText(text, path);
}

/** The profile that is served: the last good reading of its file, followed while the file changes. */
export interface LiveProfile {
  current(): Profile;
  /** Whether the file has since become one that cannot be served. */
  isStale(): boolean;
  onReload(listener: (profile: Profile) => void): void;
  close(): void;
}

interface Options {
  readonly path: string;
  /** Where the owner's own profile is expected while another, the sample, is served; from the moment it exists it is followed instead. */
  readonly ownPath?: string | undefined;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

/** Opens the profile in a file and follows it. Throws its faults, one a line, if the file is not good to begin with. */
export function openProfile({ path, ownPath = path, log }: Options): LiveProfile {
  // Taken before the file is read, so that no change falls in between.
  const stamp = stampOf(path);
  const { profile, faults } = readProfile(path);
  if (profile === null) throw new Error(faults.join('\n'));
  let current = profile;
  let isStale = false;
  let followed = path;
  const listeners: ((profile: Profile) => void)[] = [];
  const locate = () => (existsSync(ownPath) ? ownPath : followed);
  const stop = watch(locate, stamp, (changed) => {
    followed = changed;
    const { profile, faults } = readProfile(changed);
    isStale = profile === null;
    if (profile === null) return log.error({ faults }, 'profile not reloaded');
    current = profile;
    log.info('profile reloaded');
    for (const listener of listeners) listener(profile);
  });
  return {
    current: () => current,
    isStale: () => isStale,
    onReload: (listener) => void listeners.push(listener),
    close: stop,
  };
}

/**
 * Calls back once a file that changed since its stamp, was replaced, removed or made anew has come to rest; returns what ends it.
 * It is polled, because a bind mount sends no events, nor does a file that was replaced.
 */
function watch(locate: () => string, stamp: string | null, onChange: (path: string) => void): () => void {
  let known = stamp;
  let last = stamp;
  const timer = setInterval(() => {
    const path = locate();
    const now = stampOf(path);
    if (now === last && now !== known) {
      known = now;
      onChange(path);
    }
    last = now;
  }, 150);
  return () => clearInterval(timer);
}

/** What changes with every save; null where there is no file to be read. */
function stampOf(path: string): string | null {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return null;
  }
}
