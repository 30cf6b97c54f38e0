import { createHmac } from 'node:crypto';
import type { Keys } from './keys.ts';

/** Hashes an address, or another text that tells who a visitor is, so that alike stays alike. */
export type HashVisitor = (text: string) => string;

/**
 * Hashes for the audit log and the shared quotas: HMAC-SHA256 in base64url, under a secret of the oldest key that verifies at
 * that moment. Under the newest, a process that has not taken up a rotation yet would hash differently. Throws if no key is left.
 */
export const visitorHashOf =
  (keys: Pick<Keys, 'secretsFor'>): HashVisitor =>
  (text) => {
    const secret = keys.secretsFor('visitors').at(-1);
    if (secret === undefined || secret.length === 0) throw new Error('A secret to hash visitors with is missing.');
    return createHmac('sha256', secret).update(text).digest('base64url');
  };
