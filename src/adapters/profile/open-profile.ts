import type { Logger } from 'pino';
import type { ProfileReading } from 'resume-profile/profile-reader';
import { fetchProfile, openProfileAddress } from './profile-address.ts';
import { openProfile, readProfile } from './profile-file.ts';
import type { LiveProfile } from './profile-source.ts';
import { isAddress, type ProfileSource } from './profile-source.ts';

/** Reads or fetches a profile document once. Returns faults that begin with the file or address, and does not throw. */
export const readProfileAt = async (source: ProfileSource): Promise<ProfileReading> =>
  isAddress(source) ? fetchProfile(source) : readProfile(source.path);

/**
 * Opens the profile in a file or at an address and polls it. Rejects with the faults, one a line, if it can serve no
 * valid version. `folder` holds the copy of a profile at an address.
 */
export const openProfileAt = async (
  source: ProfileSource,
  options: { readonly folder: string; readonly log: Pick<Logger, 'info' | 'warn' | 'error'> },
): Promise<LiveProfile> =>
  isAddress(source) ? openProfileAddress({ ...source, ...options }) : openProfile({ ...source, ...options });
