import { existsSync, statSync } from 'node:fs';
import type { Logger } from 'pino';
import { type ProfileReading, readProfileText } from '../../formats/profile/profile-reader.ts';
import { decodeUtf8 } from '../../formats/utf-8.ts';
import type { Profile } from '../../model/profile/profile-document.ts';
import { readInputFile } from '../input-file.ts';

/** The size that a profile document may have. */
export const maxMebibytes = 1;

/** Reads a profile document. Returns faults instead of throwing: `FILE: message` or `FILE:LINE:COL: path: message`. */
export function readProfile(path: string): ProfileReading {
  let text: string;
  try {
    text = decodeUtf8(readInputFile(path, maxMebibytes));
  } catch (error) {
    return { profile: null, faults: [`${path}: ${(error as Error).message}`], warnings: () => [] };
  }
  return readProfileText(text, path);
}

/** The profile that is served: the last valid version of a file, which is polled for changes. */
export interface LiveProfile {
  current(): Profile;
  /** When it was read. */
  loadedAt(): Date;
  /** The path of the file that is polled. */
  path(): string;
  /** Whether the file has changed since and is invalid or missing. */
  isStale(): boolean;
  /** Sets the listener that is called after each valid change. */
  onReload(listener: (profile: Profile) => void): void;
  /** Reads the file at once if it has changed, instead of at the next poll. */
  reload(): void;
  close(): void;
}

interface Options {
  readonly path: string;
  /** The path of the owner's profile, if `path` is the sample: once this file exists, it replaces `path`. */
  readonly ownPath?: string | undefined;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

/** Opens the profile in a file and polls the file. Throws the faults, one per line, if the file is invalid. */
export function openProfile({ path, ownPath = path, log }: Options): LiveProfile {
  // Before the file is read: a change in between is then found by the first poll.
  const stamp = stampOf(path);
  const { profile, faults } = readProfile(path);
  if (profile === null) throw new Error(faults.join('\n'));
  let current = profile;
  let loadedAt = new Date();
  let isStale = false;
  let polled = path;
  let onReload = (_profile: Profile): void => {};
  const locate = () => (existsSync(ownPath) ? ownPath : polled);
  const { reload, stop } = watch(locate, stamp, (changed) => {
    polled = changed;
    const { profile, faults } = readProfile(changed);
    isStale = profile === null;
    if (profile === null) return log.error({ faults }, 'profile not reloaded');
    current = profile;
    loadedAt = new Date();
    log.info('profile reloaded');
    onReload(profile);
  });
  return {
    current: () => current,
    loadedAt: () => loadedAt,
    path: locate,
    isStale: () => isStale,
    onReload(listener) {
      onReload = listener;
    },
    reload,
    close: stop,
  };
}

/**
 * Polls a file and calls back when its stamp has changed and is the same in two polls: a save may take several writes.
 * `reload` calls back at once if it has changed. File system events are not enough: bind mounts and replaced files send none.
 */
function watch(locate: () => string, stamp: string | null, onChange: (path: string) => void) {
  let reported = stamp;
  let last = stamp;
  function report(path: string, now: string | null): void {
    if (now === reported) return;
    reported = now;
    onChange(path);
  }
  const timer = setInterval(() => {
    const path = locate();
    const now = stampOf(path);
    if (now === last) report(path, now);
    last = now;
  }, 150);
  return {
    reload() {
      const path = locate();
      last = stampOf(path);
      report(path, last);
    },
    stop: () => clearInterval(timer),
  };
}

/** Returns what changes with every save: device, inode, size and times; null if the file does not exist. */
function stampOf(path: string): string | null {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return null;
  }
}
