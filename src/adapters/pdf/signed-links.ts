import { timingSafeEqual } from 'node:crypto';
import { hmac } from '../node-crypto.ts';

interface Options {
  readonly baseUrl: string;
  /** The signed path, relative to `baseUrl`. */
  readonly path: string;
  /** Returns the current secrets: the first signs, all verify. */
  readonly secrets: () => readonly Buffer[];
  readonly ttlSeconds: number;
}

/** Issues and verifies expiring links to one path, signed with HMAC-SHA256 over path and expiry (answers, Resume PDF). */
export function signedLinksOf({ baseUrl, path, secrets, ttlSeconds }: Options) {
  const signaturesOf = (expires: string) => secrets().map((secret) => hmac(secret, `${path}?expires=${expires}`));
  let latest: { expires: number; secret: Buffer | undefined; link: string } | undefined;
  return {
    /** Returns the link issued at an instant. Its expiry is rounded up to the hour, so that one hour's links are equal. */
    at(now: Date): string {
      const expires = Math.ceil((now.getTime() / 1000 + ttlSeconds) / 3600) * 3600;
      const [secret] = secrets();
      if (expires === latest?.expires && secret === latest.secret) return latest.link;
      const link = `${baseUrl}${path}?expires=${expires}&signature=${signaturesOf(String(expires))[0]}`;
      latest = { expires, secret, link };
      return link;
    },

    /** Returns whether the URL's signature is valid and its expiry, in seconds since 1970, is in the future. */
    isValid({ searchParams }: URL, now: Date): boolean {
      const expires = searchParams.get('expires') ?? '';
      const given = Buffer.from(searchParams.get('signature') ?? '');
      if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now.getTime()) return false;
      return signaturesOf(expires).some((signature) => {
        const expected = Buffer.from(signature);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    },
  };
}
