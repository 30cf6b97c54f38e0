import { hmac } from '../node-crypto.ts';
import type { Keys } from './keys.ts';

/** Returns the keyed hash of an e-mail address, or of another text that identifies a visitor: equal texts have equal hashes. */
export type HashVisitor = (text: string) => string;

/**
 * Hashes for the audit log and the shared quotas: HMAC-SHA256 in base64url. The secret is that of the oldest verifying key,
 * because during a rotation every process has that key, but not yet the new one; hashes change when it is dropped or
 * expires. Throws without a secret.
 */
export const visitorHashOf =
  (keys: Pick<Keys, 'secretsFor'>): HashVisitor =>
  (text) => {
    const secret = keys.secretsFor('visitors').at(-1);
    if (secret === undefined || secret.length === 0) throw new Error('visitors cannot be hashed without a secret');
    return hmac(secret, text);
  };
