import type { FailedPrint } from './profile/print-state.ts';

/** The state of the service, limited to the parts on which the owner may have to act. */
export interface Upkeep {
  readonly deadLetters: number;
  /** Whether the last mail or store access of the sender failed, so that mail waits. */
  readonly isMailDegraded: boolean;
  /** Whether the profile document is faulty or unreadable, so that an older version is served. */
  readonly isProfileStale: boolean;
  /** When the certificate that the service presents expires; null if it presents none. */
  readonly certificateExpiresAt: Date | null;
  /** When the database was last backed up; null if never, undefined if unknown, as with pg_dump. */
  readonly backedUpAt: Date | null | undefined;
  readonly failedPrints: readonly FailedPrint[];
  /** Why notices reach nobody, and what to do; null if they may. */
  readonly ownerWarning: { readonly found: string; readonly remedy: string } | null;
}
