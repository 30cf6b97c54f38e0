import type { Logger } from 'pino';
import type { Profile } from 'resume-profile/profile-document';
import { noViews, type ProfileReading, type ProfileViews } from 'resume-profile/profile-reader';
import { noProfile } from '../../model/profile/document-state.ts';

export type ProfileSource = ProfileFile | ProfileAddress;

export interface ProfileFile {
  readonly path: string;
  /** The path of the owner's profile, if `path` is the sample: once this file exists, it replaces `path`. */
  readonly ownPath?: string | undefined;
  readonly isAwaited?: boolean;
}

export interface ProfileAddress {
  /** May contain secrets in its query and as user name and password: show only its `nameOf`. */
  readonly address: URL;
}

export const isAddress = (source: ProfileSource): source is ProfileAddress => 'address' in source;

/** A displayable name: the path of a file, or an address without user name, password, query and fragment. */
export const nameOf = (source: ProfileSource): string =>
  isAddress(source) ? `${source.address.origin}${source.address.pathname}` : source.path;

export const pathOf = (source: ProfileSource): string | null => (isAddress(source) ? null : source.path);

/** Returns the path of the owner's own file, even while the sample is served; null if the document is at an address. */
export const ownPathOf = (source: ProfileSource): string | null =>
  isAddress(source) ? null : (source.ownPath ?? source.path);

/** Whether a text is meant as an address, valid or not, rather than a path. */
export const looksLikeAddress = (text: string): boolean => /^["'\s]*(https?:|[a-z][a-z\d+.-]+:\/\/)/i.test(text);

/** Reads an https address; returns null if it is not one, or if its user name or password cannot be decoded. */
export function readAddress(text: string): URL | null {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:') return null;
  try {
    decodeURIComponent(url.username + url.password);
    return url;
  } catch {
    return null;
  }
}

/** Holds the served profile, null before the first. */
export function openServed(
  first: { readonly profile: Profile | null; readonly views: ProfileViews },
  readAt: Date,
  log: Pick<Logger, 'info' | 'error'>,
) {
  let { profile: current, views } = first;
  let loadedAt = readAt;
  let onReload = (_profile: Profile): void => {};
  return {
    take({ profile, faults, ...reading }: ProfileReading) {
      if (profile === null) return log.error({ faults }, 'profile not reloaded');
      current = profile;
      views = reading.views;
      loadedAt = new Date();
      log.info('profile reloaded');
      onReload(profile);
    },
    /** Throws `UNAVAILABLE` before the first profile. */
    current(): Profile {
      if (current === null) throw noProfile();
      return current;
    },
    /** False until the first profile is published, if the process started without one. */
    isPresent: () => current !== null,
    /** The views of the current profile; a new object after each change. */
    views: () => views,
    loadedAt: () => loadedAt,
    onReload(listener: (profile: Profile) => void): void {
      onReload = listener;
    },
  };
}

export const unreadable = (fault: string): ProfileReading => ({
  profile: null,
  written: null,
  value: null,
  views: noViews,
  faults: [fault],
  locatedFaults: [{ path: [], line: null, column: null, message: fault }],
  warnings: () => [],
  notes: () => [],
  remarks: [],
});
