import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hmac } from '../node-crypto.ts';

const idBytes = 6;
const macBytes = 10;

/** 22 characters of base64url hold 132 bits: the last 4 of them are zero. */
const canonicalCode = /^[\w-]{21}[AQgw]$/;

/** Generates the id of a link: 48 random bits, as 12 hexadecimal digits. It may be shown, and opens nothing. */
export const newLinkId = (): string => randomBytes(idBytes).toString('hex');

/** Returns the code of a link, by which it is opened: the id, and the beginning of an HMAC-SHA256 of it. */
export const toLinkCode = (id: string, secret: Buffer): string =>
  Buffer.concat([Buffer.from(id, 'hex'), macOf(id, secret)]).toString('base64url');

/** Returns the id of the link that a code opens; null if the code was not made with the secret, or is spelled otherwise. */
export function readLinkCode(code: string, secret: Buffer | null): string | null {
  if (secret === null || !canonicalCode.test(code)) return null;
  const bytes = Buffer.from(code, 'base64url');
  const id = bytes.subarray(0, idBytes).toString('hex');
  return timingSafeEqual(bytes.subarray(idBytes), macOf(id, secret)) ? id : null;
}

const macOf = (id: string, secret: Buffer): Buffer =>
  Buffer.from(hmac(secret, `link ${id}`), 'base64url').subarray(0, macBytes);
