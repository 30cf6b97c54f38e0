/** How long a code that was sent to a visitor's address can be used. */
export const codeSeconds = 10 * 60;

/** How often a code can be tried. */
export const codeTries = 5;

/** Why a code is not accepted: it is a different one, it was tried too often, or it has expired or was used or replaced. */
export type CodeFault = { readonly triesLeft: number } | 'used up' | 'expired';

/** A code as it is stored: by a keyed hash, for a request of a client and an address. */
export interface StoredCode {
  readonly requestId: string;
  readonly subject: string;
  readonly hash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}
