import { randomBytes } from 'node:crypto';
import { compactVerify, decodeProtectedHeader, SignJWT } from 'jose';
import { z } from 'zod';
import type { IssuedToken, Tokens } from '../operations/services.ts';
import type { Keys } from './keys.ts';
import { openRevocations, type RevocationStore, toInstant, toSeconds } from './revocations.ts';

interface Options {
  readonly keys: Keys;
  readonly baseUrl: string;
  readonly ttlSeconds: number;
  readonly store: RevocationStore;
  readonly now: () => Date;
  readonly rememberAtMost?: number;
}

/**
 * Ed25519 JWTs in the shape of RFC 9068, bound to `baseUrl`. A revocation counts in every process once its `refresh` has
 * read it; those kept so far are read on opening. Verified tokens are remembered, so that most calls cost no cryptography,
 * until a key comes or goes.
 */
export async function openTokens({ keys, baseUrl, ttlSeconds, store, now, rememberAtMost = 10_000 }: Options) {
  const Claims = claimsFor(baseUrl);
  const revocations = await openRevocations({ keys, store, now });
  const remembered = new Map<string, { token: IssuedToken; marks: string[] }>();
  let rememberedUnder = keys.verifying;

  async function read(text: string) {
    const claims = Claims.safeParse(await signedClaims(text, keys));
    if (!claims.success) return null;
    const { sub, jti, iat, exp, nbf = iat } = claims.data;
    if (Math.max(iat, nbf) > toSeconds(now()) + 60) return null;
    const token = { jti, subject: sub, issuedAt: toInstant(iat), expiresAt: toInstant(exp) };
    return { token, marks: revocations.marksOf(sub) };
  }

  return {
    refresh: revocations.refresh,
    revoke: revocations.revoke,

    /** Whether it was revoked; other ways of ending, its expiry and that of its key, do not count. */
    isRevoked: (token: IssuedToken): boolean => revocations.hasEnded(token, revocations.marksOf(token.subject)),

    async prepare(subject) {
      await revocations.refresh();
      const iat = revocations.firstFreeSecond(revocations.marksOf(subject));
      const jti = randomBytes(16).toString('hex');
      return { jti, subject, issuedAt: toInstant(iat), expiresAt: toInstant(iat + ttlSeconds) };
    },

    sign({ jti, subject, issuedAt, expiresAt }) {
      const [iat, exp] = [toSeconds(issuedAt), toSeconds(expiresAt)];
      const about = { iss: baseUrl, aud: baseUrl, sub: subject, client_id: 'auth-token', scope: 'profile' };
      const { kid, privateKey } = keys.signing;
      return new SignJWT({ ...about, iat, exp, jti })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
        .sign(privateKey);
    },

    async verify(text) {
      const under = keys.verifying;
      if (under !== rememberedUnder) remembered.clear();
      rememberedUnder = under;
      const known = remembered.get(text);
      const found = known ?? (await read(text));
      if (!found || found.token.expiresAt <= now() || revocations.hasEnded(found.token, found.marks)) {
        remembered.delete(text);
        return null;
      }
      // The keys may have changed while the signature was checked.
      if (known || under !== rememberedUnder) return found.token;
      if (remembered.size >= rememberAtMost) remembered.delete(remembered.keys().next().value!);
      remembered.set(text, found);
      return found.token;
    },
  } satisfies Tokens & Record<string, unknown>;
}

const Header = z.strictObject({ alg: z.literal('EdDSA'), typ: z.literal('at+jwt'), kid: z.string() });

const claimsFor = (baseUrl: string) =>
  z.object({
    iss: z.literal(baseUrl),
    aud: z.literal(baseUrl),
    sub: z.string(),
    client_id: z.string(),
    scope: z.literal('profile'),
    iat: z.int(),
    exp: z.int(),
    nbf: z.int().optional(),
    jti: z.string(),
  });

/** The claims of a well-spelled token that one of the keys has signed, else null. */
async function signedClaims(text: string, { verifying }: Keys): Promise<unknown> {
  const parts = text.length > 4096 ? [] : text.split('.');
  // jose alone takes sixteen spellings of one signature, padding and white space.
  if (parts.length !== 3 || !parts.every(isCanonical)) return null;
  try {
    const { kid } = Header.parse(decodeProtectedHeader(text));
    const key = verifying.get(kid);
    if (!key) return null;
    const { payload } = await compactVerify(text, key, { algorithms: ['EdDSA'] });
    return JSON.parse(Buffer.from(payload).toString());
  } catch {
    return null;
  }
}

const isCanonical = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;
