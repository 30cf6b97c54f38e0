import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';

export const hash = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('base64url');

export const areEqual = (first: string, second: string): boolean =>
  timingSafeEqual(Buffer.from(hash(first)), Buffer.from(hash(second)));

// Node creates a key for each HMAC from bytes, which takes ten times as long as the HMAC.
const keys = new WeakMap<Uint8Array, KeyObject>();

/** Returns the HMAC-SHA256 of a text, in base64url. A secret must not change after its first use. */
export function hmac(secret: Uint8Array, text: string): string {
  let key = keys.get(secret);
  if (key === undefined) {
    key = createSecretKey(secret);
    keys.set(secret, key);
  }
  return createHmac('sha256', key).update(text).digest('base64url');
}

export const newId = (): string => randomBytes(16).toString('hex');

/** Generates 32 random bytes, in base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

const sealKeyOf = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'seal', 32));
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts a text with AES-256-GCM, under a key derived by HKDF-SHA-256 from a random secret of 128 bits or more. */
export function seal(text: string, secret: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', sealKeyOf(secret), nonce);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

/** Decrypts a text that `seal` encrypted; null if the secret differs or the text was altered. */
export function unseal(sealed: string, secret: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  const options = { authTagLength: tagBytes };
  try {
    const cipher = createDecipheriv('aes-256-gcm', sealKeyOf(secret), bytes.subarray(0, nonceBytes), options);
    cipher.setAuthTag(bytes.subarray(-tagBytes));
    return Buffer.concat([cipher.update(bytes.subarray(nonceBytes, -tagBytes)), cipher.final()]).toString();
  } catch {
    return null;
  }
}
