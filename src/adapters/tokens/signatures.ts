import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hmac } from '../node-crypto.ts';

/** Returns the current secrets for HMAC-SHA256: the first signs, all verify. */
type Secrets = () => readonly Buffer[];

const isSigned = (text: string, signature: string, secrets: Secrets): boolean =>
  secrets().some((secret) => {
    const [given, expected] = [Buffer.from(signature), Buffer.from(hmac(secret, text))];
    return given.length === expected.length && timingSafeEqual(given, expected);
  });

interface LinkOptions {
  readonly baseUrl: string;
  /** The signed path, relative to `baseUrl`. */
  readonly path: string;
  readonly secrets: Secrets;
  readonly ttlSeconds: number;
}

export type SignedLinks = ReturnType<typeof signedLinksOf>;

/** Issues and verifies links to one path, signed over path, expiry and view, whose name they do not show. */
export function signedLinksOf({ baseUrl, path, secrets, ttlSeconds }: LinkOptions) {
  const textOf = (expires: string) => `${path}?expires=${expires}`;
  const signedTextOf = (expires: string, view: string | null) =>
    view === null ? textOf(expires) : `${textOf(expires)}&view=${view}`;
  /** Rounded up to the hour, so that the links of one hour are equal. */
  const expiryOf = (now: Date) => Math.ceil((now.getTime() / 1000 + ttlSeconds) / 3600) * 3600;
  return {
    /** Returns until when `at` returns the same link, unless the first secret changes; in milliseconds since 1970. */
    until: (now: Date): number => (expiryOf(now) - ttlSeconds) * 1_000,

    at(now: Date, view: string | null): string {
      const expires = String(expiryOf(now));
      return `${baseUrl}${textOf(expires)}&signature=${hmac(secrets()[0]!, signedTextOf(expires, view))}`;
    },

    findView<View extends string | null>({ searchParams }: URL, views: readonly View[], now: Date): View | undefined {
      const expires = searchParams.get('expires') ?? '';
      if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now.getTime()) return undefined;
      const signature = searchParams.get('signature') ?? '';
      return views.find((view) => isSigned(signedTextOf(expires, view), signature, secrets));
    },
  };
}

/** How long a page may be open before its forms are refused. */
const formMilliseconds = 24 * 60 * 60 * 1_000;

/** Issues and verifies tokens of forms: an expiry, and a signature over it and the session, empty for forms that open one. */
export function formTokensOf({ secrets, now }: { readonly secrets: Secrets; readonly now: () => Date }) {
  return {
    issue(session: string): string {
      const expires = now().getTime() + formMilliseconds;
      return `${expires}.${hmac(secrets()[0]!, `${expires} ${session}`)}`;
    },

    isValid(text: string, session: string): boolean {
      const [expires = '', signature = ''] = text.split('.');
      if (!/^\d{1,16}$/.test(expires) || Number(expires) <= now().getTime()) return false;
      return isSigned(`${expires} ${session}`, signature, secrets);
    },
  };
}

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
