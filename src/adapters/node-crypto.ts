import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';

/** Returns the SHA-256 hash of a content, in base64url. */
export const hash = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('base64url');

/** Returns the HMAC-SHA256 of a text, in base64url. */
export const hmac = (secret: Uint8Array, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url');

/** Generates a random id of 32 hexadecimal digits. */
export const newId = (): string => randomBytes(16).toString('hex');

/** Generates 32 random bytes, in base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Generates six random digits. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');
