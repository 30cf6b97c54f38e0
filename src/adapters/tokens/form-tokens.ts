import { timingSafeEqual } from 'node:crypto';
import { hmac } from '../node-crypto.ts';

interface Options {
  /** Returns the current secrets: the first signs, all verify. */
  readonly secrets: () => readonly Buffer[];
  readonly now: () => Date;
}

/** How long a page may be open before its forms are refused. */
const ttlMilliseconds = 24 * 60 * 60 * 1_000;

/**
 * Issues and verifies the tokens of forms, which another site cannot know: the expiry in milliseconds since 1970, and an
 * HMAC-SHA256 over it and the session. The session is the id of the owner's, empty for a visitor.
 */
export function formTokensOf({ secrets, now }: Options) {
  const signaturesOf = (expires: string, session: string) =>
    secrets().map((secret) => hmac(secret, `${expires} ${session}`));
  return {
    issue(session: string): string {
      const expires = String(now().getTime() + ttlMilliseconds);
      return `${expires}.${signaturesOf(expires, session)[0]}`;
    },

    isValid(text: string, session: string): boolean {
      const [expires = '', signature = ''] = text.split('.');
      if (!/^\d{1,16}$/.test(expires) || Number(expires) <= now().getTime()) return false;
      const given = Buffer.from(signature);
      return signaturesOf(expires, session).some((one) => {
        const expected = Buffer.from(one);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    },
  };
}
