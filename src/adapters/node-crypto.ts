import { createHash, randomBytes } from 'node:crypto';

/** The SHA-256 hash of a content, in base64url. */
export const hash = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('base64url');

/** Generates a random id of 32 hexadecimal digits. */
export const newId = (): string => randomBytes(16).toString('hex');
