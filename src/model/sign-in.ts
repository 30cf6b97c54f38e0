/** How long a one-time link for signing in at the desk is valid. */
export const linkSeconds = 15 * 60;

/** How long a session at the desk is valid; using it does not extend it. */
export const sessionSeconds = 12 * 60 * 60;

/** Why a link does not sign in: it was used, it was not used in time, or no such link is known. */
export type LinkFault = 'used' | 'expired' | 'unknown';

/** What the hashes of sessions begin with that the setup code has opened. */
export const setupPrefix = 'setup ';

/**
 * Returns the hash under which a session of the setup code is stored. A session of the owner is stored under its id
 * itself.
 */
export const setupHashOf = (id: string): string => setupPrefix + id;

/** A secret as it is stored: by its hash. */
export interface StoredSecret {
  readonly hash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A one-time link as it is stored, with the path of the page of the desk that it leads to. */
export interface StoredLink extends StoredSecret {
  readonly path: string;
}
