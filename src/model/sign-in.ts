export const linkSeconds = 15 * 60;

/** How long a session at the desk is valid; using it does not extend it. */
export const sessionSeconds = 12 * 60 * 60;

export type LinkFault = 'used' | 'expired' | 'unknown';

export const setupPrefix = 'setup ';

/** Returns the hash under which a setup session is stored. A session of the owner is stored under its id. */
export const setupHashOf = (id: string): string => setupPrefix + id;

export interface StoredSecret {
  readonly hash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface StoredLink extends StoredSecret {
  readonly path: string;
}
