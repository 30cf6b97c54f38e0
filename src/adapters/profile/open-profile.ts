import type { Logger } from 'pino';
import type { ProfileReading } from '../../formats/profile/profile-reader.ts';
import type { LiveProfile } from './live-profile.ts';
import { fetchProfile, openProfileAddress } from './profile-address.ts';
import { openProfile, readProfile } from './profile-file.ts';
import { isAddress, type ProfileSource } from './profile-source.ts';

/** Reads or fetches a profile document once. Returns faults instead of throwing, which begin with the file or address. */
export const readProfileAt = async (source: ProfileSource): Promise<ProfileReading> =>
  isAddress(source) ? fetchProfile(source) : readProfile(source.path);

/**
 * Opens the profile at a file or address and polls it. Rejects with the faults, one per line, if there is no valid one to serve. The folder is that of a
 * copy, if the profile is at an address.
 */
export const openProfileAt = async (
  source: ProfileSource,
  options: { readonly folder: string; readonly log: Pick<Logger, 'info' | 'warn' | 'error'> },
): Promise<LiveProfile> =>
  isAddress(source) ? openProfileAddress({ ...source, ...options }) : openProfile({ ...source, ...options });
